import { expect, test } from "vitest";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../domains/factories.ts";

const LIST = "https://a.test\n\ndb.test:5432\nnot a url\nhttps://a.test/\n";

const make = { dryRun: false };
const outcomesOf = ({ entries }: { entries: { line: number; outcome: string }[] }) =>
  entries.map(({ line, outcome }) => [line, outcome]);
const totalOf = async ({ api }: TestServer, path: string) => (await api("GET", path)).body.data.length;

eachEngine("importing monitors", (engine) => {
  test("says by default what would be made, line by line, and makes nothing", async () => {
    const server = await serve({ engine });
    const { status, body } = await server.api("POST", "/api/imports", { content: LIST, format: "urls" });
    expect([status, body.message]).toEqual([200, "File checked."]);
    expect(body.data).toMatchObject({
      format: "urls",
      dryRun: true,
      total: 4,
      next: null,
      summary: { create: 2, created: 0, duplicate: 1, invalid: 1, overQuota: 0 },
    });
    expect(body.data.entries).toMatchObject([
      { line: 1, kind: "domain", name: "a.test", type: "http", target: "https://a.test", outcome: "create" },
      { line: 3, kind: "service", type: "tcp", target: "db.test:5432", outcome: "create" },
      {
        line: 4,
        outcome: "invalid",
        target: null,
        problems: [{ field: "url", fact: { code: "url.spaces" } }],
      },
      {
        line: 5,
        outcome: "duplicate",
        problems: [{ field: "", message: "The same is on line 1 of this file." }],
      },
    ]);
    expect([await totalOf(server, "/api/domains"), await totalOf(server, "/api/services")]).toEqual([0, 0]);
  });

  test("makes each for itself, and the same again makes nothing", async () => {
    const server = await serve({ engine });
    const run = () => server.api("POST", "/api/imports", { content: LIST, format: "urls", ...make });
    const first = (await run()).body.data;
    expect(outcomesOf(first)).toEqual([
      [1, "created"],
      [3, "created"],
      [4, "invalid"],
      [5, "duplicate"],
    ]);
    const [domain] = (await server.api("GET", "/api/domains")).body.data;
    expect([domain.id, domain.url]).toEqual([first.entries[0].id, "https://a.test"]);
    expect((await run()).body.data.summary).toMatchObject({ created: 0, duplicate: 3, invalid: 1 });
    expect([await totalOf(server, "/api/domains"), await totalOf(server, "/api/services")]).toEqual([1, 1]);
    const { organization } = server.person;
    const log = await server.api(
      "GET",
      `/api/organizations/${organization.id}/audit-log?action=create+domains`,
    );
    expect(log.body.data.map(({ subject }: { subject: string }) => subject)).toEqual(["a.test"]);
  });

  test("makes a large file in several requests", async () => {
    const server = await serve({ engine });
    const content = Array.from({ length: 7 }, (_, at) => `s${at}.test\n`).join("");
    const next: unknown[] = [];
    for (let from: number | null = 0; from !== null && next.length < 9; ) {
      const { body } = await server.api("POST", "/v2/imports", { content, dry_run: false, from, limit: 3 });
      next.push([body.data.next, body.data.summary.created]);
      from = body.data.next;
    }
    expect(next).toEqual([
      [3, 3],
      [6, 3],
      [null, 1],
    ]);
  });

  test("takes the same name and target for the same, and another name for another monitor", async () => {
    const server = await serve({ engine });
    await server.api("POST", "/api/domains", { url: "https://a.test", name: "Shop" });
    const content = "name,url\nShop,https://a.test/\nOther,https://a.test\n,a.test\n";
    const { body } = await server.api("POST", "/api/imports", { content });
    expect(outcomesOf(body.data)).toEqual([
      [2, "duplicate"],
      [3, "create"],
      [4, "duplicate"],
    ]);
  });

  test("names bad fields in the words of each family", async () => {
    const server = await serve({ engine });
    const content = "name,url,type,port,interval\nDb,db.test,tcp,99999,often\n";
    const fieldsIn = async (path: string) => {
      const { body } = await server.api("POST", path, { content });
      return body.data.entries[0].problems.map(({ field }: { field: string }) => field).toSorted();
    };
    expect(await fieldsIn("/api/imports")).toEqual(["checkInterval", "protocolConfig.port"]);
    expect(await fieldsIn("/v2/imports")).toEqual(["check_interval", "protocol_config.port"]);
  });

  test("gives each monitor the least interval that the plan allows, and says so", async () => {
    const server = await serve({ engine });
    const key = await server.createKey({ plan: "free" });
    const content = "url,interval\na.test,5\nb.test,600\n";
    const { entries } = (await server.api("POST", "/api/imports", { content, ...make }, { key })).body.data;
    expect(entries).toMatchObject([
      { outcome: "created", notes: [{ message: "checkInterval becomes 300 instead of 5." }] },
      { outcome: "created", notes: [] },
    ]);
    const { checkInterval } = (await server.api("GET", `/api/domains/${entries[0].id}`, undefined, { key }))
      .body.data;
    expect(checkInterval).toBe(300);
  });

  test("says from which line on the plan is full", async () => {
    const server = await serve({ engine });
    const key = await server.createKey({ plan: "free" });
    const content = Array.from({ length: 12 }, (_, at) => `s${at}.test\n`).join("");
    const dry = (await server.api("POST", "/api/imports", { content }, { key })).body.data;
    expect(dry.summary).toMatchObject({ create: 10, overQuota: 2 });
    expect(dry.entries[10]).toMatchObject({ line: 11, outcome: "over_quota" });
    const made = (await server.api("POST", "/api/imports", { content, ...make }, { key })).body.data;
    expect(made.summary).toMatchObject({ created: 10, overQuota: 2 });
  });

  test("refuses of each entry what creating it alone would refuse: plan, scope, target", async () => {
    const server = await serve({ engine });
    const outcomesFor = async (key: string, content: string) => {
      const { body } = await server.api("POST", "/api/imports", { content, ...make }, { key });
      return body.data.entries.map(
        (one: { problems: { fact: { code: string } }[] }) => one.problems[0]?.fact.code,
      );
    };
    const both = "a.test\ndb.test:5432\n";
    const free = await server.createKey({ plan: "free" });
    expect(await outcomesFor(free, both)).toEqual([undefined, "access.plan"]);
    const domainsOnly = await server.createKey({ scopes: ["write:domains"] });
    expect(await outcomesFor(domainsOnly, both)).toEqual([undefined, "access.scope"]);
    const inside = "http://169.254.169.254/\n169.254.169.254:80\n";
    expect(await outcomesFor(server.key, inside)).toEqual(["guard", "guard"]);
  });

  test("403: is not for viewers, nor for keys that may only read", async () => {
    const server = await serve({ engine });
    const viewer = await server.createKey({ role: "viewer" });
    const reading = await server.createKey({ scopes: ["read:*"] });
    const free = await server.createKey({ plan: "free" });
    for (const [key, path] of [
      [viewer, "/api/imports"],
      [reading, "/v2/imports"],
      [free, "/v2/imports"],
    ] as const) {
      expect((await server.api("POST", path, { content: "a.test" }, { key })).status).toBe(403);
    }
  });

  test("409: makes nothing in an organization that is to be deleted", async () => {
    const server = await serve({ engine });
    const { organization } = server.person;
    await server.ctx.store.db
      .updateTable("organizations")
      .set({ deletes_at: server.ctx.clock.now() + 1000 })
      .where("id", "=", organization.id)
      .execute();
    expect((await server.api("POST", "/api/imports", { content: "a.test" })).status).toBe(409);
  });

  test("keeps to the organization that is named", async () => {
    const server = await serve({ engine });
    const other = await server.createOrganization();
    const path = `/api/imports?organization=${other.organization.id}`;
    expect((await server.api("POST", path, { content: "a.test" })).status).toBe(404);
  });

  test("echoes no secret of the file, whatever becomes of the entry", async () => {
    const server = await serve({ engine });
    const secret = "canary-4711";
    const content = JSON.stringify({
      monitorList: [
        { type: "http", name: "A", url: `https://me:${secret}@a.test` },
        { type: "http", name: "B", url: `https://me:${secret}@` },
        { type: "postgres", name: "C", databaseConnectionString: `postgres://me:${secret}@db.test/x` },
        { type: "postgres", name: "D", databaseConnectionString: `me:${secret}@db.test` },
        { type: "http", name: "E", url: "https://e.test", headers: `{"Authorization": "${secret}"}` },
        { type: "mqtt", name: "F", hostname: "b.test", mqttPassword: secret, mqttUsername: 5, port: -1 },
        { type: "http", name: "G", url: "https://g.test", basic_auth_user: "a:b", basic_auth_pass: secret },
      ],
    });
    const answers = [
      await server.api("POST", "/api/imports", { content }),
      await server.api("POST", "/v2/imports", { content, dry_run: false }),
      await server.api("POST", "/api/imports", { content }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.body.data.summary.created).toBeGreaterThan(2);
    const log = await server.api("GET", `/api/organizations/${server.person.organization.id}/audit-log`);
    const rows = await server.ctx.store.db.selectFrom("monitors").selectAll().execute();
    const reported = JSON.stringify([answers.map(({ body }) => body), log.body, rows, server.problems]);
    expect(reported).not.toContain(secret);
  });
});
