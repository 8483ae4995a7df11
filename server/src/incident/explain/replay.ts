import { pauseState } from "../../status/pause.ts";
import { castVote } from "../../status/quorum.ts";
import { applyParents, applyResult, applyTime, staleAt } from "../../status/rules.ts";
import type {
  Applied,
  LocationState,
  MonitorState,
  StatusConfig,
  StatusEvent,
  StatusResult,
  Transition,
} from "../../status/state.ts";

/** A stored result, and when its answer was there; milliseconds. */
export interface ReceivedResult extends StatusResult {
  receivedAt: number;
}

/**
 * What changed a status beside results: somebody paused or changed the monitor, maintenance began or ended, or what it depends
 * on went down or came back.
 */
export interface Mark {
  at: number;
  type: "stopped" | "maintenance_began" | "maintenance_ended" | "held_back" | "released";
}

/** A period of a monitor's life that the rules go through once more. */
export interface Period {
  begin: MonitorState;
  /** In any order. */
  results: readonly ReceivedResult[];
  marks: readonly Mark[];
  config: StatusConfig;
  /** Whether silence makes it unknown: so it is with everything that a probe asks. */
  isSwept: boolean;
  until: number;
  /**
   * For other settings than its own: rechecks that these ask for and that were never made are taken to have come out like
   * the checks before and after them, this long after the one before.
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
  /** `checkKey` of the results before which the rules had asked their location for a recheck. */
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

/** The recheck that the rules ask for here and that nobody made, if what came next says how it would have ended. */
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

/** What is known of a monitor when a stretch begins: its status, and the votes that the results before it come to. */
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
