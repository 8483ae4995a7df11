import { type CompiledQuery, CompiledQuery as Query, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { countIncidentDeliveries } from "../../../src/alerts/queries/incident-deliveries.ts";
import { listResults } from "../../../src/engine/queries/results.ts";
import { claimStale, listDue } from "../../../src/engine/queries/states.ts";
import { statusHistory } from "../../../src/engine/queries/transitions.ts";
import { listIncidents } from "../../../src/incidents/queries/incidents.ts";
import { listPicturedMonitors, readMonitorPage } from "../../../src/monitors/queries/monitor-list.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import {
  listChangeActivity,
  listIncidentActivity,
  listStatusActivity,
} from "../../../src/reports/queries/activity.ts";
import { fillEveryTable } from "../../harness/rows.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const ROWS = 500;

/** What is queried all day, and the index that must answer it however much there is of everybody else. */
const HOT: [what: string, index: Record<Store["engine"], string>, run: (db: Db) => Promise<unknown>][] = [
  [
    "an organization's status changes",
    both("transitions_organization"),
    (db) => listStatusActivity(db, 3, 20),
  ],
  [
    "an organization's incident log",
    both("incident_updates_organization"),
    (db) => listIncidentActivity(db, 3, 20),
  ],
  ["what people changed", both("audit_log_organization"), (db) => listChangeActivity(db, 3, 20)],
  [
    "a page of domains",
    both("monitors_organization"),
    (db) => readMonitorPage(db, { organizationId: 3, kind: "domain" }, { limit: 20, offset: 0 }),
  ],
  [
    "a page of incidents",
    both("incidents_organization"),
    (db) => listIncidents(db, { organizationId: 3 }, { limit: 20, offset: 0 }),
  ],
  [
    "who was notified of an incident",
    both("incidents_merged"),
    (db) => countIncidentDeliveries(db, { incidentId: 3, userId: 3 }),
  ],
  ["uptime", both("transitions_monitor"), (db) => statusHistory(db, [3, 4], 0, 2 ** 52)],
  [
    "a monitor's latest checks",
    { sqlite: "SEARCH results USING PRIMARY KEY", postgres: "results_pkey" },
    (db) => listResults(db, { monitorId: 3, from: 0, to: 2 ** 52, limit: 100 }),
  ],
  [
    "the sweep",
    both("monitor_states_stale"),
    (db) => claimStale(db, { now: 5, limit: 500, watchingSince: 0, graceMs: 0, exceptTypes: ["heartbeat"] }),
  ],
  ["what should have arrived by now", both("monitor_states_stale"), (db) => listDue(db, 5)],
];

function both(index: string) {
  return { sqlite: index, postgres: index };
}

eachEngine("the index that answers", (engine) => {
  it("what is queried all day has its index, which is used", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await fillEveryTable(store, ROWS);
    await insertMany(store.db, "results", manyResults());
    await sql`analyze`.execute(store.db);
    for (const [what, index, run] of HOT) {
      expect(await planOf(store, run), what).toContain(index[engine]);
    }
  });

  it("looks up the rows of a list, not all that their organization has", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    // PostgreSQL counts pages: so many that it does not matter how full they are.
    await fillEveryTable(store, engine === "postgres" ? ROWS * 4 : ROWS);
    const ofOne = { organization_id: 3, kind: "domain", deleted_at: null } as const;
    await store.db.updateTable("monitors").set(ofOne).execute();
    await sql`analyze`.execute(store.db);
    const refs = [{ id: 3 }, { id: 4 }];
    const run = (db: Db) => listPicturedMonitors(db, { organizationId: 3, kind: "domain", refs });
    const index = { sqlite: "SEARCH monitors USING INTEGER PRIMARY KEY", postgres: "monitors_pkey" };
    expect(await planOf(store, run)).toContain(index[engine]);
  });
});

const manyResults = () =>
  Array.from({ length: ROWS }, (_, i) => ({
    monitor_id: 3,
    location_id: 1,
    scheduled_at: i,
    outcome: 0,
    maintenance: 0,
  }));

/** How the engine means to answer the queries of `run`; on PostgreSQL as if its tables were large. */
async function planOf(store: Store, run: (db: Db) => Promise<unknown>): Promise<string> {
  return store.transaction(async (trx) => {
    if (store.engine === "postgres") await sql`set local enable_seqscan = off`.execute(trx);
    const plans: string[] = [];
    for (const { sql: text, parameters } of await queriesOf(trx, run)) {
      const explain = store.engine === "sqlite" ? "explain query plan" : "explain";
      const { rows } = await trx.executeQuery(Query.raw(`${explain} ${text}`, [...parameters]));
      plans.push(...rows.map((row) => JSON.stringify(row)));
    }
    return plans.join("\n");
  });
}

async function queriesOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const executor = db.getExecutor();
  const original = executor.executeQuery;
  const queries: CompiledQuery[] = [];
  executor.executeQuery = (query, ...more) => {
    queries.push(query);
    return original.call(executor, query, ...more) as never;
  };
  try {
    // The rows of this test hold any text, so reading them may fail: by then the query was sent.
    await run(db).catch(() => {});
  } finally {
    executor.executeQuery = original;
  }
  return queries;
}
