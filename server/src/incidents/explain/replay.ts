import { OUTCOME_NAMES, OUTCOMES } from "../../checks/outcome.ts";
import { unprobedTypes } from "../../checks/registry.ts";
import { listResults } from "../../engine/queries/results.ts";
import { listTransitions, type RecordedChange } from "../../engine/queries/transitions.ts";
import { reportDamage } from "../../engine/results/pack-results.ts";
import type { StoredResult } from "../../engine/results/stored-result.ts";
import { castVote, freshForMs } from "../../engine/status/confirmations.ts";
import { pauseState } from "../../engine/status/pause.ts";
import { applyParents, applyResult, applyTime, staleAt } from "../../engine/status/rules.ts";
import {
  type Applied,
  initialState,
  type LocationState,
  type MonitorState,
  type StatusConfig,
  type StatusEvent,
  type StatusResult,
  type Transition,
} from "../../engine/status/state.ts";
import type { Monitor } from "../../monitors/queries/monitors.ts";
import { listLocations } from "../../platform/database/installation.ts";
import type { Running } from "../../platform/operations/operation.ts";

/** A check as it was stored, with the code of its location. */
export type LocatedResult = StoredResult & { location: string };

/** What the store has about an outage: what was recorded, and what to replay. */
export interface StoredPeriod {
  span: OutageSpan;
  recorded: RecordedChange[];
  results: LocatedResult[];
  period: Period;
  /** When the first result came that was one too many; null: all were read. */
  cutAt: number | null;
}

/** Which outage, and how many results may be read for it. Milliseconds. */
interface OutageSpan {
  startedAt: number;
  endedAt: number | null;
  maxResults: number;
}

const DAY_MS = 86_400_000;
const MAX_TRANSITIONS = 500;

/** The settings that the rules go by: the present ones, because past ones are not stored. */
export const configOf = (monitor: Monitor): StatusConfig => ({
  intervalMs: monitor.intervalSeconds * 1000,
  timeoutMs: monitor.timeoutSeconds * 1000,
  confirmations: monitor.confirmations,
  recoveries: monitor.recoveries,
  maintenance: false,
});

/** Reads the results from a quiet moment before the outage until its end has been seen. */
export async function readPeriod(ctx: Running, monitor: Monitor, span: OutageSpan): Promise<StoredPeriod> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const config = configOf(monitor);
  const quietMs = Math.min(DAY_MS, quietTime(config));
  const until = Math.min(now, (span.endedAt ?? now) + quietMs);
  const earliest = span.startedAt - DAY_MS;
  const changes = await listTransitions(db, { monitorId: monitor.id, to: until + 1, limit: MAX_TRANSITIONS });
  const begunAt = quietMoment(changes, { startedAt: span.startedAt, quietMs, earliest });
  const read = await listResults(db, {
    ...{ monitorId: monitor.id, from: begunAt - quietMs, to: until + 1, order: "asc" },
    ...{ limit: span.maxResults + 1, onDamaged: reportDamage(ctx) },
  });
  const codes = new Map((await listLocations(db)).map(({ id, code }) => [id, code]));
  const results = read
    .slice(0, span.maxResults)
    .map((result) => ({ ...result, location: codes.get(result.locationId) ?? "unknown" }));
  const cutAt = read[span.maxResults]?.scheduledAt ?? null;
  const received = results.map((result) => toReceivedResult(result, config));
  const before = changes.findLast(({ at }) => at <= begunAt);
  const known = {
    status: before?.toStatus ?? "unknown",
    since: before?.at ?? 0,
    initial: initialState(0),
  } as const;
  const inMaintenance = before?.maintenance ?? false;
  const period: Period = {
    begin: {
      ...stateBefore(
        known,
        received.filter(({ at }) => at < begunAt),
        config,
      ),
      maintenance: inMaintenance,
    },
    results: received.filter(({ at }) => at >= begunAt),
    marks: changes.filter(({ at }) => at >= begunAt).flatMap(markOf),
    config: { ...config, maintenance: inMaintenance },
    isSwept: !unprobedTypes.includes(monitor.type),
    until: Math.min(until, cutAt ?? until),
  };
  const recorded = changes.filter(({ at }) => at >= span.startedAt && at <= (span.endedAt ?? until));
  return { span, recorded, results, period, cutAt };
}

