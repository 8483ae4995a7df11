import { resultState } from "../../checks/outcome.ts";
import type { RecordedChange } from "../../engine/queries/transitions.ts";
import { isOnGrid } from "../../engine/schedule/plan.ts";
import { countsAsUp } from "../../engine/status/confirmations.ts";
import { SUPPRESSION_CODES } from "../../engine/status/held-by-parents.ts";
import { failingNeeded, upNeeded } from "../../engine/status/quorum.ts";
import type { LocationState, StatusConfig } from "../../engine/status/state.ts";
import type { Monitor } from "../../monitors/queries/monitors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { milliseconds, sentenceOf, timestamp, timestampOrNull } from "../../platform/operations/field.ts";
import type { Running } from "../../platform/operations/operation.ts";
import type { ShownService } from "../queries/affected-services.ts";
import { toSentence } from "../schemas/incident-explanation.ts";
import {
  checkKey,
  configOf,
  type LocatedResult,
  type Replayed,
  type ReplayedTransition,
  readPeriod,
  replay,
  type StoredPeriod,
} from "./replay.ts";

/** Other settings than its own; what is absent stays as it is. */
export type OtherSettings = Partial<Pick<StatusConfig, "confirmations" | "recoveries" | "quorum">>;

/** An outage of a monitor that there still is. */
export type KnownOutage = ShownService & { outageStartedAt: number };

const MAX_RESULTS_SHOWN = 10;

/** Why one monitor's outage opened and closed; `other`: what these settings would have done. */
export async function explainOutage(
  ctx: Running,
  outage: KnownOutage,
  {
    monitor,
    other,
    maxResults,
  }: { monitor: Monitor | undefined; other: OtherSettings | null; maxResults: number },
) {
  const named = {
    ...{
      name: outage.name,
      monitorId: outage.monitorId,
      monitorUuid: outage.monitorUuid,
      kind: outage.monitorKind,
    },
    startedAt: timestamp(outage.outageStartedAt),
    endedAt: timestampOrNull(outage.outageEndedAt),
    maintenanceUntil: timestampOrNull(outage.maintenanceUntil),
  };
  if (!monitor) {
    const unknown = { confirmations: null, recoveries: null, recheckDelaySeconds: null, isReproduced: false };
    const notes = [toSentence(msg("explain.deleted"))];
    return { ...named, ...unknown, notes, transitions: [], whatIf: null };
  }
  const { confirmations, recoveries, recheckDelaySeconds } = monitor;
  const span = { startedAt: outage.outageStartedAt, endedAt: outage.outageEndedAt, maxResults };
  const stored = await readPeriod(ctx, monitor, span);
  const own = replay(stored.period);
  const isReproduced = isSameCourse(stored, own);
  // A device reports its own state: there are no checks and no votes.
  const isReported = monitor.kind === "device";
  const explaining = {
    own,
    stored,
    config: configOf(monitor),
    isRecheck: recheckIn(own, monitor),
    isReported,
  };
  const hasResults = stored.period.results.length > 0;
  return {
    ...named,
    ...{ confirmations, recoveries, recheckDelaySeconds, isReproduced },
    notes: [...notesOnMaintenance(outage), ...notesOn(stored, { isReproduced, hasResults })].map(toSentence),
    transitions: stored.recorded.map((one) => explain(one, explaining)),
    whatIf: other && hasResults && !isReported ? projectWhatIf(stored, own, other, monitor) : null,
  };
}

/** Of a parent's part in it the history has the times at which this was seen, not those of the checks. */
const isOfParents = ({ reason }: { reason: MessageDescriptor | null }): boolean =>
  SUPPRESSION_CODES.has(reason?.code ?? "");

/** The same change in the replay. */
function findSame(recorded: RecordedChange, { transitions }: Replayed): ReplayedTransition | undefined {
  const { toStatus, at, reason } = recorded;
  if (!isOfParents(recorded)) return transitions.find((one) => one.to === toStatus && one.at === at);
  return transitions.findLast((one) => one.reason?.code === reason?.code && one.at <= at);
}

