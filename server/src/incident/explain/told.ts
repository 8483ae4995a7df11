import { failingNeeded, upNeeded } from "../../status/quorum.ts";
import type { LocationState, StatusConfig } from "../../status/state.ts";
import { countsAsUp } from "../../status/vote.ts";
import type { RecordedChange } from "../../store/queries/transitions.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import type { ReplayedTransition } from "./replay.ts";

type Located = readonly [code: string, location: LocationState];

const time = (ms: number): string => new Date(ms).toISOString();
const behind = (reason: Fact | null | undefined) => (reason ? { because: reason } : {});

/** The thresholds that a transition went by, and how many locations were on which side of them. */
export interface Tallied {
  fresh: number;
  failing: number;
  up: number;
  failingNeeded: number;
  upNeeded: number;
}

/** Counts the votes behind a transition. */
export function tallied(locations: Record<string, LocationState>, config: StatusConfig): Tallied {
  const heard = Object.values(locations).filter(({ vote }) => vote !== "stale");
  return {
    fresh: heard.length,
    failing: heard.filter(({ vote }) => vote === "failing").length,
    up: heard.filter(countsAsUp).length,
    failingNeeded: failingNeeded(heard.length, config),
    upNeeded: upNeeded(heard.length, config),
  };
}

/** Why a status changed, as the votes behind it say. */
export function factOfTransition(transition: ReplayedTransition, config: StatusConfig): Fact {
  const { to, reason } = transition;
  const counts = tallied(transition.locations, config);
  const heard = Object.entries(transition.locations).filter(([, { vote }]) => vote !== "stale");
  const first = firstOf(
    heard.filter(([, one]) => (to === "down" ? one.vote === "failing" : countsAsUp(one))),
  );
  if (to === "down" && first) return factOfFailure(first, counts, config);
  if (to === "up" && first)
    return factOfSuccess(first, counts, { config, isFirst: transition.from === "unknown" });
  if (to === "degraded" && heard.length > 0) {
    const { fresh, failing, failingNeeded: needed } = counts;
    return { ...fact("explain.degraded", { failing, fresh, needed }), ...behind(reason) };
  }
  return factOfRecord({ toStatus: to, at: transition.at, reason });
}

function factOfFailure([location, one]: Located, counts: Tallied, { confirmations }: StatusConfig): Fact {
  const first = time(one.runSince);
  const { fresh, failing, failingNeeded: needed } = counts;
  if (fresh > 1)
    return { ...fact("explain.down", { failing, fresh, needed, first, location }), ...behind(one.reason) };
  if (confirmations === 1)
    return { ...fact("explain.down_once", { location, first }), ...behind(one.reason) };
  const { failures } = one;
  return {
    ...fact("explain.down_alone", { failures, needed: confirmations, location, first }),
    ...behind(one.reason),
  };
}

function factOfSuccess(
  [location, one]: Located,
  { fresh, up, upNeeded: needed }: Tallied,
  { config: { recoveries }, isFirst }: { config: StatusConfig; isFirst: boolean },
): Fact {
  const first = time(one.runSince);
  if (fresh > 1) return fact("explain.up", { up, fresh, needed, first, location });
  if (isFirst && one.successes === 1) return fact("explain.first", { first, location });
  if (recoveries === 1) return fact("explain.up_once", { location, first });
  return fact("explain.up_alone", { successes: one.successes, needed: recoveries, location, first });
}

const firstOf = (locations: readonly Located[]): Located | undefined =>
  locations.toSorted(([, a], [, b]) => a.runSince - b.runSince)[0];

/** A change of which nothing is known but what was recorded. */
export function factOfRecord({
  toStatus,
  at,
  reason,
}: Pick<RecordedChange, "toStatus" | "at" | "reason">): Fact {
  const own = { at: time(at) };
  const because = behind(reason?.because);
  if (reason?.code === "watch.behind")
    return { ...fact("explain.held_back", { ...own, name: `${reason.params?.["name"]}` }), ...because };
  if (reason?.code === "watch.released") return fact("explain.released", own);
  if (reason?.code === "watch.told") return { ...fact("explain.told", own), ...because };
  return { ...fact("explain.recorded", { state: toStatus, ...own }), ...behind(reason) };
}

/** How a location voted, and from what. */
export function factOfVote(location: string, one: LocationState, config: StatusConfig): Fact {
  const { vote, failures, successes, reason } = one;
  const since = time(one.runSince);
  if (vote === "stale") return fact("explain.vote_stale", { location, since: time(one.lastAt) });
  if (vote === "failing") {
    return { ...fact("explain.vote_failing", { location, count: failures, since }), ...behind(reason) };
  }
  if (vote === "suspect") {
    const counted = { location, count: failures, since, needed: config.confirmations };
    return { ...fact("explain.vote_suspect", counted), ...behind(reason) };
  }
  if (vote === "ok") return fact("explain.vote_ok", { location, count: successes, since });
  return fact("explain.vote_recovering", { location, count: successes, since, needed: config.recoveries });
}
