import {
  checkedEvents,
  incidentEvents,
  notificationEvents,
  recheckEvents,
  resultEvents,
  statusEvents,
  suppressionEvents,
  windowEvents,
} from "../alerts/live-events.ts";
import { incidentNotifier, noteChanges } from "../alerts/note.ts";
import { recordNotifications } from "../alerts/record-notifications.ts";
import { passiveTypes } from "../checks/registry.ts";
import type { Recheck } from "../engine/probe/directory.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { saveCertificates } from "../engine/queries/certificates.ts";
import { addToRollups } from "../engine/queries/rollups.ts";
import { claimStale, lockStates, saveStates, type WatchedMonitor } from "../engine/queries/states.ts";
import { type PrepareResults, received, storeResults } from "../engine/results/store-results.ts";
import {
  advanceByTime,
  advanceByWindows,
  advanceStates,
  advanceToUnknown,
  type ChangedMonitor,
  newestCertificates,
  rechecksOf,
  type UnknownMonitor,
} from "../engine/status/advance-states.ts";
import { advanceBehind, advanceByParents } from "../engine/status/parents.ts";
import { pauseState, type StopReason } from "../engine/status/pause.ts";
import { recordTransitions } from "../engine/status/record-transitions.ts";
import { applyOutageEvents } from "../incidents/apply-outage-events.ts";
import { keepEvidence, keepRoutes } from "../incidents/evidence.ts";
import type { Derive } from "../monitors/data-path.ts";
import { type ActiveWindows, underWindows } from "../monitors/maintenance/active-windows.ts";
import type { Context } from "../platform/context.ts";
import { appendEvents, type NewEvent } from "../platform/database/events.ts";
import type { Db } from "../platform/database/schema.ts";
import { pageEvents, statusPages } from "../status-pages/found-page.ts";

const SWEEP_ROUND = 500;

/**
 * The data path: a check becomes a result, a result a status, a status an incident, an incident a
 * notification. One transaction a batch; resolves when it is committed. A batch that comes again
 * changes nothing; results of unknown or deleted monitors are dropped. The caller hands on the rechecks that
 * `isHeldHere`; the others reach their probe through the event log, if and only if the results are stored. `prepareResults`
 * completes what could not be known before the states were locked.
 */
export async function ingestBatch(
  ctx: Context,
  measured: readonly ProbeResult[],
  isHeldHere: (recheck: Recheck) => boolean = () => true,
  prepareResults?: PrepareResults,
): Promise<Ingested> {
  const now = ctx.clock.now();
  // Before anything else, so that states, events, history and roll-ups say the same.
  const all = measured.filter(({ route }) => route === undefined).map(received);
  ctx.evidence?.note(measured);
  if (all.length === 0) return keepRoutes(ctx, measured).then(() => ({ rechecks: [], awaited: [] }));
  const { changes, ...ingested } = await ctx.store.transaction(async (trx) => {
    const ids = [...new Set(all.map(({ monitorId }) => monitorId))];
    const monitors = underWindows(ctx.windows, await lockStates(trx, ids), now);
    const results = prepareResults ? await prepareResults(trx, all, monitors) : all;
    return takeIn(trx, { monitors, results, unknowns: [] }, { now, ...ctx }, isHeldHere);
  });
  if (changes.length + ingested.awaited.length > 0) ctx.live.wake();
  await keepEvidence(ctx, changes);
  await keepRoutes(ctx, measured);
  return ingested;
}

/** What follows from a batch beside what is stored. */
interface Ingested {
  rechecks: Recheck[];
  /** The results that callers have requested. */
  awaited: ProbeResult[];
}

/** Results of monitors whose states are locked, and of which of them nothing can be said for the moment. */
interface Findings {
  monitors: readonly WatchedMonitor[];
  results: readonly ProbeResult[];
  unknowns: readonly UnknownMonitor[];
}

interface Circumstances {
  now: number;
  windows?: ActiveWindows | undefined;
}

async function takeIn(
  trx: Db,
  { monitors, results, unknowns }: Findings,
  { now, windows }: Circumstances,
  isHeldHere: (recheck: Recheck) => boolean,
): Promise<Ingested & { changes: ChangedMonitor[] }> {
  const batch = await storeResults(trx, monitors, results, { now, windows });
  await addToRollups(trx, batch.rows);
  const resultChanges = await advanceBehind(trx, monitors, (some) => advanceStates(some, batch, now));
  const changes = [...resultChanges, ...advanceToUnknown(unknowns, now)];
  await saveCertificates(trx, newestCertificates(resultChanges, batch));
  const events = await follow(trx, changes, now);
  const rechecks = resultChanges.flatMap(rechecksOf);
  const elsewhere = rechecks.filter((recheck) => !isHeldHere(recheck));
  const awaited = [...batch.all.values()].flat().filter(({ requests }) => requests !== undefined);
  const own = [...recheckEvents(elsewhere), ...checkedEvents(awaited)];
  appendEvents(trx, [...resultEvents(resultChanges, batch), ...events, ...own], now);
  return { changes, rechecks, awaited };
}