/** Whether the replay gives what was recorded, as far as it goes. */
function isSameCourse({ recorded, period }: StoredPeriod, { transitions }: Replayed): boolean {
  const seen = recorded.filter((one) => one.detectedAt <= period.until && !isOfParents(one));
  const first = seen[0]?.at;
  if (first === undefined) return false;
  const again = transitions.filter((one) => one.at >= first && !isOfParents(one)).slice(0, seen.length);
  return (
    again.length === seen.length &&
    again.every(({ to, at }, index) => to === seen[index]?.toStatus && at === seen[index]?.at)
  );
}

/** Why no notification is sent at the moment. */
const notesOnMaintenance = ({ maintenanceUntil, outageEndedAt }: KnownOutage): MessageDescriptor[] =>
  maintenanceUntil === null || outageEndedAt !== null
    ? []
    : [msg("explain.maintenance", { until: new Date(maintenanceUntil).toISOString() })];

function notesOn(
  { cutAt }: StoredPeriod,
  { isReproduced, hasResults }: { isReproduced: boolean; hasResults: boolean },
): MessageDescriptor[] {
  if (!hasResults) return [msg("explain.no_results")];
  return [
    ...(cutAt === null ? [] : [msg("explain.cut", { until: new Date(cutAt).toISOString() })]),
    ...(isReproduced ? [] : [msg("explain.differs")]),
  ];
}

/** Whether a check was a recheck that the rules requested: one at a time of the monitor's grid would have been made anyway. */
const recheckIn =
  ({ requestedRechecks }: Replayed, { id, intervalSeconds }: Monitor) =>
  ({ location, scheduledAt }: LocatedResult): boolean =>
    requestedRechecks.has(checkKey(location, scheduledAt)) &&
    !isOnGrid(id, intervalSeconds * 1000, scheduledAt);

interface Explaining {
  own: Replayed;
  stored: StoredPeriod;
  config: StatusConfig;
  isRecheck: (result: LocatedResult) => boolean;
  isReported: boolean;
}

function explain(recorded: RecordedChange, { own, stored, config, isRecheck, isReported }: Explaining) {
  const same = findSame(recorded, own);
  const { fresh, failing, failingNeeded, upNeeded } = tallied(same?.locations ?? {}, config);
  return {
    ...{ from: recorded.fromStatus, to: recorded.toStatus },
    ...{ at: timestamp(recorded.at), detectedAt: timestamp(recorded.detectedAt) },
    ...toSentence(
      same && !isOfParents(recorded) && !isReported
        ? messageOfTransition(same, config)
        : messageOfRecord(recorded),
    ),
    ...{ locationsHeard: fresh, locationsFailing: failing, failingNeeded, upNeeded },
    votes: Object.entries(isReported ? {} : (same?.locations ?? {})).map(([location, one]) => ({
      ...{ location, vote: one.vote, failures: one.failures, successes: one.successes },
      since: timestamp(one.vote === "stale" ? one.lastAt : one.runSince),
      ...toSentence(messageOfVote(location, one, config)),
    })),
    results: same ? resultsBehind(same, stored.results, isRecheck) : [],
  };
}

