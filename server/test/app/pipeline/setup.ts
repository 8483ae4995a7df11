import { onTestFinished } from "vitest";
import { ingestBatch, laterRooms, markPaused, sweepStale } from "../../../src/app/pipeline.ts";
import type { Recheck } from "../../../src/engine/probe/directory.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { createState, markResumed } from "../../../src/engine/status/monitor-states.ts";
import { insertMonitor } from "../../../src/monitors/queries/monitors.ts";
import type { Context } from "../../../src/platform/context.ts";
import { TABLE_NAMES } from "../../../src/platform/database/schema.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { aReason } from "../../harness/reasons.ts";
import { type EngineName, openTestStore } from "../../harness/stores.ts";

export const T0 = Date.UTC(2026, 10, 21, 9);
export const MINUTE = 60_000;

/** One check's result. */
export const probed = (
  monitorId: number,
  scheduledAt: number,
  more: Partial<ProbeResult> = {},
): ProbeResult => ({
  monitorId,
  location: "local",
  scheduledAt,
  verdict: "ok",
  reason: null,
  statusCode: 200,
  address: "127.0.0.1",
  protocol: "http/1.1",
  phases: { dnsUs: 100, connectUs: 200, tlsUs: null, firstByteUs: 1_000, transferUs: 150, totalUs: 1_500 },
  ...more,
});

export const failed = (
  monitorId: number,
  scheduledAt: number,
  more: Partial<ProbeResult> = {},
): ProbeResult =>
  probed(monitorId, scheduledAt, {
    verdict: "failed",
    reason: aReason("refused", "The connection was refused."),
    statusCode: null,
    ...more,
  });

/** A store with an organization, a clock of the test's own, and the pipeline's verbs on both. `opened`: one of the test's own. */
export async function pipelineOn(engine: EngineName, opened?: Store) {
  const store = opened ?? (await openTestStore(engine));
  onTestFinished(() => store.close());
  const clock = { ms: T0, now: () => clock.ms };
  let wakes = 0;
  const live = { wake: () => (wakes += 1) };
  const ctx = { store, clock, live, config: { smtp: null }, ...laterRooms } as unknown as Context;
  const organizationId = await addOrganization(store);
  let monitors = 0;
  return {
    ctx,
    db: store.db,
    clock,
    organizationId,
    wakes: () => wakes,
    addOrganization: () => addOrganization(store),
    async addMonitor(
      name = `site-${++monitors}`,
      change: { organizationId?: number; severity?: "low" | "critical" } = {},
    ) {
      return store.transaction(async (trx) => {
        const id = await insertMonitor(trx, { ...monitorNamed(name), organizationId, ...change }, clock.ms);
        await createState(trx, id, clock.ms);
        return id;
      });
    },
    /** Ingests at the time of the newest result. */
    async ingest(...results: ProbeResult[]): Promise<Recheck[]> {
      clock.ms = Math.max(clock.ms, ...results.map(({ scheduledAt }) => scheduledAt));
      return (await ingestBatch(ctx, results)).rechecks;
    },
    /** A process whose transaction has done everything and does not commit until it is released. */
    holdTransaction() {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const transaction: Store["transaction"] = (work) =>
        store.transaction(async (trx) => {
          const done = await work(trx);
          reached.resolve();
          await released.promise;
          return done;
        });
      const held: Context = { ...ctx, store: { ...store, transaction } };
      return { ctx: held, reached: reached.promise, release: () => released.resolve() };
    },
    /** Sessions of this PostgreSQL database that wait for a lock. */
    async countWaiting(): Promise<number> {
      const answer = await store.pool?.query(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return Number(answer?.rows[0].count ?? 0);
    },
    sweep: (watchingSince?: number, graceMs?: number) => sweepStale(ctx, { watchingSince, graceMs }),
    pause: (id: number, reason?: "paused" | "deleted") =>
      store.transaction((trx) => markPaused(trx, [id], clock.ms, reason)),
    resume: (id: number) => store.transaction((trx) => markResumed(trx, [id], clock.ms)),
    state: (id: number) =>
      store.db
        .selectFrom("monitor_states")
        .selectAll()
        .where("monitor_id", "=", id)
        .executeTakeFirstOrThrow(),
    incidents: () => store.db.selectFrom("incidents").selectAll().orderBy("id").execute(),
    affected: () => store.db.selectFrom("affected_services").selectAll().orderBy("id").execute(),
    updates: () => store.db.selectFrom("incident_updates").selectAll().orderBy("id").execute(),
    notifications: () => store.db.selectFrom("notifications").selectAll().orderBy("id").execute(),
    transitions: () => store.db.selectFrom("transitions").selectAll().orderBy("id").execute(),
    async events(type: string) {
      const rows = await store.db
        .selectFrom("events")
        .selectAll()
        .where("type", "=", type)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ organizationId: row.organization_id, ...JSON.parse(row.payload) }));
    },
    /** Every row of every table, to compare before and after. */
    async everything() {
      const rows: Record<string, unknown[]> = {};
      for (const table of TABLE_NAMES) rows[table] = await store.db.selectFrom(table).selectAll().execute();
      return rows;
    },
  };
}

let organizations = 0;

async function addOrganization(store: Store): Promise<number> {
  organizations += 1;
  const name = `Organization ${organizations}`;
  const row = await store.db
    .insertInto("organizations")
    .values({
      uuid: crypto.randomUUID(),
      name,
      slug: `organization-${organizations}`,
      plan: "expert",
      reports: 1,
      created_at: T0,
      updated_at: T0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export const monitorNamed = (name: string) => ({
  uuid: crypto.randomUUID(),
  kind: "domain" as const,
  type: "http",
  name,
  target: `http://${name}.test/`,
  displayTarget: `http://${name}.test/`,
  config: {} as object,
  secrets: null,
  intervalSeconds: 60,
  timeoutSeconds: 10,
  enabled: true,
  locations: null,
  confirmations: 2,
  recoveries: 2,
  recheckDelaySeconds: 2,
  severity: "high" as "low" | "high" | "critical",
  tags: [] as string[],
});
