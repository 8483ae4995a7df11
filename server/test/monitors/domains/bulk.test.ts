import { expect, test } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { NO_PHASES } from "../../../src/checks/check.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { aReason } from "../../harness/reasons.ts";
import type { TestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { MINUTE, makeDomain, NOW, serve, serveWithChanges } from "./factories.ts";

/** A server with some domains, and an engine that only records its calls. */
async function serveDomains(
  engine: EngineName,
  count: number,
  options: { role?: "viewer"; scopes?: string[] } = {},
) {
  const { server, changedIds } = await serveWithChanges({ engine, ...options });
  const domains: { id: number; uuid: string }[] = [];
  for (let at = 0; at < count; at += 1) {
    const { id, uuid } = await makeDomain(server, { url: `https://shop-${at}.test`, tags: ["shop"] });
    domains.push({ id, uuid });
  }
  changedIds.length = 0;
  return {
    server,
    changedIds,
    domains,
    ids: domains.map(({ id }) => id),
    uuids: domains.map(({ uuid }) => uuid),
  };
}

const bulk = async (server: TestServer, body: object, path = "/api/domains/bulk") =>
  server.api("POST", path, body);
const shown = async (server: TestServer) =>
  Object.fromEntries(
    (await server.api("GET", "/api/domains?sort=name")).body.data.map((domain: Record<string, unknown>) => [
      domain.id,
      domain,
    ]),
  ) as Record<number, { state: string; enabled: boolean; tags: string[] }>;
const rowsOf = (server: TestServer, table: "audit_log" | "events" | "incidents" | "incident_updates") =>
  server.ctx.store.db.selectFrom(table).selectAll().orderBy("id").execute();

const down = (monitorId: number, turn: number): ProbeResult => ({
  monitorId,
  location: "local",
  scheduledAt: NOW - (2 - turn) * MINUTE,
  verdict: "failed",
  reason: aReason("refused", "The connection was refused"),
  statusCode: null,
  address: null,
  protocol: null,
  phases: { ...NO_PHASES, totalUs: 900 },
});

eachEngine("many domains at once", (engine) => {
  test("are paused and resumed, in either family and by either id, and those that were so are left alone", async () => {
    const { server, changedIds, domains, ids, uuids } = await serveDomains(engine, 4);
    const [first, second, third] = domains as [(typeof domains)[0], (typeof domains)[0], (typeof domains)[0]];
    await server.api("PUT", `/api/domains/${second?.id}`, { enabled: false });
    changedIds.length = 0;
    const answer = await bulk(server, {
      action: "pause",
      ids: [ids[0], String(ids[1]), uuids[2]?.toUpperCase(), ids[2]],
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: "OK",
        data: { action: "pause", changed: [first, third], unchanged: [second], failed: [] },
      },
    ]);
    expect(changedIds).toEqual([first?.id, third?.id]);
    expect(Object.values(await shown(server)).map(({ state }) => state)).toEqual([
      "paused",
      "paused",
      "paused",
      "unknown",
    ]);

    const resumed = await bulk(server, { action: "resume", ids: uuids }, "/v2/domains/bulk");
    expect(resumed.body.data).toEqual({
      action: "resume",
      changed: domains.slice(0, 3),
      unchanged: [domains[3]],
      failed: [],
    });
    expect(Object.values(await shown(server)).map(({ enabled }) => enabled)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("that are down end their outages as one that is paused or deleted does, and are reported by one event", async () => {
    const { server, ids } = await serveDomains(engine, 3);
    const { ctx } = server;
    for (const turn of [1, 2])
      await ingestBatch(
        ctx,
        ids.map((id) => down(id, turn)),
      );
    expect((await rowsOf(server, "incidents")).map((row) => (row as { status: string }).status)).toEqual([
      "open",
      "open",
      "open",
    ]);
    await ctx.store.db.deleteFrom("events").execute();
    await server.api("PUT", `/api/domains/${ids[0]}`, { enabled: false });
    const alone = (await rowsOf(server, "events")).map((row) => (row as { type: string }).type);
    await ctx.store.db.deleteFrom("events").execute();
    await bulk(server, { action: "pause", ids: ids.slice(1) });
    const events = (await rowsOf(server, "events")) as { type: string; payload: string }[];
    const types = (type: string) => events.filter((event) => event.type === type);
    expect(alone.toSorted()).toEqual(["incident", "monitor.changed", "status"]);
    expect([types("status").length, types("incident").length, types("monitor.changed").length]).toEqual([
      2, 2, 1,
    ]);
    expect(JSON.parse(types("monitor.changed")[0]?.payload ?? "")).toEqual({
      monitorId: ids[1],
      monitorIds: ids.slice(1),
    });
    const incidents = (await rowsOf(server, "incidents")) as { status: string; resolved_at: number | null }[];
    expect(incidents.map(({ status, resolved_at }) => [status, resolved_at])).toEqual(
      Array.from({ length: 3 }, () => ["resolved", NOW]),
    );
    const updates = (await rowsOf(server, "incident_updates")) as { status: string }[];
    expect(updates.slice(3).map(({ status }) => status)).toEqual(["resolved", "resolved", "resolved"]);
  });

  test("are deleted with their secrets, their names are free, and the count goes with them", async () => {
    const { server, ids, domains } = await serveDomains(engine, 3);
    const answer = await bulk(server, { action: "delete", ids: ids.slice(0, 2) }, "/v2/domains/bulk");
    expect(answer.body.data.changed).toEqual(domains.slice(0, 2));
    expect(Object.keys(await shown(server))).toEqual([String(ids[2])]);
    expect((await server.api("GET", "/api/domains/limits")).body.data.monitorsUsed).toBe(1);
    await makeDomain(server, { url: "https://shop-0.test" });
    const again = await bulk(server, { action: "delete", ids: ids.slice(0, 2) });
    expect(again.body.data.failed.map(({ status }: { status: number }) => status)).toEqual([404, 404]);
  });

  test("get tags and lose tags without being checked anew; one that would have too many keeps what it has", async () => {
    const { server, ids, uuids } = await serveDomains(engine, 3);
    const many = Array.from({ length: 20 }, (_, at) => `t${at}`);
    await server.api("PUT", `/api/domains/${ids[2]}`, { tags: many });
    const revisions = async () =>
      (await server.ctx.store.db.selectFrom("monitors").select("revision").orderBy("id").execute()).map(
        ({ revision }) => revision,
      );
    const before = await revisions();
    const tags = { add: ["eu", " eu ", "日本"], remove: ["shop"] };
    const answer = await bulk(server, { action: "tag", ids: uuids, tags }, "/v2/domains/bulk");
    expect(answer.body.data.changed.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    expect(answer.body.data.failed).toEqual([
      {
        id: uuids[2],
        status: 422,
        message: "A domain has at most 20 tags; this one would have 22.",
        fact: { code: "tag.many", params: { noun: "domain", limit: 20, count: 22 } },
      },
    ]);
    const now = await shown(server);
    expect(ids.map((id) => now[id]?.tags)).toEqual([["eu", "日本"], ["eu", "日本"], many]);
    expect(await revisions()).toEqual(before);
    const again = await bulk(server, { action: "tag", ids: ids.slice(0, 2), tags });
    expect(again.body.data).toMatchObject({ changed: [], failed: [] });
    expect(again.body.data.unchanged).toHaveLength(2);
  });

  test("of another organization, or of nobody, look alike, and the others are changed", async () => {
    const { server, ids } = await serveDomains(engine, 1);
    const key = await server.createKey({ plan: "expert" });
    const foreign = await makeDomain(server, {}, key);
    const unknown = "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11";
    const sent = [
      foreign.id,
      foreign.uuid,
      999_999,
      "999998",
      unknown,
      unknown.replace("c61", "C62"),
      "shop",
      -1,
    ];
    const answer = await bulk(server, {
      action: "delete",
      ids: [...sent, ids[0]],
    });
    const failed = (id: string | number) => ({ id, status: 404, message: "Resource not found." });
    expect(answer.body.data).toMatchObject({
      changed: [{ id: ids[0] }],
      failed: sent.map(failed),
    });
    expect((await server.api("GET", `/api/domains/${foreign.id}`, undefined, { key })).status).toBe(200);
  });

  test("leave a row each in the audit log, written with the change", async () => {
    const { server, ids } = await serveDomains(engine, 2);
    const before = (await rowsOf(server, "audit_log")).length;
    await bulk(server, { action: "pause", ids });
    await bulk(server, { action: "pause", ids });
    const rows = (await rowsOf(server, "audit_log")).slice(before) as Record<string, unknown>[];
    expect(
      rows.map(({ action, resource, resource_id, user_id }) => [action, resource, resource_id, user_id]),
    ).toEqual(ids.map((id) => ["pause domains", "domains", String(id), server.person.userId]));
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(1);
  });

  test("are all as before when one of them cannot be written", async () => {
    const { server, changedIds, ids } = await serveDomains(engine, 2);
    const { db } = server.ctx.store;
    const before = await shown(server);
    await db.schema.alterTable("audit_log").renameTo("audit_away").execute();
    const answer = await bulk(server, { action: "delete", ids });
    await db.schema.alterTable("audit_away").renameTo("audit_log").execute();
    expect([answer.status, await shown(server), changedIds]).toEqual([500, before, []]);
  });
});

test("what is wrong with a bulk request is said by field, in either family", async () => {
  const { server, ids } = await serveDomains("sqlite", 1);
  const errors = async (body: object, path?: string) => {
    const answer = await bulk(server, body, path);
    return [answer.status, Object.keys(answer.body.errors ?? {})];
  };
  expect(await errors({})).toEqual([422, ["action", "ids"]]);
  expect(await errors({ action: "explode", ids: [] })).toEqual([422, ["action", "ids"]]);
  expect(await errors({ action: "pause", ids: [null, {}] })).toEqual([422, ["ids.0", "ids.1"]]);
  expect(await errors({ action: "pause", ids: Array.from({ length: 1001 }, (_, at) => at + 1) })).toEqual([
    422,
    ["ids"],
  ]);
  expect(await errors({ action: "pause", ids, tags: { add: ["a"] } })).toEqual([422, ["tags"]]);
  expect(await errors({ action: "tag", ids }, "/v2/domains/bulk")).toEqual([422, ["tags"]]);
  expect(await errors({ action: "tag", ids, tags: { add: ["a", ""] } })).toEqual([422, ["tags.add.1"]]);
  expect(await errors({ action: "tag", ids, tags: { add: ["a"], remove: ["a"] } })).toEqual([
    422,
    ["tags.remove"],
  ]);
  expect(
    (await bulk(server, { action: "pause", ids: Array.from({ length: 1000 }, (_, at) => at + 1) })).status,
  ).toBe(200);
});

test("who may only read domains changes none of them", async () => {
  const { server, ids } = await serveDomains("sqlite", 1);
  const key = await server.createKey({ person: server.person, scopes: ["read:domains"] });
  for (const path of ["/api/domains/bulk", "/v2/domains/bulk"]) {
    expect((await server.api("POST", path, { action: "delete", ids }, { key })).status).toBe(403);
  }
  expect(Object.keys(await shown(server))).toEqual([String(ids[0])]);
});

test("a bulk request counts as one write, however many domains it names", async () => {
  const server = await serve({ engine: "sqlite", config: { rateLimits: true } });
  const { id } = await makeDomain(server);
  const left = async (ids: number[]) =>
    Number((await bulk(server, { action: "pause", ids })).headers.get("ratelimit-remaining"));
  const before = await left([id]);
  expect(await left(Array.from({ length: 1000 }, (_, at) => at + 1))).toBe(before - 1);
});
