import type { TestServer } from "../../harness/server.ts";

/** What may be said of a service; the rest is what makes one of a kind that needs nothing else. */
export interface ServiceBody {
  name?: string;
  protocol?: string;
  protocolConfig?: object;
  [setting: string]: unknown;
}

export const HTTP_SERVICE: ServiceBody = {
  name: "Shop",
  protocol: "http",
  protocolConfig: { url: "https://shop.test/health" },
};

/** Creates a service through the API and returns it as it was answered. */
export async function makeService(server: TestServer, body: ServiceBody = {}, key?: string) {
  const answer = await server.api("POST", "/api/services", { ...HTTP_SERVICE, ...body }, key ? { key } : {});
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
