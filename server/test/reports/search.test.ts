import { describe, expect, onTestFinished, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { failed, probed } from "../app/pipeline/setup.ts";
import {
  type ApiAnswer,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { makeDomain } from "../monitors/domains/factories.ts";
import { makeService } from "../monitors/services/factories.ts";

async function serve(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(server.close);
  return server;
}

const search = (server: TestServer, q: string, { more = "", key }: { more?: string; key?: string } = {}) =>
  server.api("GET", `/api/search?q=${encodeURIComponent(q)}${more}`, undefined, key ? { key } : {});

const namesIn = ({ status, body }: ApiAnswer): string[] => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};

const names = async (...query: Parameters<typeof search>) => namesIn(await search(...query));

let hosts = 0;

/** Domains of these names, each with an address that says nothing; their numbers by name. */
async function makeNamed(server: TestServer, ...all: string[]): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const name of all) {
    ids[name] = (await makeDomain(server, { name, url: `https://h${(hosts += 1)}.test` })).id;
  }
  return ids;
}

/** Two failed checks of the monitor, and with `isOver` two that passed. */
async function letFail({ ctx }: TestServer, id: number, isOver = false): Promise<void> {
  const now = ctx.clock.now();
  const passed = isOver ? [probed(id, now - 2_000), probed(id, now - 1_000)] : [];
  await ingestBatch(ctx, [failed(id, now - 4_000), failed(id, now - 3_000), ...passed]);
}

