import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";

/** Where a name is given, with the rest of the body. */
const places = (organizationId: number): [method: string, path: string, rest: object][] => [
  ["POST", "/api/organizations", {}],
  ["PUT", `/v2/organizations/${organizationId}`, {}],
  ["POST", "/api-keys", { scopes: ["read:domains"] }],
  ["POST", "/v2/api-keys", { scopes: ["read:domains"] }],
];

eachEngine("a name", (engine) => {
  async function start() {
    const server = await startTestServer({ engine, allOrganizations: true });
    onTestFinished(server.close);
    return server;
  }

  test("loses the space around it and may have 255 characters, whatever the script", async () => {
    const server = await start();
    for (const [method, path, rest] of places(server.person.organization.id)) {
      for (const [sent, stored] of [
        [`  ${"a".repeat(255)}  `, "a".repeat(255)],
        ["😀".repeat(255), "😀".repeat(255)],
      ]) {
        const { status, body } = await server.api(method, path, { ...rest, name: sent });
        expect([path, status, body.data?.name]).toEqual([path, method === "POST" ? 201 : 200, stored]);
      }
    }
  });

  test.each([
    "\u05d3\u05e0\u05d4 (IT)\u200f",
    "\u200eAda 1\u200e",
    "\u0639\u0644\u064a\u061c 2",
    "\u0645\u06cc\u200c\u062e",
  ])("%j, with marks of its script, is taken as it is", async (name) => {
    const server = await start();
    for (const [method, path, rest] of places(server.person.organization.id)) {
      const { status, body } = await server.api(method, path, { ...rest, name });
      expect([path, status, body.data?.name]).toEqual([path, method === "POST" ? 201 : 200, name]);
    }
  });

  test.each([
    ["   "],
    ["a".repeat(256)],
    ["line\nbreak"],
    ["\u001b[31mred"],
    ["Ada\u202egnp.exe"],
    ["\u2066Ada"],
    ["\u200b"],
    ["\u200e\u200f\u061c"],
    ["\u2060 \ufeff\u00ad"],
    ["\u3164\u115f"],
    ["\u2800\u{e0061}"],
    ["\u0301"],
    ["\u200b\u0301\ufe0f"],
    ["\ud83d"],
  ])("%j is refused", async (name) => {
    const server = await start();
    for (const [method, path, rest] of places(server.person.organization.id)) {
      const { status, body } = await server.api(method, path, { ...rest, name });
      expect([path, status, Object.keys(body.errors ?? {})]).toEqual([path, 422, ["name"]]);
    }
  });
});

test("what is wrong with a key is named in the words of the family", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const past = "2020-01-01T00:00:00.000Z";
  const key = { name: "a", scopes: ["read:domains"] };
  const legacy = await server.api("POST", "/api-keys", { ...key, expiresAt: past });
  expect([legacy.status, Object.keys(legacy.body.errors)]).toEqual([422, ["expiresAt"]]);
  const v2 = await server.api("POST", "/v2/api-keys", { ...key, expires_at: past });
  expect([v2.status, Object.keys(v2.body.errors)]).toEqual([422, ["expires_at"]]);
});
