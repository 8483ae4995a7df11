import { endsByItself, type Starts, startsOf } from "./recurrence.ts";

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
  /** Those that are open at any time from `from` to before `to`, in order, skipped ones left out. */
  between(from: number, to: number): Occurrence[];
  /** The one that is open at `at`, else null. */
  openAt(at: number): Occurrence | null;
  /** The first that begins after `at`; null: there is none. */
  after(at: number): Occurrence | null;
  /** When the last one ends; null: there is no last one. */
  end(): number | null;
}

const DAY_MS = 86_400_000;
/** Of a rule that ends by itself; with at most 1000 occurrences anything further away is as good as never. */
const MAX_YEARS = 100;
/** Occurrences that follow each other and are looked at for one that is not skipped. */
const MAX_SKIPPED = 1_000;

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
  const between = (from: number, to: number) =>
    starts
      .between(from - durationMs, to)
      .flatMap(planned)
      .filter(({ endsAt }) => endsAt > from);
  const after = (at: number) => {
    let from = at;
    for (let tries = 0; tries < MAX_SKIPPED; tries += 1) {
      const start = starts.next(from + 1);
      if (start === null || !isBefore(start)) return null;
      const [found] = planned(start);
      if (found) return found;
      from = start;
    }
    return null;
  };
  return {
    between,
    after,
    openAt: (at) => between(at, at + 1)[0] ?? null,
    end() {
      if (schedule.recurrence !== null && until === null && !endsByItself(schedule.recurrence)) return null;
      const to = until ?? schedule.startsAt + MAX_YEARS * 366 * DAY_MS;
      const last = starts.between(schedule.startsAt, to).flatMap(planned).at(-1);
      return last?.endsAt ?? schedule.startsAt;
    },
  };
}

const once = (startsAt: number): Starts => ({
  between: (from, to) => (startsAt >= from && startsAt < to ? [startsAt] : []),
  next: (from) => (startsAt >= from ? startsAt : null),
});

const rule = ({ startsAt, timeZone }: Schedule, recurrence: string): Starts =>
  startsOf({ rule: recurrence, startsAt, timeZone });

/** The next occurrences from `at` on, the open one among them, at most `count`. */
export function nextOccurrences(occurrences: Occurrences, at: number, count: number): Occurrence[] {
  const open = occurrences.openAt(at);
  const found = open ? [open] : [];
  for (let from = open?.startsAt ?? at - 1; found.length < count; ) {
    const next = occurrences.after(from);
    if (next === null) break;
    found.push(next);
    from = next.startsAt;
  }
  return found;
}

/** The least time between the beginnings of two of the first hundred occurrences; null: there is one only. */
export function leastGapMs(schedule: Schedule): number | null {
  const plain = occurrencesOf({ ...schedule, exceptions: [], durationMs: 1 });
  const starts = nextOccurrences(plain, schedule.startsAt, 100).map(({ startsAt }) => startsAt);
  const gaps = starts.slice(1).map((at, index) => at - (starts[index] as number));
  return gaps.length === 0 ? null : Math.min(...gaps);
}