/** Long enough for flapping to be over, and for each location to have said how it is. */
const quietTime = (config: StatusConfig): number =>
  Math.max(
    10 * config.intervalMs,
    2 * freshForMs(config),
    (config.confirmations + config.recoveries) * config.intervalMs,
  );

/** When nothing had changed for a while before the outage: there a replay knows all that matters. */
function quietMoment(
  changes: readonly RecordedChange[],
  { startedAt, quietMs, earliest }: { startedAt: number; quietMs: number; earliest: number },
): number {
  let at = startedAt - quietMs;
  for (const change of changes.toReversed()) {
    if (change.at >= startedAt) continue;
    if (change.at <= at - quietMs || at <= earliest) break;
    at = Math.min(at, change.at - quietMs);
  }
  return Math.max(at, earliest);
}

const MARKS: Record<string, Mark["type"]> = {
  "watch.paused": "stopped",
  "watch.changed": "stopped",
  "watch.deleted": "stopped",
  "watch.maintenance_began": "maintenance_began",
  "watch.maintenance_ended": "maintenance_ended",
  "watch.behind": "held_back",
  "watch.released": "released",
};

/** It was held back from the moment at which it was down: a parent that is waited for is as good as one that is down. */
function markOf({ reason, detectedAt }: RecordedChange, index: number, all: RecordedChange[]): Mark[] {
  const type = MARKS[reason?.code ?? ""];
  if (!type) return [];
  const began = all.slice(0, index).findLast(({ fromStatus, toStatus }) => fromStatus !== toStatus);
  return [{ type, at: type === "held_back" && began ? began.at - 1 : detectedAt }];
}

/** When its answer was there: a check that ran out of time has used it all. */
function toReceivedResult(result: LocatedResult, { timeoutMs }: StatusConfig): ReceivedResult {
  const { scheduledAt: at, location, reason, totalUs } = result;
  const isTimeout = reason?.code.startsWith("timeout.") ?? false;
  const tookMs = totalUs === null ? (isTimeout ? timeoutMs : 0) : totalUs / 1000;
  const verdict = OUTCOME_NAMES.find((name) => OUTCOMES[name].stored === result.outcome) ?? "probe_fault";
  return { location, at, verdict, reason, receivedAt: Math.round(at + tookMs) };
}

/** A stored result, and when its answer was there; milliseconds. */
export interface ReceivedResult extends StatusResult {
  receivedAt: number;
}

/**
 * What changed a status besides results: the monitor was paused or changed, maintenance began or ended, or a dependency went
 * down or came back.
 */
interface Mark {
  at: number;
  type: "stopped" | "maintenance_began" | "maintenance_ended" | "held_back" | "released";
}

/** A period of a monitor's life that the rules go through once more. */
interface Period {
  begin: MonitorState;
  /** In any order. */
  results: readonly ReceivedResult[];
  marks: readonly Mark[];
  config: StatusConfig;
  /** Whether silence makes it unknown, as with everything that is probed. */
  isSwept: boolean;
  until: number;
  /**
   * For other settings than its own: rechecks that these would request and that were never made count like the checks before
   * and after them, this long after the one before.
   */
  recheckDelayMs?: number;
}

/** A transition, with the votes behind it. */
export interface ReplayedTransition extends Transition {
  locations: Record<string, LocationState>;
}

export interface Replayed {
  transitions: ReplayedTransition[];
  outages: { startedAt: number; detectedAt: number; endedAt: number | null; endDetectedAt: number | null }[];
  /** Rechecks that were taken to have come out like the checks around them. */
  assumed: number;
  /** `checkKey` of the results before which the rules had requested a recheck from their location. */
  requestedRechecks: Set<string>;
}

/** Names a result by where and for when it was made. */
export const checkKey = (location: string, at: number): string => `${location} ${at}`;