eachEngine("a search", (engine) => {
  test("finds domains and services with what is needed to show them, and incidents", async () => {
    const server = await serve({ engine });
    const domain = await makeDomain(server, { name: "Shop", url: "https://MÜNCHEN.test/a", tags: ["EU"] });
    const service = await makeService(server, {
      name: "Shop database",
      protocol: "tcp",
      protocolConfig: { host: "db.test", port: 5432 },
      enabled: false,
    });
    await letFail(server, domain.id);
    const { body } = await search(server, "sHOP");
    expect(body.data).toEqual([
      {
        kind: "domain",
        id: domain.id,
        uuid: domain.uuid,
        name: "Shop",
        fact: null,
        address: "https://MÜNCHEN.test/a",
        tags: ["EU"],
        status: "down",
        since: expect.stringMatching(/Z$/),
        lastReason: "The connection was refused.",
        lastReasonFact: expect.objectContaining({ code: "refused.text" }),
        monitorId: null,
        monitorKind: null,
      },
      expect.objectContaining({
        kind: "service",
        id: service.id,
        name: "Shop database",
        address: "db.test:5432",
        status: "paused",
      }),
      expect.objectContaining({
        kind: "incident",
        name: "Shop is down",
        fact: { code: "incident.down", params: { name: "Shop" } },
        address: null,
        status: "open",
        since: expect.stringMatching(/Z$/),
        lastReason: null,
        lastReasonFact: null,
        monitorId: domain.id,
        monitorKind: "domain",
      }),
    ]);
    const v2 = await server.api("GET", "/v2/search?q=shop&limit=3");
    expect(v2.body.data[2]).toMatchObject({ monitor_id: domain.id, monitor_kind: "domain" });
  });

  test("reads monitors by their ids instead, each once, those that there are and that the caller may read", async () => {
    const server = await serve({ engine });
    const domain = await makeDomain(server, { name: "Shop", url: "https://shop.test" });
    const service = await makeService(server, {
      name: "Gate",
      protocol: "tcp",
      protocolConfig: { host: "db.test", port: 1 },
    });
    const abroad = await server.createKey({ person: await server.createOrganization() });
    const domainsOnly = await server.createKey({ scopes: ["read:dashboard", "read:domains"] });
    const ids = [service.uuid, String(domain.id), domain.uuid, "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"].join();
    const namesOf = async (key: string, path = `/api/search?ids=${ids}`) =>
      (await server.api("GET", path, undefined, { key })).body.data.map(({ name }: { name: string }) => name);
    expect(await namesOf(server.key)).toEqual(["Shop", "Gate"]);
    expect(await namesOf(server.key, `/v2/search?ids=${ids}&limit=1`)).toEqual(["Shop", "Gate"]);
    expect(await namesOf(domainsOnly)).toEqual(["Shop"]);
    expect(await namesOf(abroad)).toEqual([]);
    for (const bad of ["one", "1,,2", Array.from({ length: 101 }, (_, at) => at + 1).join()])
      expect([bad, (await server.api("GET", `/api/search?ids=${bad}`)).status]).toEqual([bad, 422]);
  });

  test("puts the number first, then names by how they begin, then tags, then addresses", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "Seven", url: "https://prod.test" });
    await makeDomain(server, { name: "Six", url: "https://six.test", tags: ["prod"] });
    await makeNamed(server, "Reproduction", "A-Prod", "My production", "Production", "Prod", "Else");
    expect(await names(server, "prod")).toEqual([
      "Prod",
      "Production",
      "A-Prod",
      "My production",
      "Reproduction",
      "Six",
      "Seven",
    ]);
    const { Els } = await makeNamed(server, "Els");
    await makeNamed(server, `${Els} things`);
    // After these those that have the number in an address.
    expect((await names(server, String(Els))).slice(0, 2)).toEqual(["Els", `${Els} things`]);
    expect(await names(server, `#${Els}`)).toEqual(["Els"]);
    const { uuid } = (await server.api("GET", `/api/domains/${Els}`)).body.data;
    expect(await names(server, ` ${uuid.toUpperCase()} `)).toEqual(["Els"]);
  });

  test("wants each word somewhere, and prefers them as they were typed", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "Shop", url: "https://eu.test", tags: ["Prod"] });
    await makeNamed(server, "Shop prod east", "Prod shop", "Prod blog");
    expect(await names(server, "  prod   SHOP ")).toEqual(["Prod shop", "Shop", "Shop prod east"]);
    expect(await names(server, "shop prod nowhere")).toEqual([]);
    expect(await names(server, "shop eu.test")).toEqual(["Shop"]);
    expect(await names(server, "   ")).toEqual([]);
  });

  test("finds tags in any script as they are now", async () => {
    const server = await serve({ engine });
    const { Blog } = await makeNamed(server, "Blog", "Shop");
    await server.api("PUT", `/api/domains/${Blog}`, { tags: ["ÄRZTE", "ops"] });
    expect(await names(server, "ärzte")).toEqual(["Blog"]);
    await server.api("PUT", `/api/domains/${Blog}`, { tags: [] });
    expect(await names(server, "ärzte")).toEqual([]);
    await server.api("DELETE", `/api/domains/${Blog}`);
    expect(await names(server, "blog")).toEqual([]);
  });

  test("puts incidents that go on before those that are over, and these the newest first", async () => {
    const server = await serve({ engine });
    const { alpha, beta, gamma } = await makeNamed(server, "alpha", "beta", "gamma");
    await letFail(server, alpha as number);
    await letFail(server, beta as number, true);
    await letFail(server, gamma as number, true);
    const found = await names(server, "is down");
    expect(found).toEqual(["alpha is down", "gamma was down", "beta was down"]);
    const [{ id, uuid }] = (await search(server, "beta is")).body.data;
    expect((await names(server, uuid)).slice(0, 1)).toEqual(["beta was down"]);
    expect(await names(server, `#${id}`)).toContain("beta was down");
    await server.api("DELETE", `/api/domains/${gamma}`);
    const [gone] = (await search(server, "gamma is")).body.data;
    expect(gone).toMatchObject({ kind: "incident", monitorId: null, monitorKind: null });
  });

  test("gives as many as are requested, at most 50", async () => {
    const server = await serve({ engine });
    const all = Array.from({ length: 25 }, (_, at) => `Site ${String(at).padStart(2, "0")}`);
    await makeNamed(server, ...all);
    expect(await names(server, "site")).toEqual(all.slice(0, 20));
    expect(await names(server, "site", { more: "&limit=3" })).toEqual(all.slice(0, 3));
    expect((await search(server, "site", { more: "&limit=51" })).status).toBe(422);
  });

  test("takes every character for what it is, and refuses only what is too long", async () => {
    const server = await serve({ engine });
    await makeNamed(server, "100%", "a_b", "back\\slash", "it's", "🛰 Orbit", "متجر", "東京サイト");
    expect(await names(server, "%")).toEqual(["100%"]);
    expect(await names(server, "_")).toEqual(["a_b"]);
    expect(await names(server, "\\")).toEqual(["back\\slash"]);
    expect(await names(server, "'")).toEqual(["it's"]);
    expect(await names(server, "🛰")).toEqual(["🛰 Orbit"]);
    expect(await names(server, "تج")).toEqual(["متجر"]);
    expect(await names(server, "サイト")).toEqual(["東京サイト"]);
    expect(await names(server, "a ".repeat(1_000))).toEqual(expect.arrayContaining(["a_b"]));
    expect(await names(server, "x".repeat(2_048))).toEqual([]);
    expect(await names(server, "")).toEqual([]);
    expect(namesIn(await server.api("GET", "/api/search"))).toEqual([]);
    const { status, body } = await search(server, "x".repeat(2_049));
    expect([status, Object.keys(body.errors)]).toEqual([422, ["q"]]);
    expect((await search(server, "x".repeat(1_000_000))).status).toBe(431);
  });
});

