import { expect, onTestFinished, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { NO_PHASES } from "../../src/checks/check.ts";
import type { ProbeResult } from "../../src/engine/probe/link.ts";
import { countOwnedMonitors } from "../../src/platform/access/queries/organizations.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { type EngineName, eachEngine, openTestStore } from "../harness/stores.ts";
import { MINUTE, makeDomain, NOW } from "../monitors/domains/factories.ts";

const EACH = 40;

/** A store that counts how often a transaction had to be run again: each time is a second of waiting on PostgreSQL. */
async function openCountingStore(engine: EngineName) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  let repeated = 0;
  const transaction: Store["transaction"] = (work) => {
    let attempts = 0;
    return store.transaction((trx) => {
      attempts += 1;
      if (attempts > 1) repeated += 1;
      return work(trx);
    });
  };
  return { store: { ...store, transaction }, repeated: () => repeated };
}

async function serveMany(engine: EngineName) {
  const clock = { ms: NOW, now: () => clock.ms };
  const { store, repeated } = await openCountingStore(engine);
  const server = await startTestServer({ engine, clock, store });
  onTestFinished(server.close);
  const made: number[] = [];
  for (let at = 0; at < 3 * EACH; at += 1) {
    made.push((await makeDomain(server, { url: `https://shop-${at}.test` })).id);
  }
  return {
    server,
    clock,
    repeated,
    deleted: made.slice(0, EACH),
    paused: made.slice(EACH, 2 * EACH),
    others: made.slice(2 * EACH),
  };
}

/** A batch about every fifth of them, as a probe's turn would be; who fails changes from batch to batch. */
const batchOf = (monitorIds: readonly number[], turn: number): ProbeResult[] =>
  monitorIds
    .filter((_, at) => (at + turn) % 5 === 0)
    .map((monitorId) => ({
      monitorId,
      location: "local",
      scheduledAt: NOW + turn * MINUTE,
      verdict: (monitorId + turn) % 3 === 0 ? "ok" : "failed",
      reason: null,
      statusCode: null,
      address: null,
      protocol: null,
      phases: { ...NO_PHASES, totalUs: 900 },
    }));

const bulkOf = (ids: readonly number[], turn: number) => ({
  action: "tag",
  ids: ids.toSorted((a, b) => ((a * (turn + 7)) % 101) - ((b * (turn + 7)) % 101)),
  tags: { add: [`turn ${turn}`] },
});

const statusOf = async (call: ReturnType<TestServer["api"]>) => (await call).status;

eachEngine("forty of everything at once", (engine) => {
  test("deletes, creates, pauses, changes and results all succeed, and what is left adds up", async () => {
    const { server, clock, repeated, deleted, paused, others } = await serveMany(engine);
    const { api, ctx, person } = server;
    const all = [...deleted, ...paused, ...others];
    // Everybody fails twice, so that deleting and pausing have outages to end.
    for (const turn of [1, 2]) {
      clock.ms = NOW + turn * MINUTE;
      await ingestBatch(
        ctx,
        all.map(
          (id) => ({ ...batchOf([id], 0)[0], verdict: "failed", scheduledAt: clock.ms }) as ProbeResult,
        ),
      );
    }
    clock.ms = NOW + 60 * MINUTE;
    const turns = Array.from({ length: EACH }, (_, turn) => turn);
    const calls = turns.flatMap((turn) => [
      statusOf(api("DELETE", `/api/domains/${deleted[turn]}`)),
      statusOf(api("POST", "/v2/domains", { url: `https://new-${turn}.test`, name: `New ${turn}` })),
      statusOf(api("PUT", `/v2/domains/${paused[turn]}`, { enabled: false })),
      statusOf(api("PUT", `/api/domains/${others[turn]}`, { name: `Renamed ${turn}` })),
      ingestBatch(ctx, batchOf(all, turn + 3)).then(() => 202),
      // Many at once, in another order each time; what is deleted meanwhile is none of them any more.
      ...(turn % 8 === 0 ? [statusOf(api("POST", "/v2/domains/bulk", bulkOf(all, turn)))] : []),
    ]);
    const statuses = await Promise.all(calls);
    const counted = Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([status, own]) => [status, own.length]),
    );
    expect(counted).toEqual({ 200: 3 * EACH + 5, 201: EACH, 202: EACH });
    expect(repeated()).toBe(0);
    const stats = (await api("GET", "/api/domains/stats")).body.data;
    expect(stats).toMatchObject({ total: 3 * EACH, paused: EACH });
    expect(await countOwnedMonitors(ctx.store.db, person.organization.id, ["domain", "service"])).toBe(
      3 * EACH,
    );
    const open = await ctx.store.db
      .selectFrom("incidents")
      .select("monitor_id")
      .where("resolved_at", "is", null)
      .execute();
    const watched = new Set(others);
    expect(open.filter(({ monitor_id }) => !watched.has(monitor_id as number))).toEqual([]);
    expect(server.problems).toEqual([]);
  });
});
