import { expect, test } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage } from "../factories.ts";

const NOW = Date.parse("2026-11-23T09:30:20Z");
const TEMPLATES = "/api/status-pages/templates";
const template = { name: "Provider", texts: [{ language: "en", message: "We wait. {components}, {since}" }] };

async function scene(server: TestServer) {
  const shop = await makeDomain(server, { name: "canary-shop" });
  const search = await makeDomain(server, { name: "canary-search" });
  const pages = [await makePage(server, { name: "One" }), await makePage(server, { name: "Two" })] as const;
  await linkDomain(server, pages[0], shop, { displayName: "Shop" });
  await linkDomain(server, pages[0], search, { displayName: "Search" });
  await linkDomain(server, pages[1], shop, { displayName: "Shop" });
  const report = { title: "canary", description: "canary", monitorIds: [shop.id, search.id] };
  const incident = (await server.api("POST", "/api/incidents", report)).body.data;
  const at = `/incidents/${incident.id}/draft-update`;
  await insertMany(server.ctx.store.db, "incident_comments", [
    {
      ...{ organization_id: server.person.organization.id, incident_id: incident.id, user_id: null },
      ...{ content: "canary-comment", is_internal: 1, at: NOW },
    },
  ]);
  return { pages, shop, incident, at };
}

eachEngine("a draft of an update", (engine) => {
  test("says what its pages show, in three languages, and publishes nothing; in both families", async () => {
    const server = await serve({ engine, clock: { now: () => NOW } });
    const { pages, at, incident } = await scene(server);
    const draft = async (body: object, family = "/api") => (await server.api("POST", family + at, body)).body;
    const both = await draft({});
    expect(both.data.pages).toEqual([
      expect.objectContaining({ uuid: pages[0].uuid, name: "One", components: ["Shop", "Search"] }),
      expect.objectContaining({
        uuid: pages[1].uuid,
        isPublic: true,
        components: ["Shop"],
      }),
    ]);
    expect(both.data.texts.map(({ language }: { language: string }) => language)).toEqual(["en", "de", "zh"]);
    expect(both.data.texts[0].message).toBe(
      "There has been a problem with Shop since Nov 23, 09:30 UTC. We are investigating it, and will post an update within 30 minutes.",
    );
    const one = await draft({ pages: [pages[0].uuid], status: "resolved" }, "/v2");
    expect(one.data.texts[1].message).toMatch(/mit Shop und Search, das seit dem .* bestand, ist behoben/);
    expect(one.data.pages[0]).toMatchObject({ is_public: true });
    const own = (await server.api("POST", TEMPLATES, template)).body.data;
    const wanted = { template: own.uuid, minutes: 5, pages: [pages[1].uuid] };
    expect((await draft(wanted)).data.texts).toEqual([
      { language: "en", message: "We wait. Shop, Nov 23, 09:30 UTC" },
    ]);
    expect((await draft({ template: "maintenance", pages: [] })).data.texts[0].message).toMatch(
      /^We are working on some of our services/,
    );
    expect(JSON.stringify([both, one])).not.toMatch(/canary/);
    const log = await server.api("GET", `/api/incidents/${incident.id}/updates`);
    expect(log.body.data).toHaveLength(1);
  });

  test("401, 403 by scope and plan, 404 and 422 name what is wrong", async () => {
    const server = await serve({ engine });
    const { at } = await scene(server);
    const { person } = server;
    const request = async (body: object, key?: string | null) =>
      server.api("POST", `/api${at}`, body, key === undefined ? {} : { key });
    const keyWith = (...scopes: string[]) => server.createKey({ person, scopes });
    expect((await request({}, null)).status).toBe(401);
    expect((await request({}, await keyWith("read:status-pages"))).status).toBe(403);
    expect((await request({}, await keyWith("read:incidents"))).status).toBe(403);
    expect((await request({}, await keyWith("read:incidents", "read:status-pages"))).status).toBe(200);
    expect((await request({}, await server.createKey({ plan: "free" }))).status).toBe(403);
    expect((await request({}, await server.createKey({ plan: "expert" }))).status).toBe(404);
    const wrong = [
      [{ template: "nothing" }, 404],
      [{ template: 999_999 }, 404],
      [{ minutes: 1 }, 422, "minutes"],
      [{ status: "burning" }, 422, "status"],
      [{ pages: ["0190b6a4-2f10-7c3a-9d53-1a2b3c4d5e6f"] }, 422, "pages"],
    ] as const;
    for (const [body, status, field] of wrong) {
      const answer = await request(body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([status, field ? [field] : []]);
    }
  });
});

eachEngine("templates of updates", (engine) => {
  test("are made, listed, read, changed and deleted in both families, by who may change pages", async () => {
    const server = await serve({ engine });
    const made = await server.api("POST", TEMPLATES, template);
    expect([made.status, made.body.data.texts]).toEqual([201, [{ ...template.texts[0], title: "" }]]);
    const v2 = "/v2/status-pages/templates";
    const texts = [
      { language: "de", title: "Anbieter", message: "Wir warten." },
      { language: "zh", message: "请稍候。" },
    ];
    const changed = await server.api("PUT", `${v2}/${made.body.data.uuid}`, { texts });
    expect([changed.status, changed.body.data.name, changed.body.data.texts.length]).toEqual([
      200,
      "Provider",
      2,
    ]);
    expect((await server.api("GET", v2)).body.data).toHaveLength(1);
    expect((await server.api("GET", `${TEMPLATES}/${made.body.data.id}`)).body.data.name).toBe("Provider");
    const builtIn = (await server.api("GET", "/v2/status-pages/built-in-templates")).body.data;
    expect([builtIn.length, builtIn[0].texts.length]).toEqual([5, 3]);

    const { person } = server;
    const reader = await server.createKey({ person, scopes: ["read:status-pages"] });
    const viewer = await server.createKey({ role: "viewer" });
    const elsewhere = await server.createKey({ plan: "expert" });
    const free = await server.createKey({ plan: "free" });
    const post = async (key: string | null) =>
      (await server.api("POST", TEMPLATES, template, { key })).status;
    expect(await Promise.all([null, reader, viewer, free].map(post))).toEqual([401, 403, 403, 403]);
    expect((await server.api("GET", TEMPLATES, undefined, { key: elsewhere })).body.data).toEqual([]);
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      const body = method === "PUT" ? { name: "x" } : undefined;
      const path = `${TEMPLATES}/${made.body.data.id}`;
      expect((await server.api(method, path, body, { key: elsewhere })).status).toBe(404);
    }
    expect((await server.api("DELETE", `${v2}/${made.body.data.id}`)).status).toBe(200);
    expect((await server.api("GET", TEMPLATES)).body.data).toEqual([]);
  });

  test("422 names the placeholder, the language and the text that are wrong", async () => {
    const server = await serve({ engine });
    const problems = async (texts: unknown) => {
      const { status, body } = await server.api("POST", TEMPLATES, { name: "T", texts });
      return [status, body.errors];
    };
    expect(await problems([{ language: "en", title: "{host}", message: "{address}" }])).toEqual([
      422,
      {
        "texts.0.title": [expect.stringContaining("{host}")],
        "texts.0.message": [expect.stringContaining("{address}")],
      },
    ]);
    const twice = [
      { language: "en", message: "a" },
      { language: "en", message: "b" },
    ];
    expect((await problems(twice))[1]).toHaveProperty(["texts.1.language"]);
    for (const texts of [
      [],
      [{ language: "fr", message: "a" }],
      [{ language: "en", message: "x".repeat(4_001) }],
    ]) {
      expect((await problems(texts))[0]).toBe(422);
    }
    expect((await problems([{ language: "en", message: "  " }]))[1]).toHaveProperty(["texts.0.message"]);
  });
});
