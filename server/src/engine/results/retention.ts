import { deleteMembers } from "../../platform/access/queries/members.ts";
import {
  deleteMonitorsOf,
  deleteRowsOf,
  listDueOrganizations,
  ORGANIZATIONS_OWN,
  removeOrganization,
} from "../../platform/access/queries/organizations.ts";
import { moveSessionsElsewhere } from "../../platform/access/queries/sessions.ts";
import type { Context } from "../../platform/context.ts";
import { deleteEventsBefore } from "../../platform/database/events.ts";
import type { TableName } from "../../platform/database/schema.ts";
import { takeTurns } from "../../platform/turns.ts";
import {
  AGED_TABLES,
  deleteAged,
  deleteDevicePacks,
  deleteMonitorRollups,
  deleteMonitorRow,
  deleteOfMonitor,
  deleteProcessSamples,
  deleteRawBefore,
  deleteRollupsBefore,
  listRetainedMonitors,
  MONITORS_OWN,
  RAW_TABLES,
  type RetainedMonitor,
  ROLLUP_DAYS,
} from "../queries/retention.ts";
import { RESOLUTIONS } from "./precision.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

const DAY_MS = 24 * 3_600_000;

/** Results that were on their way when a monitor was deleted have arrived, or been turned away, by then. */
const DELETED_GRACE_MS = 10 * 60_000;
/** Results may carry a time somewhat before their monitor's creation or after its deletion: clocks differ. */
const MARGIN_MS = DAY_MS;
const MONITORS_A_PAGE = 200;
/** Everything is older. */
const ALL_TIME = Number.MAX_SAFE_INTEGER;

/** What a run has removed. */
interface RetentionReport {
  /** How many rows of each table; those of which none was removed are absent. */
  rows: Partial<Record<TableName, number>>;
  slices: number;
  /** The longest that one slice took, milliseconds. */
  longestMs: number;
  /** False when the signal ended it early; the next run goes on. */
  finished: boolean;
}

interface RetentionOptions {
  /** Days that a plan keeps raw results. */
  rawDaysOf(plan: string): number;
  /** Ends the run after the slice it is at. */
  signal?: AbortSignal;
}

/**
 * Removes what has been stored long enough: of each table as the list of tables says, raw results by the plan's
 * days, of deleted monitors everything but their incidents, and organizations whose time is over. It works in slices
 * of about 8 ms with pauses between, so that a batch of results never waits long behind it.
 */
export async function runRetention(
  ctx: Pick<Context, "store" | "clock">,
  options: RetentionOptions,
): Promise<RetentionReport> {
  const now = ctx.clock.now();
  const throttle = createThrottle(options.signal);
  const rows: RetentionReport["rows"] = {};
  const removal: Removal = {
    store: ctx.store,
    now,
    throttle,
    rawDaysOf: options.rawDaysOf,
    count(table, removed) {
      if (removed > 0) rows[table] = (rows[table] ?? 0) + removed;
    },
  };
  await trim(removal);
  return {
    rows,
    slices: throttle.slices,
    longestMs: throttle.longestMs,
    finished: !throttle.aborted,
  };
}

/** A run of retention. */
interface Removal extends Pick<RetentionOptions, "rawDaysOf">, Pick<Context, "store"> {
  now: number;
  throttle: Throttle;
  /** Adds to the report. */
  count(table: TableName, removed: number): void;
}

async function trim(removal: Removal): Promise<void> {
  const { store, now, throttle, count } = removal;
  for (const table of AGED_TABLES) {
    const upTo = now - table.retention.days * DAY_MS;
    count(table.name, await throttle.drain((limit) => deleteAged(store.db, table, { upTo, limit })));
  }
  const samplesBefore = now - DAY_MS;
  count(
    "device_process_samples",
    await throttle.drain((limit) => deleteProcessSamples(store.db, { before: samplesBefore, limit })),
  );
  for (const [periodSeconds, days] of ROLLUP_DAYS) {
    const before = now - days * DAY_MS;
    // A transaction, which is run again: results that come very late may lock the same rows in another order.
    const slice = (limit: number) =>
      store.transaction((trx) => deleteRollupsBefore(trx, { periodSeconds, before, limit }));
    count("rollups", await throttle.drain(slice));
  }
  await deleteDueMonitors(removal);
  await trimMonitors(removal);
  await removeDueOrganizations(removal);
}

