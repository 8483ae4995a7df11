import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../../harness/server.ts";

const LATEST = { "mcp-protocol-version": "2025-11-25", accept: "application/json" };

async function start() {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const send = (method: string, params: unknown, headers: Record<string, string> = {}) =>
    server.api(
      "POST",
      "/mcp",
      { jsonrpc: "2.0", id: 1, method, params },
      { headers: { ...LATEST, ...headers } },
    );
  return { server, send };
}

/** Of the library's own text: its schemas' terms, and JSON in a sentence. */
const RAW = /invalid_type|"path"|"code"|expected|received|\bzod\b|\n/i;

it.each([
  ["tools/call", { name: 5 }, "name"],
  ["tools/call", { arguments: {} }, "name"],
  ["tools/call", { name: "list_domains", arguments: "secret-4711" }, "arguments"],
  ["resources/read", {}, "uri"],
  ["resources/subscribe", { uri: { secret: "secret-4711" } }, "uri"],
  ["prompts/get", { name: [] }, "name"],
  ["completion/complete", {}, null],
])("%s with %j is refused by the field, and not in the library's words", async (method, params, field) => {
  const { send } = await start();
  const { body } = await send(method, params);
  const { message = "", data } = body.error ?? {};
  expect([message, RAW.test(message), message.length < 300, data]).toEqual([message, false, true, undefined]);
  if (field) expect(message).toContain(field);
  expect(JSON.stringify(body)).not.toContain("secret-4711");
});

it("says what we refuse in our own words, as before", async () => {
  const { send } = await start();
  expect((await send("tools/call", { name: "no_such_tool" })).body.error.message).toBe(
    "There is no tool no_such_tool.",
  );
});

it("404: a session that its client has ended is no session any more", async () => {
  const { server, send } = await start();
  const clientInfo = { name: "a", version: "1" };
  const begun = await send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  expect(session["mcp-session-id"]).not.toBe("");
  const end = (more: object = {}) =>
    server.api("DELETE", "/mcp", undefined, { headers: { ...LATEST, ...session }, ...more });
  const list = (headers: Record<string, string> = session) => send("tools/list", {}, headers);
  expect((await list()).status).toBe(200);
  // Another person who knows its id cannot end it.
  const outsider = await server.createKey({ person: await server.createOrganization() });
  expect((await end({ key: outsider })).status).toBe(200);
  expect((await list()).status).toBe(200);
  expect((await end()).status).toBe(200);
  expect((await list()).status).toBe(404);
  expect((await end()).status).toBe(404);
  const stream = await fetch(`${server.url}/mcp`, {
    headers: { authorization: `Bearer ${server.key}`, accept: "text/event-stream", ...session },
  });
  expect(stream.status).toBe(404);
  expect((await list({})).status).toBe(200);
  // Any text could be a session: of one that was never given to a client nothing is stored.
  const given = (await send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }))
    .headers;
  for (const id of [`${crypto.randomUUID()}.invented`, `${given.get("mcp-session-id")}.more`]) {
    const invented = { "mcp-session-id": id };
    expect((await end({ headers: { ...LATEST, ...invented } })).status).toBe(404);
    expect((await list(invented)).status).toBe(200);
  }
  const rows = await server.ctx.store.db.selectFrom("ended_assistant_sessions").select("user_id").execute();
  expect(rows.filter(({ user_id }) => user_id === server.person.userId)).toHaveLength(1);
});
