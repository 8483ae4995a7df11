import type { Severity } from "../../incident/states.ts";
import type { Hours } from "./filter.ts";
import { areSentAt, nextBeginning } from "./hours.ts";
import type { ToldEvent } from "./message.ts";

const MINUTE_MS = 60_000;
/** What comes soon after another message waits so long for more of its kind. */
const GATHER_MS = 5_000;
/** More events than that within a minute are a burst, which becomes one message. */
export const SINGLE_EVENTS = 10;
/** What had to wait in a burst is still part of it when its turn comes, for so long. */
const BURST_LASTS_MS = 2 * MINUTE_MS;

/** Something that a channel is to be told, and has not been tried yet. Times in milliseconds. */
export interface Untold {
  id: number;
  threadId: number;
  /** The incident that has by now what it tells of, and the monitor; null: none. */
  incidentId: number | null;
  monitorId: number | null;
  event: ToldEvent;
  severity: Severity;
  createdAt: number;
  /** It is what those wait for who were told of a trouble (`settlesTrouble`). */
  isEnd: boolean;
  /** The trouble it is about is over. */
  isOver: boolean;
  /** Of an end: the messages that alone said of what is over that it had begun; empty: others did. */
  saidBy: readonly number[];
  /** It speaks for others besides its monitor. */
  isShared: boolean;
  /** Something about that trouble got there. */
  isTold: boolean;
  /** It had to wait for the channel's hours. */
  isHeld: boolean;
}

/** What has become of a channel's messages lately. */
export interface Pace {
  hours: Hours | null;
  timeZone: string;
  /** A program reads it: each event is a message of its own, at once. */
  isProgram: boolean;
  /** When its two newest messages got there. */
  sentAt: readonly number[];
  /** When the newest of its events came that SINGLE_EVENTS others followed; null: it had no more than these. */
  followedAt: number | null;
}

/** What to do with what a channel is to be told. Ids; whatever is named nowhere is sent now, the oldest first. */
export interface Plan {
  /** Until the channel's hours begin. */
  held: { ids: number[]; until: number } | null;
  /** For more. */
  waiting: { ids: number[]; until: number } | null;
  /** Held until it was over. */
  over: number[];
  /** Held, and something newer is known of the same trouble. */
  outdated: number[];
  /** The end of what never got there. */
  unheard: number[];
  /** Becomes one message. `isSummary`: of what was held. */
  digest: { ids: number[]; isSummary: boolean } | null;
}

/** What is sent now of these. */
export function sentNow(ids: readonly number[], plan: Plan): number[] {
  const { held, waiting, over, outdated, unheard, digest } = plan;
  const others = [held?.ids, waiting?.ids, over, outdated, unheard, digest?.ids];
  const named = new Set(others.flatMap((own) => own ?? []));
  return ids.filter((id) => !named.has(id));
}

const NOTHING: Plan = { held: null, waiting: null, over: [], outdated: [], unheard: [], digest: null };

/**
 * When a channel is told what it is to be told, so that it is neither late nor a flood: the first message goes at once; what
 * follows waits five seconds for more; a burst becomes a message at once, one five seconds later, and one a minute after
 * that. Outside of the channel's hours everything waits but what is critical, and the end of what was told; when they begin,
 * what is still true of it is one message. `untold`: oldest first.
 */
export function planOf(untold: readonly Untold[], pace: Pace, now: number): Plan {
  const unheard = unheardOf(untold, new Set(heldNow(untold, pace, now)));
  return { ...planFor(without(untold, unheard), pace, now), unheard: idsOf(unheard) };
}

/** Ends of which no beginning got there, nor is about to. */
function unheardOf(untold: readonly Untold[], held: ReadonlySet<Untold>): Untold[] {
  const firsts = new Map(untold.toReversed().map(({ threadId, id }) => [threadId, id]));
  const isFirst = ({ threadId, id }: Untold) => firsts.get(threadId) === id;
  const said = new Set(idsOf(untold.filter((one) => !held.has(one) && !(one.isHeld && one.isOver))));
  return untold.filter((one) => {
    const { isEnd, isTold, saidBy } = one;
    if (!isEnd) return false;
    return (!isTold && isFirst(one)) || (saidBy.length > 0 && !saidBy.some((id) => said.has(id)));
  });
}

