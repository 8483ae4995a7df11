import { expect, test } from "vitest";
import { DESCRIBED } from "../../src/app/http/described.ts";
import { VERBS } from "../../src/app/operations.ts";
import { verbTools } from "../../src/assistant/tools/spec-tools.ts";
import { resultsIn, startAssistant } from "./assistant-client.ts";

const call = (name: string, given: object) => ({ calls: [{ name, arguments: given }] });

test("a model does not get what lets somebody in, neither by itself nor within an address", async () => {
  let id = 0;
  const { prompt, send, model } = await startAssistant({
    next: (_, index) => (index === 0 ? call("get_service", { id: String(id) }) : { text: ["Read."] }),
  });
  const made = await send("POST", "/api/services", {
    ...{ name: "Backup", protocol: "heartbeat", protocolConfig: { periodSeconds: 3600 } },
  });
  const shown = JSON.stringify(made.body);
  const token = /"token":"([^"]{8,})"/.exec(shown)?.[1] ?? "";
  expect([made.status, token.length > 8], shown).toEqual([201, true]);
  id = made.body.data.id;
  const { result } = await prompt({ message: "How is the backup?" });
  expect(result.calls).toMatchObject([{ tool: "get_service", state: "done" }]);
  const reported = JSON.stringify(model.received[1]?.body);
  expect(reported).toContain("Backup");
  expect(reported).not.toContain(token);
});

test("a token that is made after a click is neither kept in clear nor sent to the model", async () => {
  const { prompt, send, model, server } = await startAssistant({
    next: (_, index) => (index === 0 ? call("create_device", { name: "Web 1" }) : { text: ["Made."] }),
  });
  const { result } = await prompt({ message: "Add my machine." });
  const path = `/api/chat/calls/${result.calls[0].uuid}/approve`;
  expect((await send("POST", path)).body.data.state).toBe("done");
  await prompt({ conversationId: result.conversation.uuid });
  const kept = await server.ctx.store.db.selectFrom("assistant_calls").select("result").executeTakeFirst();
  expect(kept?.result).toContain("Web 1");
  expect(kept?.result).not.toMatch(/vda_\w/);
  expect(JSON.stringify(model.received[1]?.body.messages)).not.toMatch(/vda_\w/);
});

test("a model that sends back what stands in place of a secret changes nothing", async () => {
  const reported = "(secret: people find it in the app, or make a new one there)";
  const headers = { Authorization: "Bearer canary-9d41" };
  let id = 0;
  const { prompt, send, model } = await startAssistant({
    next: (_, index) =>
      [
        call("get_domain", { id: String(id) }),
        call("update_domain", { id: String(id), headers: { Authorization: reported } }),
        { text: ["Done."] },
      ][Math.min(index, 2)] as ReturnType<typeof call>,
  });
  const made = await send("POST", "/api/domains", { name: "Shop", url: "http://127.0.0.1:9/", headers });
  id = made.body.data.id;
  const { result } = await prompt({ message: "Which headers does it send?" });
  const [read, refused] = resultsIn(model.received[2] as never);
  expect(read).toContain(`"Authorization":"${reported}"`);
  expect(refused).toMatch(/^headers.*may hold a secret/);
  expect(JSON.stringify(model.received)).not.toContain("canary-9d41");
  expect(result.calls).toMatchObject([{ tool: "get_domain" }]);
});

/** Of what their names say is a secret, what is none. */
const NO_SECRETS = new Set([
  "key",
  "publicKey",
  "statusCode",
  "reasonCode",
  "countryCode",
  "exitCode",
  "tokenSince",
  "code",
]);

test("whatever a tool answers under the name of a secret has the mark of one", () => {
  const open: string[] = [];
  const seen = new Set<string>();
  // biome-ignore lint/suspicious/noExplicitAny: any schema
  const visit = (schema: any, at: string) => {
    for (const [name, field] of Object.entries<Record<string, unknown>>(schema?.properties ?? {})) {
      const path = `${at}.${name}`;
      const isText = [field["type"]].flat().includes("string");
      if (isText && /token|secret|password|code$|key$/i.test(name)) {
        seen.add(name);
        if (!field["x-secret"] && !field["writeOnly"] && !NO_SECRETS.has(name)) open.push(path);
      }
      visit(field, path);
    }
    for (const inner of [schema?.items, ...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])])
      if (inner) visit(inner, at);
  };
  for (const { name, output } of verbTools({ verbs: VERBS, described: DESCRIBED })) visit(output, name);
  expect(open).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining(["token", "secret", "webhookSecret"]));
});

test("a call that holds a secret is refused, and neither stored nor shown", async () => {
  const secret = "canary-5b20";
  const authConfig = { username: "u", password: secret };
  const domain = { name: "Shop", url: "http://127.0.0.1:9/", authType: "basic", authConfig };
  const { prompt, model, server } = await startAssistant({
    next: (_, index) => (index === 0 ? call("create_domain", domain) : { text: ["Sorry."] }),
  });
  const { result } = await prompt({ message: "Watch my shop." });
  expect(result.calls).toEqual([]);
  expect(resultsIn(model.received[1] as never)).toEqual([
    expect.stringMatching(/^authConfig.*may hold a secret/),
  ]);
  const stored = await server.ctx.store.db.selectFrom("assistant_calls").selectAll().execute();
  expect(JSON.stringify([stored, result])).not.toContain(secret);
});

test("a configuration that holds what the model does not get is not replaced", async () => {
  let id = 0;
  const sent = { host: "127.0.0.1", port: 9, expect: "ok" };
  const { prompt, send, model } = await startAssistant({
    next: (_, index) =>
      index === 0 ? call("update_service", { id: String(id), protocolConfig: sent }) : { text: ["Sorry."] },
  });
  const protocolConfig = { host: "127.0.0.1", port: 9, send: "LOGIN canary-31ce", expect: "pong" };
  const made = await send("POST", "/api/services", { name: "Queue", protocol: "tcp", protocolConfig });
  expect(made.status).toBe(201);
  id = made.body.data.id;
  expect((await prompt({ message: "Expect ok." })).result.calls).toEqual([]);
  expect(resultsIn(model.received[1] as never)).toEqual([
    expect.stringMatching(/^protocolConfig.*may hold a secret/),
  ]);
});

test("a page's password and a subscriber's address are no arguments of a model's", async () => {
  let id = 0;
  const { prompt, send, model } = await startAssistant({
    next: (_, index) =>
      index === 0
        ? call("update_status_page", { id: String(id), password: "canary-page-77" })
        : { text: ["Sorry."] },
  });
  id = (await send("POST", "/api/status-pages", { name: "Shop", slug: "secrets-shop" })).body.data.id;
  expect((await prompt({ message: "Close the page." })).result.calls).toEqual([]);
  expect(resultsIn(model.received[1] as never)).toEqual([
    expect.stringMatching(/^password.*may hold a secret/),
  ]);
  expect(
    model.received[0]?.body.tools.map((one: { function: { name: string } }) => one.function.name),
  ).not.toContain("add_subscriber");
});