eachEngine("what a search finds", (engine) => {
  /** A domain, a service and an incident, all called Shop. */
  async function makeOfEach(server: TestServer, key?: string): Promise<void> {
    const { id } = await makeDomain(server, { name: "Shop" }, key);
    await makeService(server, { name: "Shop, a service" }, key);
    await letFail(server, id);
  }

  const kinds = async (server: TestServer, key: string) =>
    (await search(server, "shop", { key })).body.data.map(({ kind }: { kind: string }) => kind);

  test.each([
    [["read:dashboard"], []],
    [["read:dashboard", "read:domains"], ["domain"]],
    [["read:dashboard", "write:services"], ["service"]],
    [["read:dashboard", "read:incidents"], ["incident"]],
    [["read:*"], ["domain", "service", "incident"]],
  ])("is what a key with %j may read", async (scopes, expected) => {
    const server = await serve({ engine });
    await makeOfEach(server);
    expect(await kinds(server, await server.createKey({ scopes }))).toEqual(expected);
  });

  test("is nothing for a key that may not read the dashboard", async () => {
    const server = await serve({ engine, scopes: ["*:domains"] });
    const { status, body } = await search(server, "shop");
    expect([status, body.message]).toEqual([403, expect.stringContaining("read:dashboard")]);
  });

  test("leaves out what the plan does not include", async () => {
    const server = await serve({ engine });
    await makeOfEach(server);
    const { person } = server;
    await server.ctx.store.db
      .updateTable("organizations")
      .set({ plan: "free" })
      .where("id", "=", person.organization.id)
      .execute();
    expect(await kinds(server, server.key)).toEqual(["domain"]);
  });

  test("is what a viewer may read, too", async () => {
    const server = await serve({ engine });
    await makeOfEach(server);
    const viewer = await server.createKey({ role: "viewer" });
    expect(await kinds(server, viewer)).toEqual([]);
    expect((await search(server, "shop", { key: viewer })).status).toBe(200);
  });

  describe("of another organization", () => {
    test("is nothing, by no name, tag, number or uuid", async () => {
      const server = await serve({ engine });
      const { id, uuid } = await makeDomain(server, { name: "Shop", tags: ["secret"] });
      await letFail(server, id);
      const [incident] = (await server.api("GET", "/api/incidents")).body.data;
      const outsider = await server.createKey({ plan: "expert" });
      for (const q of ["shop", "secret", "shop.test", String(id), uuid, incident.uuid, "is down"]) {
        expect(await names(server, q)).not.toEqual([]);
        expect(await names(server, q, { key: outsider }), q).toEqual([]);
      }
    });

    test("is found in its name by a key for all of one's organizations, and by no other", async () => {
      const server = await serve({ engine, allOrganizations: true });
      const other = await server.createOrganization();
      const { userId } = server.person;
      const membership = { user_id: userId, organization_id: other.organization.id, role: "viewer" };
      await server.ctx.store.db
        .insertInto("memberships")
        .values({ ...membership, role: "viewer", created_at: 0 })
        .execute();
      await makeOfEach(server, await server.createKey({ person: other }));
      const more = `&organization=${other.organization.slug}`;
      expect(await names(server, "shop")).toEqual([]);
      expect(await names(server, "shop", { more })).toEqual(["Shop", "Shop, a service", "Shop is down"]);
      const key = await server.createKey();
      expect((await search(server, "shop", { more, key })).status).toBe(404);
    });
  });
});