async function trimMonitors(removal: Removal): Promise<void> {
  const { store, now, throttle, count, rawDaysOf } = removal;
  let afterId = 0;
  while (!throttle.aborted) {
    const monitors = await throttle.once(() => listRetainedMonitors(store.db, afterId, MONITORS_A_PAGE));
    for (const monitor of monitors) {
      const monitorId = monitor.id;
      afterId = monitorId;
      const gone = monitor.deletedAt !== null && monitor.deletedAt < now - DELETED_GRACE_MS;
      const before = gone ? ALL_TIME : now - rawDaysOf(monitor.plan) * DAY_MS;
      for (const table of RAW_TABLES) {
        const slice = (limit: number) => deleteRawBefore(store.db, table, { monitorId, before, limit });
        count(table.name, await throttle.drain(slice));
      }
      if (monitor.kind === "device") await trimMetrics(removal, monitorId, gone ? ALL_TIME : now);
      if (gone) await removeMonitor(removal, monitor);
      if (throttle.aborted) return;
    }
    if (monitors.length < MONITORS_A_PAGE) return;
  }
}

async function trimMetrics(
  { store, throttle, count }: Removal,
  monitorId: number,
  now: number,
): Promise<void> {
  for (const resolution of RESOLUTIONS) {
    const slice = (limit: number) => deleteDevicePacks(store.db, { monitorId, resolution, now, limit });
    count("device_packs", await throttle.drain(slice));
  }
}

/** What is left of a deleted monitor after its results; the row goes last, so that a run cut short is resumed. */
async function removeMonitor(removal: Removal, monitor: RetainedMonitor): Promise<void> {
  const { store, throttle, count } = removal;
  const monitorId = monitor.id;
  await removeRollups(removal, monitor);
  for (const table of MONITORS_OWN) {
    count(table, await throttle.drain((limit) => deleteOfMonitor(store.db, table, { monitorId, limit })));
  }
  if (throttle.aborted) return;
  await throttle.once(() => deleteMonitorRow(store.db, monitorId));
  count("monitors", 1);
}

async function removeRollups({ store, throttle, count }: Removal, monitor: RetainedMonitor): Promise<void> {
  const to = (monitor.deletedAt ?? 0) + MARGIN_MS;
  for (const periodSeconds of [300, 3600, 86_400] as const) {
    const days = ROLLUP_DAYS.find(([period]) => period === periodSeconds)?.[1];
    const oldestRawAt = days === undefined ? 0 : to - (days + 2) * DAY_MS;
    let from = Math.max(monitor.createdAt - MARGIN_MS, oldestRawAt);
    while (from < to && !throttle.aborted) {
      const slice = { monitorId: monitor.id, periodSeconds, from, to };
      const { rows, next } = await throttle.once((limit) =>
        deleteMonitorRollups(store.db, { ...slice, limit }),
      );
      count("rollups", rows);
      from = next;
    }
  }
}

/** Clients resume the live stream within minutes; those that come later have to read everything again (`reset`). */
const KEEP_MS = 3_600_000;
const SLICE = 100;

/** Removes live events older than an hour, a hundred at a time; call it only while the clock is trusted. */
export async function forgetEvents({ store, clock }: Pick<Context, "store" | "clock">): Promise<number> {
  const before = clock.now() - KEEP_MS;
  const giveWay = takeTurns();
  for (let total = 0; ; ) {
    const count = await deleteEventsBefore(store.db, before, SLICE);
    total += count;
    if (count < SLICE) return total;
    // SQLite answers within this turn of the event loop: give way to everything else.
    await giveWay();
  }
}

/** A run of retention, as far as this is part of it. */
interface OrganizationRemoval extends Pick<Context, "store"> {
  now: number;
  throttle: Throttle;
  count(table: TableName, removed: number): void;
}

/** Marks the monitors of organizations whose time is over as deleted, so that their history goes as any other's. */
async function deleteDueMonitors({ store, now, throttle }: OrganizationRemoval): Promise<void> {
  for (const organization of await listDueOrganizations(store.db, now)) {
    await throttle.drain((limit) => deleteMonitorsOf(store.db, organization, limit));
  }
}

/**
 * Removes the organizations whose time is over and whose monitors are gone, with everything that is theirs. Their
 * people stay, and those who belong elsewhere stay signed in there.
 */
async function removeDueOrganizations({ store, now, throttle, count }: OrganizationRemoval): Promise<void> {
  for (const organization of await listDueOrganizations(store.db, now)) {
    if (organization.hasMonitors) continue;
    const { id } = organization;
    await store.transaction(async (trx) => {
      await moveSessionsElsewhere(trx, id);
      // From then on nothing can be added.
      await deleteMembers(trx, id);
    });
    for (const table of ORGANIZATIONS_OWN) {
      count(table, await throttle.drain((limit) => deleteRowsOf(store.db, table, id, limit)));
    }
    if (throttle.aborted) return;
    await throttle.once(() => removeOrganization(store.db, id));
    count("organizations", 1);
  }
}