function planFor(untold: readonly Untold[], pace: Pace, now: number): Plan {
  const held = heldNow(untold, pace, now);
  if (held.length > 0) {
    const until = pace.hours && nextBeginning(pace.hours, now, pace.timeZone);
    return {
      ...planFor(without(untold, held), pace, now),
      held: { ids: idsOf(held), until: until ?? now + 60 * MINUTE_MS },
    };
  }
  const waited = untold.filter(({ isHeld }) => isHeld);
  if (waited.length > 0) return summaryOf(waited, pace);
  if (untold.length === 0 || pace.isProgram) return NOTHING;
  return paced(untold, pace, now);
}

const idsOf = (untold: readonly Untold[]): number[] => untold.map(({ id }) => id);
const without = (untold: readonly Untold[], some: readonly Untold[]): Untold[] => {
  const left = new Set(some);
  return untold.filter((one) => !left.has(one));
};

function heldNow(untold: readonly Untold[], { hours, timeZone }: Pace, now: number): Untold[] {
  if (hours === null || areSentAt(hours, now, timeZone)) return [];
  return untold.filter(({ severity, isEnd, isTold }) => severity !== "critical" && !(isEnd && isTold));
}

/** Of what was held: the newest of each trouble that is not over. */
function summaryOf(waited: readonly Untold[], { isProgram }: Pace): Plan {
  const over = waited.filter(({ isOver }) => isOver);
  const open = without(waited, over);
  const newest = newestOf(open);
  return {
    ...NOTHING,
    over: idsOf(over),
    outdated: idsOf(without(open, newest)),
    digest: newest.length > 1 && !isProgram ? { ids: idsOf(newest), isSummary: true } : null,
  };
}

/**
 * Those in place of which nothing newer is there. In one thread there may be several troubles: what is newer says the same of a monitor,
 * unless the older one speaks for others, too; and that something is down the same of its incident.
 */
function newestOf(open: readonly Untold[]): Untold[] {
  const known = new Set<string>();
  const newest = open.toReversed().filter((one) => {
    const { threadId, incidentId, monitorId, event, isShared } = one;
    const ofMonitor = `${threadId} of ${monitorId}`;
    const ofIncident =
      event === "monitor.down" && incidentId !== null ? `${threadId} in ${incidentId}` : null;
    const isOutdated = (known.has(ofMonitor) && !isShared) || (ofIncident !== null && known.has(ofIncident));
    known.add(ofMonitor);
    // What is not sent itself says nothing of its incident.
    if (ofIncident !== null && !isOutdated) known.add(ofIncident);
    return !isOutdated;
  });
  return newest.toReversed();
}

function paced(untold: readonly Untold[], { sentAt, followedAt }: Pace, now: number): Plan {
  // Another server's clock may be a little ahead; one that was put back leaves times far ahead.
  const recent = sentAt.filter((at) => Math.abs(now - at) < MINUTE_MS);
  const last = Math.max(0, ...recent);
  const [first] = untold;
  const isMany = untold.length > SINGLE_EVENTS || (first !== undefined && isBurst(first, followedAt, now));
  if (recent.length === 0 || !first) return isMany && untold.length > 1 ? digestOf(untold) : NOTHING;
  if (!isMany) {
    const early = untold.filter(({ createdAt }) => createdAt > now - GATHER_MS);
    return early.length === 0 ? NOTHING : waitFor(early, (early[0] ?? first).createdAt + GATHER_MS, now);
  }
  const next = last + (recent.length === 1 ? GATHER_MS : MINUTE_MS);
  if (next > now) return waitFor(untold, next, now);
  return untold.length === 1 ? NOTHING : digestOf(untold);
}

/** Seen from the oldest of what waits. */
const isBurst = ({ createdAt }: Untold, followedAt: number | null, now: number): boolean =>
  followedAt !== null && followedAt > Math.max(createdAt, now - BURST_LASTS_MS) - MINUTE_MS;

const digestOf = (untold: readonly Untold[]): Plan => ({
  ...NOTHING,
  digest: { ids: idsOf(untold), isSummary: false },
});

const waitFor = (untold: readonly Untold[], until: number, now: number): Plan => ({
  ...NOTHING,
  waiting: { ids: idsOf(untold), until: Math.max(until, now + 1) },
});
