import { endsByItself, overBy, type Starts, startsOf } from "../../platform/formats/recurrence.ts";

/** When a window is open. Times and durations in milliseconds. */
export interface Schedule {
  /** The first occurrence, or the earliest that a rule may give. */
  startsAt: number;
  durationMs: number;
  timeZone: string;
  /** An RFC 5545 rule; null: once. */
  recurrence: string | null;
  /** No occurrence begins at this time or later; null: no such end. */
  until: number | null;
  exceptions: readonly Exception[];
}

/** An occurrence that is not as planned: ended early, or (`endsAt` null) skipped. */
export interface Exception {
  startsAt: number;
  endsAt: number | null;
}

export interface Occurrence {
  startsAt: number;
  endsAt: number;
}

export interface Occurrences {
  /** Those that are open at any time from `from` to before `to`, in order, skipped ones left out; at most `limit`. */
  between(from: number, to: number, limit?: number): Occurrence[];
  /** The one that is open at `at`, else null. */
  openAt(at: number): Occurrence | null;
  /** The first that begins after `at`; null: there is none. */
  after(at: number): Occurrence | null;
  /** When the last one ends; null: there is no last one. */
  end(): number | null;
}

const YEAR_MS = 366 * 86_400_000;
/** Of a rule that says how often; what is further away is as good as never. */
const MAX_YEARS = 50;

/** The occurrences of a window. Pure; the rule has been checked. */
export function occurrencesOf(schedule: Schedule): Occurrences {
  const { durationMs, until } = schedule;
  const starts = schedule.recurrence === null ? once(schedule.startsAt) : rule(schedule, schedule.recurrence);
  const changed = new Map(schedule.exceptions.map((one) => [one.startsAt, one.endsAt]));
  const isBefore = (at: number) => until === null || at < until;
  const planned = (startsAt: number): Occurrence[] => {
    if (!isBefore(startsAt)) return [];
    const endsAt = changed.get(startsAt);
    return endsAt === null ? [] : [{ startsAt, endsAt: endsAt ?? startsAt + durationMs }];
  };
  const between = (from: number, to: number, limit = Number.POSITIVE_INFINITY) => {
    const found: Occurrence[] = [];
    for (const start of starts.from(from - durationMs)) {
      if (start >= to || !isBefore(start) || found.length >= limit) break;
      found.push(...planned(start).filter(({ endsAt }) => endsAt > from));
    }
    return found;
  };
  const after = (at: number) => {
    for (const start of starts.from(at + 1)) {
      if (!isBefore(start)) break;
      const [found] = planned(start);
      if (found) return found;
    }
    return null;
  };
  return {
    between,
    after,
    openAt: (at) => between(at, at + 1, 1)[0] ?? null,
    end() {
      const { recurrence, startsAt } = schedule;
      if (recurrence !== null && until === null && !endsByItself(recurrence)) return null;
      const over = Math.min(
        until ?? Number.POSITIVE_INFINITY,
        overBy(recurrence ?? "") ?? Number.POSITIVE_INFINITY,
      );
      const to = Number.isFinite(over) ? over : startsAt + MAX_YEARS * YEAR_MS;
      // Seen from its end: all that a rule gives until the year 9999 would be too much.
      for (const years of Number.isFinite(over) ? [0.1, 1, 8, 32] : [MAX_YEARS]) {
        const from = Math.max(startsAt, to - years * YEAR_MS);
        const last = starts.between(from, to).flatMap(planned).at(-1);
        if (last) return last.endsAt;
        if (from === startsAt) break;
      }
      return startsAt;
    },
  };
}

const once = (startsAt: number): Starts => ({
  from: (from) => (startsAt >= from ? [startsAt] : []),
  between: (from, to) => (startsAt >= from && startsAt < to ? [startsAt] : []),
  next: (from) => (startsAt >= from ? startsAt : null),
});

const rule = ({ startsAt, timeZone }: Schedule, recurrence: string): Starts =>
  startsOf({ rule: recurrence, startsAt, timeZone });

/** The next occurrences from `at` on, the open one among them, at most `count`. */
export const nextOccurrences = (occurrences: Occurrences, at: number, count: number): Occurrence[] =>
  occurrences.between(at, Number.POSITIVE_INFINITY, count);

const COMPARED = 100;
/** Every pattern of days comes round within this; of what is rarer, two are compared. */
const COMPARED_YEARS = 4;

/** The least time between the beginnings of two of the first hundred occurrences within four years; null: there is one only. */
export function leastGapMs(schedule: Schedule): number | null {
  const plain = occurrencesOf({ ...schedule, exceptions: [], durationMs: 1 });
  const to = schedule.startsAt + COMPARED_YEARS * YEAR_MS;
  const close = plain.between(schedule.startsAt, to, COMPARED);
  const compared = close.length > 1 ? close : nextOccurrences(plain, schedule.startsAt, 2);
  const starts = compared.map(({ startsAt }) => startsAt);
  const gaps = starts.slice(1).map((at, index) => at - (starts[index] as number));
  return gaps.length === 0 ? null : Math.min(...gaps);
}
