import { OUTCOMES } from "./check/outcome.ts";
import { passiveTypes } from "./check/registry.ts";
import type { Context } from "./context.ts";
import type { Recheck } from "./probe/directory.ts";
import type { ProbeResult } from "./probe/link.ts";
import { roundPhases } from "./result/precision.ts";
import type { StoredResult } from "./result/stored-result.ts";
import { applyResults } from "./status/apply-results.ts";
import type { ChangedMonitor } from "./status/changed-monitor.ts";
import { recordChanges } from "./status/record-changes.ts";
import { applyTime } from "./status/rules.ts";
import { isOfFormerTarget } from "./status/vote.ts";
import { saveCertificates } from "./store/queries/certificates.ts";
import { appendEvents, INTERNAL_ORGANIZATION, type NewEvent, RECHECK_EVENT } from "./store/queries/events.ts";
import { ensureLocations } from "./store/queries/location-ids.ts";
import { insertResults } from "./store/queries/results.ts";
import { addToRollups } from "./store/queries/rollups.ts";
import { claimStale, lockStates, saveStates, type WatchedMonitor } from "./store/queries/states.ts";
import { readFact } from "./texts/fact.ts";
import { eventOf, projectResults } from "./wire/live.ts";

const SWEEP_ROUND = 500;

/**
 * The data path: a check becomes a result, a result a status, a status an incident, an incident a
 * notification. One transaction a batch; resolves when it is committed. A batch that comes again
 * changes nothing; results of unknown or deleted monitors are dropped. The caller hands on the rechecks that
 * `isHeldHere`; the others reach their probe through the event log, if and only if the results are stored.
 */
export async function ingestBatch(
  ctx: Context,
  measured: readonly ProbeResult[],
  isHeldHere: (recheck: Recheck) => boolean = () => true,
): Promise<{ rechecks: Recheck[] }> {
  if (measured.length === 0) return { rechecks: [] };
  const now = ctx.clock.now();
  // Before anything else, so that states, events, history and roll-ups say the same.
  const results = measured.map(received);
  const changed = await ctx.store.transaction(async (trx) => {
    const monitors = await lockStates(trx, [...new Set(results.map(({ monitorId }) => monitorId))]);
    const known = new Set(monitors.map(({ monitorId }) => monitorId));
    const wanted = results.filter(({ monitorId }) => known.has(monitorId));
    const locations = await ensureLocations(
      trx,
      wanted.map(({ location }) => location),
      now,
    );
    const byRow = new Map(wanted.map((result) => [toStored(result, locations), result]));
    const rows = await insertResults(trx, [...byRow.keys()]);
    await addToRollups(trx, rows);
    const fresh = new Set(rows.flatMap((row) => byRow.get(row) ?? []));
    const news = Map.groupBy(fresh, ({ monitorId }) => monitorId);
    const isAllNew = fresh.size === wanted.length;
    const own = isAllNew ? news : Map.groupBy(wanted, ({ monitorId }) => monitorId);
    const changes = monitors.flatMap((monitor): ChangedMonitor[] => {
      const changed = applyResults(monitor, own.get(monitor.monitorId) ?? [], now, (one) => fresh.has(one));
      return news.has(monitor.monitorId) || changed.monitor.state !== monitor.state ? [changed] : [];
    });
    await saveStates(
      trx,
      changes.map(({ monitor }) => monitor),
    );
    await saveCertificates(
      trx,
      changes.flatMap(({ monitor }) => newestCertificate(monitor, news.get(monitor.monitorId) ?? [])),
    );
    const events = await recordChanges(trx, changes, now);
    const elsewhere = changes.flatMap(rechecksOf).filter((recheck) => !isHeldHere(recheck));
    appendEvents(trx, [...resultEvents(changes, news), ...events, ...elsewhere.map(recheckEvent)], now);
    return changes;
  });
  if (changed.length > 0) ctx.live.wake();
  return { rechecks: changed.flatMap(rechecksOf) };
}

/**
 * Lets time pass for monitors that nobody has heard of for two intervals: they become unknown.
 * `watchingSince`: when this process began to collect results; what ran out while nobody did gets
 * its time once more. `graceMs`: how much longer they are left to a replica that may be about to take
 * them over; the history says when it was all the same. Returns how many monitors were looked at.
 */
export async function sweepStale(
  ctx: Context,
  { watchingSince = 0, graceMs = 0 }: { watchingSince?: number; graceMs?: number } = {},
): Promise<number> {
  for (let swept = 0; ; ) {
    const now = ctx.clock.now();
    const round = await ctx.store.transaction(async (trx) => {
      const monitors = await claimStale(trx, {
        now,
        limit: SWEEP_ROUND,
        watchingSince,
        graceMs,
        exceptTypes: passiveTypes,
      });
      const changes = monitors.map((monitor): ChangedMonitor => {
        const { state, events } = applyTime(monitor.state, monitor.config, now);
        return { monitor: { ...monitor, state }, events };
      });
      await saveStates(
        trx,
        changes.map(({ monitor }) => monitor),
      );
      appendEvents(trx, await recordChanges(trx, changes, now), now);
      return monitors.length;
    });
    if (round > 0) ctx.live.wake();
    swept += round;
    if (round < SWEEP_ROUND) return swept;
  }
}

/** A result as it is known from here on; an older probe, or its queue on disk, has a sentence for a reason. */
const received = (result: ProbeResult & { reasonCode?: string | null }): ProbeResult => ({
  ...result,
  phases: roundPhases(result.phases),
  reason: readFact(result.reason, result.reasonCode),
});

function toStored(result: ProbeResult, locations: ReadonlyMap<string, number>): StoredResult {
  return {
    monitorId: result.monitorId,
    locationId: locations.get(result.location) ?? 0,
    scheduledAt: result.scheduledAt,
    outcome: OUTCOMES[result.verdict].stored,
    statusCode: result.statusCode,
    ...result.phases,
    reason: result.reason,
    message: result.message ?? null,
    maintenance: 0,
  };
}

function newestCertificate({ state }: WatchedMonitor, results: readonly ProbeResult[]) {
  const [newest] = results
    .filter((result) => result.certificate && !isOfFormerTarget(state, result))
    .toSorted((a, b) => b.scheduledAt - a.scheduledAt);
  if (!newest?.certificate) return [];
  return [{ monitorId: newest.monitorId, seenAt: newest.scheduledAt, report: newest.certificate }];
}

/** One event an organization and kind: a browser with a thousand monitors hears of a batch once. */
function resultEvents(
  changes: readonly ChangedMonitor[],
  news: ReadonlyMap<number, ProbeResult[]>,
): NewEvent[] {
  const heardAlike = Map.groupBy(
    changes,
    ({ monitor: { organizationId, kind } }) => `${organizationId} ${kind}`,
  );
  return [...heardAlike.values()].map((own) => ({
    organizationId: (own[0] as ChangedMonitor).monitor.organizationId,
    type: eventOf((own[0] as ChangedMonitor).monitor.kind, "results"),
    payload: projectResults(
      own.flatMap(({ monitor }) =>
        (news.get(monitor.monitorId) ?? []).map((result) => ({
          monitor,
          state: monitor.state.status,
          result,
        })),
      ),
    ),
  }));
}

const recheckEvent = (recheck: Recheck): NewEvent => ({
  organizationId: INTERNAL_ORGANIZATION,
  type: RECHECK_EVENT,
  payload: recheck,
});

const rechecksOf = ({ monitor, events }: ChangedMonitor): Recheck[] =>
  events.flatMap((event) =>
    event.type === "recheck" ? { monitorId: monitor.monitorId, location: event.location } : [],
  );
