import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import type { StoredSnapshot } from "../devices/pack-snapshots.ts";
import type { ApplicationChange } from "../devices/rules.ts";
import type { NamedMonitor } from "./monitors.ts";

/** What is stored of one device. */
interface OfDevice {
  deviceId: number;
}

const NEWER = "excluded.at >= device_snapshots.at";
const ifNewer = (column: string) =>
  `case when ${NEWER} then excluded.${column} else device_snapshots.${column} end`;

/** Keeps the newest list of each kind of each device. */
export async function saveSnapshots(
  trx: Db,
  snapshots: readonly (StoredSnapshot & OfDevice)[],
): Promise<void> {
  const rows = snapshots.map(({ deviceId, kind, at, total, items }) => ({
    monitor_id: deviceId,
    kind,
    at,
    total,
    items,
  }));
  const update = Object.fromEntries(["total", "items", "at"].map((column) => [column, ifNewer(column)]));
  await insertMany(trx, "device_snapshots", rows, { keys: ["monitor_id", "kind"], update });
}

/** The newest list of that kind; null: none was reported. */
export async function readSnapshot(
  db: Db,
  deviceId: number,
  kind: StoredSnapshot["kind"],
): Promise<StoredSnapshot | null> {
  const row = await db
    .selectFrom("device_snapshots")
    .select(["at", "total", "items"])
    .where("monitor_id", "=", deviceId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row ? { kind, ...row } : null;
}

/** A minute's processes as they are stored. Milliseconds. */
export interface ProcessSample {
  at: number;
  load: number | null;
  items: Uint8Array;
}

const MINUTE_MS = 60_000;
const minuteOf = (at: number) => at - (at % MINUTE_MS);
const BUSIER = "coalesce(excluded.load, -1) >= coalesce(device_process_samples.load, -1)";

/** Stores the busiest sample of each minute. */
export async function saveProcessSamples(
  trx: Db,
  samples: readonly (ProcessSample & OfDevice)[],
): Promise<void> {
  // PostgreSQL takes a key once a statement.
  const byMinute = new Map<string, ProcessSample & OfDevice>();
  for (const sample of samples) {
    const key = `${sample.deviceId} ${minuteOf(sample.at)}`;
    const known = byMinute.get(key);
    if (!known || (sample.load ?? -1) >= (known.load ?? -1)) byMinute.set(key, sample);
  }
  const rows = Array.from(byMinute.values(), ({ deviceId, at, load, items }) => ({
    ...{ monitor_id: deviceId, minute_at: minuteOf(at), at, load, items },
  }));
  const update = Object.fromEntries(
    ["at", "items", "load"].map((column) => [
      column,
      `case when ${BUSIER} then excluded.${column} else device_process_samples.${column} end`,
    ]),
  );
  await insertMany(trx, "device_process_samples", rows, { keys: ["monitor_id", "minute_at"], update });
}

/** The last sample up to `at`, not older than `from`; null: none is stored. */
export async function readProcessSample(
  db: Db,
  deviceId: number,
  { from, at }: { from: number; at: number },
): Promise<ProcessSample | null> {
  const row = await db
    .selectFrom("device_process_samples")
    .select(["at", "load", "items"])
    .where("monitor_id", "=", deviceId)
    .where("minute_at", ">=", minuteOf(from))
    .where("minute_at", "<=", minuteOf(at))
    .orderBy("minute_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** An application's change, and when it was seen. Milliseconds. */
export interface SeenChange extends ApplicationChange {
  at: number;
}

/** The same as it is stored. */
export interface StoredChange extends SeenChange {
  id: number;
}

/** Adds to what is known of applications that came and went. */
export async function insertChanges(trx: Db, changes: readonly (SeenChange & OfDevice)[]): Promise<void> {
  const rows = changes.map(({ deviceId, at, change, name, version, formerVersion }) => ({
    ...{ monitor_id: deviceId, at, change, name, version, former_version: formerVersion },
  }));
  await insertMany(trx, "device_changes", rows);
}

/** One of a device's; null: it has none of that number. */
export async function findChange(db: Db, deviceId: number, id: number): Promise<StoredChange | null> {
  const row = await db
    .selectFrom("device_changes")
    .select(["id", "at", "change", "name", "version", "former_version as formerVersion"])
    .where("monitor_id", "=", deviceId)
    .where("id", "=", id)
    .executeTakeFirst();
  return (row as StoredChange | undefined) ?? null;
}

/** Those of a time, newest first; of one report in the order in which it listed them. `after`: only what follows that one. */
export async function readChanges(
  db: Db,
  deviceId: number,
  { from, to, limit, after }: { from: number; to: number; limit: number; after?: StoredChange | null },
): Promise<StoredChange[]> {
  const rows = await db
    .selectFrom("device_changes")
    .$if(Boolean(after), (changes) =>
      changes.where(({ eb, and, or }) =>
        or([
          eb("at", "<", after?.at ?? 0),
          and([eb("at", "=", after?.at ?? 0), eb("id", ">", after?.id ?? 0)]),
        ]),
      ),
    )
    .select(["id", "at", "change", "name", "version", "former_version as formerVersion"])
    .where("monitor_id", "=", deviceId)
    .where("at", ">", from)
    .where("at", "<=", to)
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows as StoredChange[];
}

/** These run on the device from now on, and nothing else. */
export async function saveLinks(trx: Db, deviceId: number, monitorIds: readonly number[]): Promise<void> {
  await trx.deleteFrom("device_links").where("device_id", "=", deviceId).execute();
  await insertMany(
    trx,
    "device_links",
    monitorIds.map((id) => ({ device_id: deviceId, monitor_id: id })),
  );
}

/** What runs on the device, by name. */
export const readLinks = (db: Db, deviceId: number): Promise<NamedMonitor[]> =>
  db
    .selectFrom("device_links")
    .innerJoin("monitors", "monitors.id", "device_links.monitor_id")
    .select(["monitors.id", "monitors.uuid", "monitors.kind", "monitors.name"])
    .where("device_links.device_id", "=", deviceId)
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.name")
    .orderBy("monitors.id")
    .execute();

/** The devices on which these monitors run, and those of them that are devices themselves. */
export async function devicesOf(
  db: Db,
  monitorIds: readonly number[],
): Promise<{ id: number; uuid: string; name: string }[]> {
  if (monitorIds.length === 0) return [];
  return db
    .selectFrom("monitors")
    .select(["id", "uuid", "name"])
    .where("kind", "=", "device")
    .where("deleted_at", "is", null)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("id", "in", monitorIds),
        eb("id", "in", selectFrom("device_links").select("device_id").where("monitor_id", "in", monitorIds)),
      ]),
    )
    .orderBy("name")
    .orderBy("id")
    .execute();
}