/** Applies the rules of the present to the results of the past. Pure: nothing is read or written. */
export function replay(period: Period): Replayed {
  const queue = inOrder(period);
  const replayed: Replayed = { transitions: [], outages: [], assumed: 0, requestedRechecks: new Set() };
  const waiting = new Set<string>();
  let { begin: state, config } = period;
  const take = (applied: Applied, now: number) => {
    // What held it back does so until it is let go or works again; what comes then has a mark of its own.
    if (state.suppressed && !applied.state.suppressed) config = withoutParents(config);
    state = applied.state;
    note(replayed, applied, now);
    return applied.events;
  };
  for (let next = queue.shift(); next && atOf(next) <= period.until; next = queue.shift()) {
    const now = atOf(next);
    const silentAt = period.isSwept ? staleAt(state, config) : null;
    if (silentAt !== null && silentAt < now && state.status !== "unknown") {
      take(applyTime(state, config, silentAt), silentAt);
    }
    if ("type" in next) {
      config = configAfter(config, next);
      take(appliedMark(next, state, config), now);
      continue;
    }
    if (waiting.delete(next.location)) replayed.requestedRechecks.add(checkKey(next.location, next.at));
    const events = take(applyResult(state, next, config, now), now);
    for (const event of events) if (event.type === "recheck") waiting.add(event.location);
    const assumed = assumedRecheck(period, next, events, queue);
    if (!assumed) continue;
    replayed.assumed += 1;
    const place = queue.findIndex((one) => atOf(one) > assumed.receivedAt);
    queue.splice(place < 0 ? queue.length : place, 0, assumed);
  }
  return replayed;
}

const atOf = (one: ReceivedResult | Mark): number => ("type" in one ? one.at : one.receivedAt);

const inOrder = ({ results, marks }: Period): (ReceivedResult | Mark)[] =>
  [...results, ...marks].sort((a, b) => atOf(a) - atOf(b));

function configAfter(config: StatusConfig, { type }: Mark): StatusConfig {
  if (type === "stopped") return config;
  if (type === "held_back") return { ...config, behind: ANY_PARENT };
  if (type === "released") return withoutParents(config);
  return { ...config, maintenance: type === "maintenance_began" };
}

/** Which one it was says the history; to the rules they are alike. */
const ANY_PARENT = { by: 0, name: "", waitMs: null };

const withoutParents = ({ behind: _, ...config }: StatusConfig): StatusConfig => config;

function appliedMark({ at, type }: Mark, state: MonitorState, config: StatusConfig): Applied {
  if (type === "stopped") return stop(state, at);
  const apply = type === "held_back" || type === "released" ? applyParents : applyTime;
  return apply(state, config, at);
}

/** Paused, and watched again with the next result. */
function stop(before: MonitorState, now: number): Applied {
  const { state, events } = pauseState(before, now, "paused");
  return { state: { ...state, watchedSince: now }, events };
}

function note({ transitions, outages }: Replayed, { state, events }: Applied, now: number): void {
  for (const event of events) {
    if (event.type === "transition") transitions.push({ ...event, locations: state.locations });
    if (event.type === "outage_opened") {
      const { startedAt } = event;
      outages.push({ startedAt, detectedAt: now, endedAt: null, endDetectedAt: null });
    }
    const last = outages.at(-1);
    if (event.type === "outage_closed" && last)
      outages[outages.length - 1] = { ...last, endedAt: event.at, endDetectedAt: now };
  }
}

/** The recheck that the rules request here but that was never made, if the next result says how it would have ended. */
function assumedRecheck(
  { recheckDelayMs, config }: Period,
  result: ReceivedResult,
  events: readonly StatusEvent[],
  queue: readonly (ReceivedResult | Mark)[],
): ReceivedResult | null {
  if (recheckDelayMs === undefined) return null;
  const isRequested = events.some((event) => event.type === "recheck" && event.location === result.location);
  if (!isRequested) return null;
  const tookMs = Math.max(0, result.receivedAt - result.at);
  const at = result.receivedAt + recheckDelayMs;
  const next = queue.find((one) => !("type" in one) && one.location === result.location) as
    | ReceivedResult
    | undefined;
  const slackMs = Math.min(config.intervalMs / 4, config.timeoutMs);
  if (!next || next.at <= at + slackMs) return null;
  if ((next.verdict === "failed") !== (result.verdict === "failed")) return null;
  return { ...result, at, receivedAt: at + tookMs };
}

/** What is known of a monitor at the start of a range: its status, and the votes of the results before. */
export function stateBefore(
  { status, since, initial }: { status: MonitorState["status"]; since: number; initial: MonitorState },
  results: readonly ReceivedResult[],
  config: StatusConfig,
): MonitorState {
  const locations: Record<string, LocationState> = {};
  for (const result of results.toSorted((a, b) => a.at - b.at)) {
    if (result.verdict === "probe_fault") continue;
    locations[result.location] = castVote(locations[result.location], result, config);
  }
  const outage = status === "down" ? { startedAt: since, detectedAt: since } : null;
  return { ...initial, status, since, historyAt: since, locations, outage };
}
