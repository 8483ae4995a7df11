import type { ApiAnswer, TestServer } from "../../harness/server.ts";

type Options = Parameters<TestServer["api"]>[3] & { path?: string };

let lastId = 0;

/** One JSON-RPC call as a plain client makes it. */
export const rpc = (
  server: TestServer,
  method: string,
  params: object = {},
  { path = "/mcp", ...options }: Options = {},
): Promise<ApiAnswer> => server.api("POST", path, { jsonrpc: "2.0", id: ++lastId, method, params }, options);

/** The result of a tool call. */
export async function callTool(
  server: TestServer,
  name: string,
  given: object = {},
  options: Options = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any shape
): Promise<any> {
  const answer = await rpc(server, "tools/call", { name, arguments: given }, options);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.result ?? answer.body;
}
