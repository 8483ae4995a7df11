import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { insertResults } from "../../../src/engine/queries/results.ts";
import { AGED_TABLES } from "../../../src/engine/queries/retention.ts";
import { addToRollups } from "../../../src/engine/queries/rollups.ts";
import { forgetEvents, runRetention } from "../../../src/engine/results/retention.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { makeResult } from "../../harness/results.ts";
import { fillEveryTable, monitorRow, organizationRow } from "../../harness/rows.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const clock = { now: () => NOW };
const rawDaysOf = (plan: string) => (plan === "free" ? 7 : 90);

/** Monitors 1 and 3 of a free organization, 2 of an expert one; `deleted` says when which was. */
async function addMonitors(store: Store, deleted: Record<number, number> = {}): Promise<void> {
  const organizations = [organizationRow(1, { plan: "free" }), organizationRow(2)];
  const monitors = [1, 2, 3].map((id) =>
    monitorRow(id, {
      organization_id: id === 2 ? 2 : 1,
      name: `M${id}`,
      created_at: NOW - 500 * DAY_MS,
      deleted_at: deleted[id] ?? null,
    }),
  );
  await insertMany(store.db, "organizations", organizations);
  await insertMany(store.db, "monitors", monitors);
}

async function addResults(store: Store, monitorId: number, agesMs: number[]): Promise<void> {
  const results = agesMs.map((age) => makeResult({ monitorId, scheduledAt: NOW - age }));
  await addToRollups(store.db, await insertResults(store.db, results));
}

const ages = async (store: Store, monitorId: number) =>
  (
    await store.db
      .selectFrom("results")
      .select("scheduled_at")
      .where("monitor_id", "=", monitorId)
      .orderBy("scheduled_at", "desc")
      .execute()
  ).map((row) => (NOW - row.scheduled_at) / DAY_MS);

const count = async (store: Store, table: "results" | "rollups" | "transitions" | "monitors" | "incidents") =>
  (
    await store.db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as("n"))
      .executeTakeFirst()
  )?.n;

