import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { offeredTools } from "../../../src/app/http/described.ts";
import { toolListOf } from "../../../src/assistant/mcp/tool-list.ts";
import { startTestServer } from "../../harness/server.ts";

const list = (id: unknown = 1, params: object = {}) => ({ jsonrpc: "2.0", id, method: "tools/list", params });
const call = (id: unknown, name: string, given: object = {}) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: given },
});
const MODERN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

async function start() {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", "accept-encoding": "identity", ...headers },
      body: JSON.stringify(body),
    });
  return { server, post, key: { authorization: `Bearer ${server.key}` } };
}

const namesOf = (result: { tools: { name: string }[] }) => result.tools.map(({ name }) => name);
const ALL = [...offeredTools().keys()];

test("the list is whole in each revision, compressed or not, whatever its id", async () => {
  const { post } = await start();
  for (const id of [1, 'x"tools":[]\\', "ü"]) {
    const plain = (await (await post(list(id))).json()) as never as { id: unknown; result: never };
    expect([plain.id, namesOf(plain.result)]).toEqual([id, ALL]);
    const packed = await post(list(id), { "accept-encoding": "br, gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.json()).toEqual(plain);
  }
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
    accept: "application/json",
  };
  const modern = (await (await post(list(1, MODERN), headers)).json()) as {
    result: { ttlMs: number; tools: [] };
  };
  expect(namesOf(modern.result)).toEqual(ALL);
  expect(modern.result.ttlMs).toBeGreaterThan(0);
});

test("compressed, it is one member of gzip with the right sum and length", async () => {
  const { server } = await start();
  const answer = await server.app.inject({
    ...{ method: "POST", url: "/mcp", payload: list() },
    headers: { "accept-encoding": "gzip" },
  });
  const whole = gunzipSync(answer.rawPayload).toString();
  expect(namesOf((JSON.parse(whole) as { result: never }).result)).toEqual(ALL);
});

test("it is written once for everybody", async () => {
  const { post } = await start();
  await (await post(list())).text();
  const schema: object = [...offeredTools().values()][0]?.schema ?? {};
  const before = { ...schema };
  onTestFinished(() => void Object.assign(schema, before));
  Object.assign(schema, { title: "Another title" });
  expect(await (await post(list())).text()).not.toContain("Another title");
});

test("a key is shown its own tools, and a stream of a batch has the list too", async () => {
  const { post, key } = await start();
  const batch = [list(1), call(2, "get_dashboard_stats"), { jsonrpc: "2.0", id: 3, method: "ping" }];
  const plain = (await (await post(batch, key)).json()) as { id: number; result: never }[];
  const own = namesOf(plain.find(({ id }) => id === 1)?.result as never);
  expect(own.length).toBeGreaterThan(50);
  const stream = await post(batch, { ...key, accept: "application/json, text/event-stream" });
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  const events = (await stream.text())
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  const answers = events.map((text) => JSON.parse(text) as { id: number; result: never });
  expect(namesOf(answers.find(({ id }) => id === 1)?.result as never)).toEqual(own);
});

test("400: a batch that requests the list twice", async () => {
  const { post } = await start();
  const twice = await post([list(1), list(2)]);
  expect(twice.status).toBe(400);
  expect(await twice.json()).toMatchObject({
    error: { message: "Invalid Request: tools/list at most once a batch." },
  });
});

test("of a batch of calls each has a turn of its own", async () => {
  const { post, key } = await start();
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  const calls = Array.from({ length: 20 }, (_, id) => call(id, "list_incidents"));
  await (await post(calls[0], key)).text();
  setImmediate(turn);
  const before = turns;
  expect((await (await post(calls, key)).json()) as unknown[]).toHaveLength(20);
  isDone = true;
  expect(turns - before).toBeGreaterThanOrEqual(20);
});

test("lists that clients choose parts of take the place of none that others are sent", async () => {
  const tools = [...offeredTools().values()];
  const whole = await toolListOf(tools, false);
  for (let length = 1; length <= 20; length += 1) {
    const chosen = await toolListOf(tools.slice(0, length), true);
    expect(JSON.parse(`[${chosen.json}]`)).toHaveLength(length);
  }
  expect(await toolListOf(tools, false)).toBe(whole);
  expect(await toolListOf(tools, true)).toBe(whole);
});
