import { onTestFinished } from "vitest";
import type { ResultsQuery } from "../../../src/engine/queries/results.ts";
import { HOUR_MS } from "../../../src/engine/results/pack-format.ts";
import { runPacking } from "../../../src/engine/results/pack-results.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { createState } from "../../../src/engine/status/monitor-states.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { makeResult } from "../../harness/results.ts";
import { monitorRow, organizationRow } from "../../harness/rows.ts";
import { type EngineName, openTestStore } from "../../harness/stores.ts";

export const NOW = Date.UTC(2026, 10, 21, 12, 30);
export const T0 = Date.UTC(2026, 10, 21, 6);
export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * HOUR_MS;
export const ALWAYS = { monitorId: 1, from: 0, to: 2 ** 52, limit: 100_000 };

/** Every ten minutes from 6:00 to 12:30, by monitors 1 and 2 at locations 1 and 2. */
export const someHours = () =>
  [1, 2].flatMap((monitorId) =>
    [1, 2].flatMap((locationId) =>
      Array.from({ length: 40 }, (_, i) =>
        makeResult({ monitorId, locationId, scheduledAt: T0 + i * 10 * MINUTE_MS, totalUs: 1_000 + i }),
      ),
    ),
  );

export async function addMonitors(store: Store, count = 3): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => i + 1);
  await insertMany(store.db, "organizations", [organizationRow(1, { plan: "free" })]);
  await insertMany(
    store.db,
    "monitors",
    ids.map((id) => monitorRow(id, { name: `M${id}` })),
  );
  for (const id of ids) await createState(store.db, id, 0);
}

export const rowTimes = async (store: Store) => {
  const rows = await store.db
    .selectFrom("results")
    .select("scheduled_at")
    .distinct()
    .orderBy("scheduled_at")
    .execute();
  return rows.map((row) => row.scheduled_at);
};

export async function countPacks(store: Store): Promise<number> {
  return (await store.db.selectFrom("packs").select("hour_at").execute()).length;
}

export async function damage(
  store: Store,
  where: { monitorId: number; hourAt: number; locationId: number },
): Promise<void> {
  const pack = store.db
    .selectFrom("packs")
    .select("data")
    .where("monitor_id", "=", where.monitorId)
    .where("hour_at", "=", where.hourAt)
    .where("location_id", "=", where.locationId);
  const data = Uint8Array.from((await pack.executeTakeFirstOrThrow()).data);
  data[data.length - 1] = (data.at(-1) as number) ^ 255;
  await store.db
    .updateTable("packs")
    .set({ data })
    .where("monitor_id", "=", where.monitorId)
    .where("hour_at", "=", where.hourAt)
    .where("location_id", "=", where.locationId)
    .execute();
}

/** What must be listed, worked out from all results there are. */
export function expected(all: readonly StoredResult[], query: ResultsQuery): StoredResult[] {
  const sign = query.order === "asc" ? 1 : -1;
  return all
    .filter((result) => result.monitorId === query.monitorId)
    .filter((result) => query.from <= result.scheduledAt && result.scheduledAt < query.to)
    .filter((result) => query.locationId === undefined || result.locationId === query.locationId)
    .sort((a, b) => sign * (a.scheduledAt - b.scheduledAt || a.locationId - b.locationId))
    .slice(0, query.limit);
}

/** A store with monitors, its log, and packing at a time of one's own. */
export async function openForPacking(engine: EngineName, monitors?: number) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  await addMonitors(store, monitors);
  const log = recordingLog();
  const pack = (now = NOW, signal?: AbortSignal) =>
    runPacking({ store, log, clock: { now: () => now } }, { signal });
  return { store, log, pack };
}
