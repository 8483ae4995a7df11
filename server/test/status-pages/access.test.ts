import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { makeDomain, serve } from "../monitors/domains/factories.ts";
import { linkDomain, makePage, newSlug, PAGES } from "./factories.ts";

const V2_PAGES = "/v2/status-pages";

eachEngine("who may do what with status pages", (engine) => {
  test("401 without credentials, but for what is public", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const statusOf = async (path: string) => (await server.api("GET", path, undefined, { key: null })).status;
    expect(await statusOf(PAGES)).toBe(401);
    expect(await statusOf(`${PAGES}/${page.id}`)).toBe(401);
    expect(await statusOf(`${PAGES}/${page.slug}/public`)).toBe(200);
    expect(await statusOf(`${V2_PAGES}/${page.slug}/public`)).toBe(200);
  });

  test.each([
    ["free", PAGES, 403],
    ["pro", PAGES, 200],
    ["pro", V2_PAGES, 403],
    ["expert", V2_PAGES, 200],
  ])("on the plan %s GET %s answers %o", async (plan, path, status) => {
    const server = await serve({ engine });
    const key = await server.createKey({ plan });
    expect((await server.api("GET", path, undefined, { key })).status).toBe(status);
  });

  test("403 for a key without the scope and for a viewer who writes", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const { person } = server;
    const reader = await server.createKey({ person, scopes: ["read:status-pages"] });
    const outsider = await server.createKey({ person, scopes: ["*:incidents"] });
    const writes = [
      ["POST", PAGES, { name: "Two", slug: newSlug() }],
      ["PUT", `${PAGES}/${page.id}`, { name: "Two" }],
      ["DELETE", `${PAGES}/${page.id}`, undefined],
      ["PUT", `${PAGES}/${page.id}/layout`, { groups: [] }],
      ["POST", `${PAGES}/${page.id}/domains`, { domainId: 1 }],
      ["PUT", `${PAGES}/${page.id}/services/1`, {}],
      ["DELETE", `${PAGES}/${page.id}/devices/1`, undefined],
    ] as const;
    for (const [method, path, body] of writes) {
      expect([path, (await server.api(method, path, body, { key: reader })).status]).toEqual([path, 403]);
    }
    expect((await server.api("GET", PAGES, undefined, { key: reader })).status).toBe(200);
    expect((await server.api("GET", PAGES, undefined, { key: outsider })).status).toBe(403);
    const viewer = await server.createKey({ role: "viewer" });
    const refused = await server.api("POST", PAGES, { name: "Two", slug: newSlug() }, { key: viewer });
    expect(refused.status).toBe(403);
  });

  test("404 for another organization's page and components, whatever the request", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const { id } = await linkDomain(server, page, await makeDomain(server));
    const key = await server.createKey({ plan: "expert" });
    const own = await server.api("POST", PAGES, { name: "Mine", slug: newSlug() }, { key });
    const requests = [
      ["GET", `${PAGES}/${page.id}`, undefined],
      ["PUT", `${PAGES}/${page.uuid}`, { name: "Mine" }],
      ["DELETE", `${V2_PAGES}/${page.id}`, undefined],
      ["PUT", `${PAGES}/${page.id}/layout`, { groups: [] }],
      ["PUT", `${PAGES}/${page.id}/domains/${id}`, { displayName: "Mine" }],
      ["DELETE", `${PAGES}/${own.body.data.id}/domains/${id}`, undefined],
    ] as const;
    for (const [method, path, body] of requests) {
      const { status } = await server.api(method, path, body, { key });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect((await server.api("GET", PAGES, undefined, { key })).body.data).toHaveLength(1);
  });

  test("a page that is not public is there for members only", async () => {
    const server = await serve({ engine });
    const page = await makePage(server, { isPublic: false });
    const read = (key: string | null) =>
      server.api("GET", `${PAGES}/${page.slug}/public`, undefined, { key });
    const missing = await server.api("GET", `${PAGES}/${newSlug()}/public`, undefined, { key: null });
    const hidden = await read(null);
    expect([hidden.status, hidden.body.message]).toEqual([missing.status, missing.body.message]);
    expect(hidden.status).toBe(404);
    expect((await read(server.key)).status).toBe(200);
    expect((await read(await server.createKey({ plan: "expert" }))).status).toBe(404);
    const { person } = server;
    const narrow = await server.createKey({ person, scopes: ["*:incidents"] });
    expect((await read(narrow)).status).toBe(404);
    expect((await read("vdt_nonsense")).status).toBe(404);
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: true });
    await eventually(
      async () => (await read(null)).status,
      (status) => status === 200,
    );
  });

  test("signed-in members see it too", async () => {
    const server = await startTestServer({ engine, alone: true });
    onTestFinished(server.close);
    const signUp = { email: "ada@vedette.test", password: "correct horse battery", name: "Ada" };
    const account = await server.api("POST", "/api/auth/sign-up", signUp, { key: null });
    const cookie = (account.headers.get("set-cookie") ?? "").split(";")[0] as string;
    const headers = { cookie, origin: server.url };
    const body = { name: "Ours", slug: newSlug(), isPublic: false };
    const made = await server.api("POST", PAGES, body, { key: null, headers });
    expect(made.status).toBe(201);
    const path = `${PAGES}/${body.slug}/public`;
    expect((await server.api("GET", path, undefined, { key: null, headers })).status).toBe(200);
    expect((await server.api("GET", path, undefined, { key: null })).status).toBe(404);
  });
});