async function ingestDerived(ctx: Context, monitorIds: readonly number[], derive: Derive): Promise<void> {
  const now = ctx.clock.now();
  const { changes } = await ctx.store.transaction(async (trx) => {
    const monitors = underWindows(ctx.windows, await lockStates(trx, monitorIds), now);
    const derived = await derive(trx, monitors, now);
    // No probe could check them again.
    return takeIn(trx, { monitors, ...derived }, { now, ...ctx }, () => true);
  });
  if (changes.length > 0) ctx.live.wake();
}

/**
 * What follows from changed states, in the transaction that changes them: the states themselves, the status history,
 * incidents, notifications. Returns the events for the live stream; the caller appends them last.
 */
async function follow(trx: Db, changes: readonly ChangedMonitor[], now: number): Promise<NewEvent[]> {
  const states = changes.map(({ monitor }) => monitor);
  await saveStates(trx, states);
  if (changes.every(({ events }) => events.length === 0)) return [];
  const transitions = await recordTransitions(trx, changes, now);
  const incidents = await applyOutageEvents(trx, changes, incidentNotifier, now);
  const notifications = await recordNotifications(trx, changes, incidents, now);
  await noteChanges(trx, changes, notifications, now);
  const pages = await pageEvents(
    trx,
    transitions.map(({ monitor }) => monitor.monitorId),
  );
  return [
    ...pages,
    ...statusEvents(transitions),
    ...suppressionEvents(transitions),
    ...incidentEvents(incidents, changes),
    ...notificationEvents(notifications),
  ];
}

/**
 * Lets time pass for monitors without a result for two intervals: they become unknown.
 * `watchingSince`: when this process began to collect results; what ran out while no process did gets
 * its time once more. `graceMs`: how much longer they are left to a replica that may be about to take
 * them over; the history says when it was all the same. Returns how many monitors were looked at.
 */
export async function sweepStale(
  ctx: Context,
  { watchingSince = 0, graceMs = 0 }: { watchingSince?: number; graceMs?: number } = {},
): Promise<number> {
  const which = { limit: SWEEP_ROUND, watchingSince, graceMs, exceptTypes: passiveTypes };
  for (let swept = 0; ; ) {
    const now = ctx.clock.now();
    const round = await ctx.store.transaction(async (trx) => {
      const monitors = underWindows(ctx.windows, await claimStale(trx, { now, ...which }), now);
      const changes = await advanceBehind(trx, monitors, (some) => advanceByTime(some, now));
      appendEvents(trx, await follow(trx, changes, now), now);
      return { count: monitors.length, changes };
    });
    if (round.count > 0) ctx.live.wake();
    await keepEvidence(ctx, round.changes);
    swept += round.count;
    if (round.count < SWEEP_ROUND) return swept;
  }
}

async function crossWindows(
  ctx: Context,
  windows: ActiveWindows,
  monitorIds: readonly number[],
): Promise<void> {
  const now = ctx.clock.now();
  const crossed = await ctx.store.transaction(async (trx) => {
    const before = await lockStates(trx, monitorIds);
    const after = underWindows(windows, before, now).filter((monitor) => !before.includes(monitor));
    if (after.length === 0) return 0;
    const events = await follow(trx, advanceByWindows(after, now), now);
    appendEvents(trx, [...events, ...windowEvents(after)], now);
    return after.length;
  });
  if (crossed > 0) ctx.live.wake();
}

async function crossParents(ctx: Context, monitorIds: readonly number[]): Promise<void> {
  const now = ctx.clock.now();
  const changes = await ctx.store.transaction(async (trx) => {
    const monitors = underWindows(ctx.windows, await lockStates(trx, monitorIds), now);
    const changed = await advanceByParents(trx, monitors, now);
    if (changed.length > 0) {
      const events = await follow(trx, changed, now);
      appendEvents(trx, [...events, ...recheckEvents(changed.flatMap(rechecksOf))], now);
    }
    return changed;
  });
  if (changes.length === 0) return;
  ctx.live.wake();
  await keepEvidence(ctx, changes);
}

/** See `DataPath`. */
export async function markPaused(
  trx: Db,
  monitorIds: readonly number[],
  now: number,
  reason: StopReason = "paused",
): Promise<void> {
  const changes = (await lockStates(trx, monitorIds)).map((monitor) => {
    const { state, events } = pauseState(monitor.state, now, reason);
    return { monitor: { ...monitor, state }, events };
  });
  appendEvents(trx, await follow(trx, changes, now), now);
}

/** What rooms have done by later ones, which they do not know. */
export const laterRooms: Pick<Context, "dataPath" | "incidentNotifier" | "statusPages"> = {
  dataPath: { ingestDerived, crossWindows, crossParents, markPaused },
  incidentNotifier,
  statusPages,
};
