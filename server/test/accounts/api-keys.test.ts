import { describe, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

eachEngine("API keys", (engine) => {
  test("a new key is shown once, works at once, and is listed without its token", async () => {
    const server = await start({ engine });
    const created = await server.api("POST", "/api-keys", {
      name: " Deploy ",
      scopes: ["read:domains", "write:api-keys"],
    });
    expect(created.status).toBe(201);
    const { token, prefix, id } = created.body.data;
    expect(token).toMatch(/^vdt_[\w-]{43}$/);
    expect(token.startsWith(prefix)).toBe(true);
    expect(created.body.data).toMatchObject({
      name: "Deploy",
      scopes: ["read:domains", "write:api-keys"],
      expiresAt: null,
    });
    const listed = await server.api("GET", "/api/api-keys", undefined, { key: token });
    expect(listed.body.data.map((key: { id: number }) => key.id)).toContain(id);
    expect(JSON.stringify(listed.body)).not.toContain(token);
    const stored = await server.ctx.store.db
      .selectFrom("api_keys")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test("v2 says the same in snake_case, pages, renames and deletes", async () => {
    const server = await start({ engine });
    const created = await server.api("POST", "/v2/api-keys", {
      name: "One",
      scopes: ["*:*"],
      expires_at: "2099-01-01T00:00:00.000Z",
    });
    expect(created.body.data).toMatchObject({
      name: "One",
      expires_at: "2099-01-01T00:00:00.000Z",
      last_used_at: null,
    });
    const { uuid, id } = created.body.data;
    const page = await server.api("GET", "/v2/api-keys?per_page=1&page=2");
    expect(page.body.data).toHaveLength(1);
    expect(page.body.pagination).toEqual({ page: 2, per_page: 1, total: 2, total_pages: 2 });
    expect((await server.api("PUT", `/v2/api-keys/${uuid}`, { name: "Two" })).body.data.name).toBe("Two");
    expect((await server.api("GET", `/api/v2/api-keys/${id}`)).body.data).toMatchObject({
      name: "Two",
      uuid,
    });
    expect((await server.api("DELETE", `/v2/api-keys/${uuid}`)).body.data).toEqual({ id });
    expect((await server.api("GET", `/v2/api-keys/${uuid}`)).status).toBe(404);
  });

  test("a deleted key is refused at once, and deleting it again is 404", async () => {
    const server = await start({ engine });
    const { token, id } = (await server.api("POST", "/api-keys", { name: "x", scopes: ["*:*"] })).body.data;
    expect((await server.api("GET", "/api/organizations", undefined, { key: token })).status).toBe(200);
    expect((await server.api("DELETE", `/api-keys/${id}`)).body.data).toEqual({ id });
    expect((await server.api("GET", "/api/organizations", undefined, { key: token })).status).toBe(401);
    expect((await server.api("DELETE", `/api-keys/${id}`)).status).toBe(404);
  });

  test("an expired key is refused", async () => {
    let now = Date.now();
    const server = await start({ engine, clock: { now: () => now } });
    const expiresAt = new Date(now + 60_000).toISOString();
    const { token } = (await server.api("POST", "/api-keys", { name: "x", scopes: ["*:*"], expiresAt })).body
      .data;
    const use = async () => (await server.api("GET", "/api/organizations", undefined, { key: token })).status;
    expect(await use()).toBe(200);
    now += 60_000;
    expect(await use()).toBe(401);
  });

  test("last use is stored to the minute, without a write a request", async () => {
    let now = Date.now();
    const server = await start({ engine, clock: { now: () => now } });
    const lastUsed = async () => (await server.api("GET", "/api-keys")).body.data[0].lastUsedAt;
    const first = new Date(now).toISOString();
    expect(await lastUsed()).toBe(first);
    now += 59_999;
    expect(await lastUsed()).toBe(first);
    now += 1;
    expect(await lastUsed()).toBe(new Date(now).toISOString());
  });

  test("a key grants no more than it has", async () => {
    const server = await start({ engine, scopes: ["write:api-keys", "read:domains"] });
    const mint = (scopes: string[]) => server.api("POST", "/api-keys", { name: "x", scopes });
    expect((await mint(["read:domains", "read:api-keys"])).status).toBe(201);
    for (const scope of ["write:domains", "*:domains", "read:*", "*:*"]) {
      const answer = await mint([scope]);
      expect([answer.status, answer.body.message]).toEqual([
        403,
        `This API key cannot grant the scope ${scope}: it lacks it itself.`,
      ]);
    }
  });

  test("a key without name and scopes has both reported at once", async () => {
    const server = await start({ engine });
    for (const family of ["/api/api-keys", "/v2/api-keys"]) {
      const { status, body } = await server.api("POST", family, { name: " ", scopes: [] });
      expect([status, body.errors]).toEqual([
        422,
        { name: ["The name field is required."], scopes: ["The scopes field is required."] },
      ]);
    }
  });

  test("a key makes none that outlives it, nor one that never ends", async () => {
    const now = Date.now();
    const server = await start({ engine, clock: { now: () => now } });
    const key = await server.createKey({ expiresAt: now + 60_000 });
    const mint = (family: string, more: object) =>
      server.api("POST", family, { name: "x", scopes: ["*:*"], ...more }, { key });
    const at = (ms: number) => new Date(now + ms).toISOString();
    const sentence = `The new key must expire at ${at(60_000)} or before: the API key that makes it ends then.`;
    for (const more of [{}, { expiresAt: null }, { expiresAt: at(60_001) }]) {
      const { status, body } = await mint("/api-keys", more);
      expect([status, body.errors]).toEqual([422, { expiresAt: [sentence] }]);
    }
    const { status, body } = await mint("/v2/api-keys", { expires_at: at(60_001) });
    expect([status, body.errors]).toEqual([422, { expires_at: [sentence] }]);
    const made = await mint("/api-keys", { expiresAt: at(60_000) });
    expect([made.status, made.body.data.expiresAt]).toEqual([201, at(60_000)]);
  });

  test("an end that no calendar of ours has is refused, not taken for never", async () => {
    const server = await start({ engine });
    const sentence = "The expiresAt field must be an ISO 8601 date and time such as 2026-11-21T09:30:00Z.";
    for (const expiresAt of ["2099-12-31T23:59:60Z", "9999-12-31T23:59:59-23:59"]) {
      const { status, body } = await server.api("POST", "/api-keys", {
        name: "x",
        scopes: ["*:*"],
        expiresAt,
      });
      expect([expiresAt, status, body.errors]).toEqual([expiresAt, 422, { expiresAt: [sentence] }]);
    }
  });

  test("bad input names every field", async () => {
    const server = await start({ engine });
    const answer = await server.api("POST", "/api-keys", {
      name: "  ",
      scopes: ["read:domains", "fly:moon"],
      expiresAt: "2001-01-01T00:00:00Z",
    });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      {
        name: ["The name field is required."],
        "scopes.1": ["The scope fly:moon is not known. Scopes look like read:domains or write:*."],
        expiresAt: ["The expiresAt field must be in the future."],
      },
    ]);
  });

  test("members see and delete their own keys only, admins everybody's, other people none", async () => {
    const server = await start({ engine });
    const member = await server.createOrganization({ role: "member" });
    const memberKey = await server.createKey({ person: member });
    const { organization } = member;
    const owner = await server.ctx.store.db
      .selectFrom("memberships")
      .select("user_id as userId")
      .where("organization_id", "=", organization.id)
      .where("role", "=", "owner")
      .executeTakeFirstOrThrow();
    const ownerKey = await server.createKey({
      person: { userId: owner.userId, organization, role: "owner" },
    });
    const keysOf = async (key: string) =>
      (await server.api("GET", "/api-keys", undefined, { key })).body.data;
    expect(await keysOf(memberKey)).toHaveLength(1);
    expect(await keysOf(ownerKey)).toHaveLength(2);
    const ownersId = (await keysOf(ownerKey)).find(
      (one: { userId: number }) => one.userId === owner.userId,
    ).id;
    const remove = async (key: string) =>
      (await server.api("DELETE", `/api-keys/${ownersId}`, undefined, { key })).status;
    expect(await remove(memberKey)).toBe(404);
    expect(await remove(server.key)).toBe(404);
    expect(await remove(ownerKey)).toBe(200);
  });
});

describe("what a key may reach", () => {
  test("a key of a person whose role shrank shrinks with it", async () => {
    const server = await start();
    const { userId, organization } = server.person;
    await server.ctx.store.db
      .updateTable("memberships")
      .set({ role: "viewer" })
      .where("user_id", "=", userId)
      .execute();
    const answer = await server.api("POST", "/api-keys", { name: "x", scopes: ["*:*"] });
    expect([answer.status, answer.body.message]).toEqual([
      403,
      "Your role in this organization (viewer) does not permit write:api-keys.",
    ]);
    await server.ctx.store.db
      .deleteFrom("memberships")
      .where("organization_id", "=", organization.id)
      .execute();
    expect((await server.api("GET", "/api/organizations")).status).toBe(401);
  });
});