/** The checks of the runs that the votes are made of, as far as they came before the transition was seen. */
function resultsBehind(
  { locations }: ReplayedTransition,
  results: readonly LocatedResult[],
  isRecheck: Explaining["isRecheck"],
) {
  return Object.entries(locations)
    .flatMap(([code, { vote, runSince, lastAt }]) => {
      const own = results.filter(({ location, scheduledAt }) => location === code && scheduledAt <= lastAt);
      const run = own.filter(({ scheduledAt }) => vote !== "stale" && scheduledAt >= runSince);
      return run.slice(-MAX_RESULTS_SHOWN).map((result) => projectResult(result, own, isRecheck(result)));
    })
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function projectResult(result: LocatedResult, own: readonly LocatedResult[], isRecheck: boolean) {
  const { location, scheduledAt, outcome, totalUs, reason, message } = result;
  const previous = own[own.indexOf(result) - 1];
  const sincePrevious = previous ? scheduledAt - previous.scheduledAt : null;
  const said = reason ?? message;
  return {
    ...{
      location,
      at: timestamp(scheduledAt),
      state: resultState(outcome),
      responseTime: milliseconds(totalUs),
    },
    ...{ isRecheck, sincePrevious, message: sentenceOf(said), fact: said },
  };
}

function projectWhatIf(stored: StoredPeriod, own: Replayed, other: OtherSettings, monitor: Monitor) {
  const { period, recorded, span } = stored;
  const config = { ...period.config, ...other };
  const recheckDelayMs = monitor.recheckDelaySeconds * 1000;
  const course = replay({ ...period, config, recheckDelayMs });
  const detectedAt = recorded.find(({ toStatus }) => toStatus === "down")?.detectedAt ?? span.startedAt;
  const compared = { own, other: course, config, detectedAt };
  const { messages, ...found } = compareCourses({
    ...compared,
    since: span.startedAt,
    until: span.endedAt ?? period.until,
  });
  return {
    ...found,
    detectedAt: timestampOrNull(found.detectedAt),
    resolvedAt: timestampOrNull(found.resolvedAt),
    sentences: messages.map(toSentence),
  };
}

/** What an outage would have come to under other settings. Times in milliseconds. */
interface WhatIf {
  confirmations: number;
  recoveries: number;
  /** Locations that have to fail; null: more than half of them. */
  quorum: number | null;
  alarms: number;
  detectedAt: number | null;
  resolvedAt: number | null;
  assumedResults: number;
  messages: MessageDescriptor[];
}

type Outage = Replayed["outages"][number];

/** What is compared: both courses, as far as they are about the outage that lasted from `since` to `until`. */
interface Courses {
  since: number;
  until: number;
  /** When it was detected, should its own settings of today no longer show it. */
  detectedAt: number;
  own: Replayed;
  other: Replayed;
  config: StatusConfig;
}

/** Says what the other settings would have changed: when, how long, how often. */
function compareCourses({ since, until, detectedAt, own, other, config }: Courses): WhatIf {
  const within = (outage: Outage) => outage.detectedAt >= since && outage.startedAt <= until;
  const [before, after] = [own.outages.filter(within), other.outages.filter(within)];
  const { confirmations, recoveries, quorum } = config;
  const settings = {
    ...{ confirmations, recoveries },
    ...(quorum === undefined
      ? { quorum: "majority" as const }
      : { quorum: "count" as const, locations: quorum }),
  };
  const first = after[0];
  const messages = [
    ...(first
      ? [messageOfDetection(settings, first.detectedAt - (before[0]?.detectedAt ?? detectedAt))]
      : []),
    ...(first ? messagesOfEnd(before.at(-1), after.at(-1)) : [msg("whatif.none", settings)]),
    ...(after.length > Math.max(1, before.length)
      ? [msg("whatif.several", { count: after.length, before: Math.max(1, before.length) })]
      : []),
    ...(other.assumed > 0 ? [msg("whatif.assumed", { count: other.assumed })] : []),
  ];
  return {
    ...{ confirmations, recoveries, quorum: quorum ?? null, alarms: after.length },
    detectedAt: first?.detectedAt ?? null,
    resolvedAt: after.at(-1)?.endDetectedAt ?? null,
    assumedResults: other.assumed,
    messages,
  };
}

type Settings = {
  confirmations: number;
  recoveries: number;
  quorum: "majority" | "count";
  locations?: number;
};

/** Differences below this are of no interest to anybody. */
const SAME_MS = 500;

function messageOfDetection(settings: Settings, byMs: number): MessageDescriptor {
  if (Math.abs(byMs) < SAME_MS) return msg("whatif.same", settings);
  return msg(byMs > 0 ? "whatif.later" : "whatif.earlier", { ...settings, by: Math.abs(byMs) });
}

function messagesOfEnd(before: Outage | undefined, after: Outage | undefined): MessageDescriptor[] {
  if (!before || !after || before.endDetectedAt === null) return [];
  if (after.endDetectedAt === null) return [msg("whatif.open")];
  const byMs = after.endDetectedAt - before.endDetectedAt;
  if (Math.abs(byMs) < SAME_MS) return [];
  return [msg(byMs > 0 ? "whatif.closed_later" : "whatif.closed_earlier", { by: Math.abs(byMs) })];
}

type Located = readonly [code: string, location: LocationState];

const time = (ms: number): string => new Date(ms).toISOString();
const behind = (reason: MessageDescriptor | null | undefined) => (reason ? { because: reason } : {});

/** The thresholds that a transition went by, and how many locations were on which side of them. */
interface Tallied {
  fresh: number;
  failing: number;
  up: number;
  failingNeeded: number;
  upNeeded: number;
}

/** Counts the votes behind a transition. */
function tallied(locations: Record<string, LocationState>, config: StatusConfig): Tallied {
  const freshVotes = Object.values(locations).filter(({ vote }) => vote !== "stale");
  return {
    fresh: freshVotes.length,
    failing: freshVotes.filter(({ vote }) => vote === "failing").length,
    up: freshVotes.filter(countsAsUp).length,
    failingNeeded: failingNeeded(freshVotes.length, config),
    upNeeded: upNeeded(freshVotes.length, config),
  };
}

/** Why a status changed, as the votes behind it say. */
function messageOfTransition(transition: ReplayedTransition, config: StatusConfig): MessageDescriptor {
  const { to, reason } = transition;
  const counts = tallied(transition.locations, config);
  const freshVotes = Object.entries(transition.locations).filter(([, { vote }]) => vote !== "stale");
  const first = firstOf(
    freshVotes.filter(([, one]) => (to === "down" ? one.vote === "failing" : countsAsUp(one))),
  );
  if (to === "down" && first) return messageOfFailure(first, counts, config);
  if (to === "up" && first)
    return messageOfSuccess(first, counts, { config, isFirst: transition.from === "unknown" });
  if (to === "degraded" && freshVotes.length > 0) {
    const { fresh, failing, failingNeeded: needed } = counts;
    return { ...msg("explain.degraded", { failing, fresh, needed }), ...behind(reason) };
  }
  return messageOfRecord({ toStatus: to, at: transition.at, reason });
}

function messageOfFailure(
  [location, one]: Located,
  counts: Tallied,
  { confirmations }: StatusConfig,
): MessageDescriptor {
  const first = time(one.runSince);
  const { fresh, failing, failingNeeded: needed } = counts;
  if (fresh > 1)
    return { ...msg("explain.down", { failing, fresh, needed, first, location }), ...behind(one.reason) };
  if (confirmations === 1) return { ...msg("explain.down_once", { location, first }), ...behind(one.reason) };
  const { failures } = one;
  return {
    ...msg("explain.down_alone", { failures, needed: confirmations, location, first }),
    ...behind(one.reason),
  };
}

function messageOfSuccess(
  [location, one]: Located,
  { fresh, up, upNeeded: needed }: Tallied,
  { config: { recoveries }, isFirst }: { config: StatusConfig; isFirst: boolean },
): MessageDescriptor {
  const first = time(one.runSince);
  if (fresh > 1) return msg("explain.up", { up, fresh, needed, first, location });
  if (isFirst && one.successes === 1) return msg("explain.first", { first, location });
  if (recoveries === 1) return msg("explain.up_once", { location, first });
  return msg("explain.up_alone", { successes: one.successes, needed: recoveries, location, first });
}

const firstOf = (locations: readonly Located[]): Located | undefined =>
  locations.toSorted(([, a], [, b]) => a.runSince - b.runSince)[0];

/** A change of which nothing is known but what was recorded. */
function messageOfRecord({
  toStatus,
  at,
  reason,
}: Pick<RecordedChange, "toStatus" | "at" | "reason">): MessageDescriptor {
  const own = { at: time(at) };
  const because = behind(reason?.because);
  if (reason?.code === "watch.behind")
    return { ...msg("explain.held_back", { ...own, name: `${reason.params?.["name"]}` }), ...because };
  if (reason?.code === "watch.released") return msg("explain.released", own);
  if (reason?.code === "watch.notified") return { ...msg("explain.notified", own), ...because };
  return { ...msg("explain.recorded", { state: toStatus, ...own }), ...behind(reason) };
}

/** How a location voted, and from what. */
function messageOfVote(location: string, one: LocationState, config: StatusConfig): MessageDescriptor {
  const { vote, failures, successes, reason } = one;
  const since = time(one.runSince);
  if (vote === "stale") return msg("explain.vote_stale", { location, since: time(one.lastAt) });
  if (vote === "failing") {
    return { ...msg("explain.vote_failing", { location, count: failures, since }), ...behind(reason) };
  }
  if (vote === "suspect") {
    const counted = { location, count: failures, since, needed: config.confirmations };
    return { ...msg("explain.vote_suspect", counted), ...behind(reason) };
  }
  if (vote === "ok") return msg("explain.vote_ok", { location, count: successes, since });
  return msg("explain.vote_recovering", { location, count: successes, since, needed: config.recoveries });
}