/** The first column of each index of a table. */
async function leadingColumns({ engine, db }: Store, table: string): Promise<string[]> {
  const query =
    engine === "sqlite"
      ? sql<{ name: string }>`select info.name from pragma_index_list(${table}) as list
          join pragma_index_info(list.name) as info on info.seqno = 0`
      : sql<{ name: string }>`select attname as name from pg_index
          join pg_attribute on attrelid = indrelid and attnum = indkey[0] where indrelid = ${table}::regclass`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

eachEngine("retention", (engine) => {
  async function open(deleted?: Record<number, number>) {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await addMonitors(store, deleted);
    return store;
  }

  it("keeps raw results as many days as the organization's plan says", async () => {
    const store = await open();
    const days = [0, 6.9, 7.1, 89, 91].map((age) => age * DAY_MS);
    for (const monitorId of [1, 2, 3]) await addResults(store, monitorId, days);
    const report = await runRetention({ store, clock }, { rawDaysOf });
    expect(report).toMatchObject({ rows: { results: 3 + 1 + 3 }, finished: true });
    expect(await ages(store, 1)).toEqual([0, 6.9]);
    expect(await ages(store, 2)).toEqual([0, 6.9, 7.1, 89]);
    expect((await runRetention({ store, clock }, { rawDaysOf })).rows).toEqual({});
  });

  it("keeps roll-ups of 5 minutes for 35 days, of an hour for 400, of a day for ever", async () => {
    const store = await open();
    await addResults(
      store,
      1,
      [0, 34, 36, 399, 401].map((age) => age * DAY_MS),
    );
    await runRetention({ store, clock }, { rawDaysOf });
    const rows = await store.db.selectFrom("rollups").select(["period_seconds", "bucket_at"]).execute();
    const countOf = (period: number) => rows.filter((row) => row.period_seconds === period).length;
    expect([countOf(300), countOf(3600), countOf(86_400)]).toEqual([2, 4, 5]);
  });

  it("removes a large backlog in slices between which results come in", async () => {
    const store = await open();
    const backlog = Array.from({ length: 20_000 }, (_, i) => 8 * DAY_MS + i * 1_000);
    await insertResults(
      store.db,
      backlog.map((age) => makeResult({ scheduledAt: NOW - age })),
    );
    let finished = false;
    const retention = runRetention({ store, clock }, { rawDaysOf }).finally(() => {
      finished = true;
    });
    let ingested = 0;
    for (; !finished; ingested += 1) {
      await store.transaction((trx) => insertResults(trx, [makeResult({ scheduledAt: NOW + ingested })]));
      await setImmediate();
    }
    const report = await retention;
    expect(report).toMatchObject({ rows: { results: 20_000 }, finished: true });
    // Slices of at most 2,000 rows that begin with 200 and at most double: never all at once.
    expect(report.slices).toBeGreaterThan(8);
    expect(ingested).toBeGreaterThan(8);
    expect(await ages(store, 1)).toHaveLength(ingested);
  });

  it("removes of a deleted monitor its history, then its row, and nothing of its neighbours", async () => {
    const store = await open({ 1: NOW - DAY_MS, 3: NOW - 60_000 });
    for (const monitorId of [1, 2, 3]) {
      await addResults(store, monitorId, [DAY_MS, 3 * DAY_MS, 30 * DAY_MS, 300 * DAY_MS, 499 * DAY_MS]);
      await insertMany(
        store.db,
        "transitions",
        Array.from({ length: 3 }, (_, i) => ({
          organization_id: 1,
          monitor_id: monitorId,
          from_status: "up",
          to_status: "down",
          at: i,
          detected_at: i,
          reason: null,
          location_id: null,
          maintenance: 0,
        })),
      );
    }
    const report = await runRetention({ store, clock }, { rawDaysOf });
    expect(report).toMatchObject({ rows: { monitors: 1, transitions: 3 }, finished: true });
    for (const table of ["results", "rollups", "transitions"] as const) {
      const rows = await store.db
        .selectFrom(table)
        .select("monitor_id")
        .distinct()
        .orderBy("monitor_id")
        .execute();
      expect(
        rows.map((row) => row.monitor_id),
        table,
      ).toEqual([2, 3]);
    }
    const monitors = await store.db.selectFrom("monitors").select("id").orderBy("id").execute();
    expect(
      monitors.map((row) => row.id),
      "one deleted a minute ago waits",
    ).toEqual([2, 3]);
  });

  it("leaves of a deleted monitor what is retained for its organization, and of no table anything else", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await fillEveryTable(store, 2);
    const { db } = store;
    await db.updateTable("monitors").set({ created_at: NOW, deleted_at: NOW }).where("id", "=", 1).execute();
    await db.updateTable("monitors").set({ deleted_at: null }).where("id", "=", 2).execute();
    // Roll-ups are looked for where their monitor's time is.
    await db
      .updateTable("rollups")
      .set({ period_seconds: 300, bucket_at: NOW - (NOW % 300_000) })
      .execute();
    await runRetention({ store, clock: { now: () => NOW + DAY_MS } }, { rawDaysOf });
    const left: string[] = [];
    for (const { name, columns } of await db.introspection.getTables()) {
      if (!columns.some((column) => column.name === "monitor_id")) continue;
      const { rows } = await sql`select monitor_id from ${sql.table(name)} where monitor_id = 1`.execute(db);
      if (rows.length > 0) left.push(name);
    }
    // Events are taken at the next delivery, those of deleted monitors, too.
    expect(left.sort()).toEqual(["affected_services", "alert_events", "incidents", "notifications"]);
  });

  it("removes what is over age from every table that goes by age, behind rows that are dated ahead", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const [ahead, old] = [NOW + 300 * DAY_MS, NOW - 1_000 * DAY_MS];
    const ages = new Map(AGED_TABLES.map(({ name, retention }) => [`${name}.${retention.since}`, true]));
    await fillEveryTable(store, 600, {
      // The lowest ids are what a clock that was ahead wrote: more than one slice of them.
      valueIn: (table, column, i) => (ages.has(`${table}.${column}`) ? (i <= 500 ? ahead : old) : undefined),
    });
    await runRetention({ store, clock }, { rawDaysOf });
    const left: Record<string, number> = {};
    for (const { name, retention } of AGED_TABLES) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(name)} where ${sql.ref(retention.since)} <= ${NOW - 401 * DAY_MS}`.execute(
        store.db,
      );
      if (Number(rows[0]?.n) > 0) left[name] = Number(rows[0]?.n);
    }
    expect(left).toEqual({});
  });

  it("finds rows by their age without reading a whole table", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const tables = await Promise.all(
      AGED_TABLES.map(async ({ name, retention }) => {
        const leading = await leadingColumns(store, name);
        return leading.includes(retention.since) ? [] : name;
      }),
    );
    expect(tables.flat()).toEqual([]);
  });

  it("forgets events after an hour, but never the newest", async () => {
    const store = await open();
    const event = (age: number) => ({ organization_id: 1, type: "t", payload: "{}", at: NOW - age });
    const ages = async () => {
      const rows = await store.db.selectFrom("events").select("at").orderBy("id").execute();
      return rows.map(({ at }) => (NOW - at) / MINUTE_MS);
    };
    const old = Array.from({ length: 250 }, () => event(61 * MINUTE_MS));
    await insertMany(store.db, "events", [...old, event(59 * MINUTE_MS)]);
    expect(await forgetEvents({ store, clock })).toBe(250);
    expect(await ages()).toEqual([59]);
    await insertMany(store.db, "events", [event(62 * MINUTE_MS), event(61 * MINUTE_MS)]);
    expect(await forgetEvents({ store, clock })).toBe(1);
    expect(await ages()).toEqual([59, 61]);
  });

  it("trims audit entries and notifications after 400 days", async () => {
    const store = await open();
    const audit = (age: number) => ({
      organization_id: 1,
      action: "a",
      resource: "r",
      request_id: "x",
      address: "",
      at: NOW - age,
    });
    await insertMany(store.db, "audit_log", [audit(401 * DAY_MS), audit(399 * DAY_MS)]);
    const notification = (age: number) => ({
      organization_id: 1,
      uuid: `${age}`,
      event: "test",
      type: "info",
      message: "",
      idempotency_key: `${age}`,
      created_at: NOW - age,
    });
    await insertMany(store.db, "notifications", [notification(401 * DAY_MS), notification(399 * DAY_MS)]);
    const report = await runRetention({ store, clock }, { rawDaysOf });
    expect(report.rows).toEqual({ audit_log: 1, notifications: 1 });
  });

  it("forgets sessions that were not used for 30 days", async () => {
    const store = await open();
    const user = {
      id: 1,
      uuid: "u",
      email: "a@x.test",
      name: "",
      password_hash: "",
      created_at: 0,
      updated_at: 0,
    };
    await insertMany(store.db, "users", [user]);
    const session = (id: number, age: number) => ({
      id,
      token_hash: `${id}`,
      user_id: 1,
      organization_id: 1,
      address: "",
      user_agent: "",
      created_at: 0,
      rotated_at: 0,
      seen_at: NOW - age,
    });
    await insertMany(store.db, "sessions", [session(1, 31 * DAY_MS), session(2, 29 * DAY_MS)]);
    await runRetention({ store, clock }, { rawDaysOf });
    expect(await store.db.selectFrom("sessions").select("id").execute()).toEqual([{ id: 2 }]);
  });

  it("ends early on request, and the next run goes on", async () => {
    const store = await open({ 1: NOW - DAY_MS });
    await addResults(
      store,
      1,
      Array.from({ length: 1_000 }, (_, i) => DAY_MS + i * 60_000),
    );
    const report = await runRetention({ store, clock }, { rawDaysOf, signal: AbortSignal.abort() });
    expect(report).toEqual(expect.objectContaining({ rows: {}, finished: false }));
    expect(await count(store, "monitors")).toBe(3);
    expect(await runRetention({ store, clock }, { rawDaysOf })).toMatchObject({
      rows: { results: 1_000, monitors: 1 },
    });
    expect([await count(store, "results"), await count(store, "rollups")]).toEqual([0, 0]);
  });
});
