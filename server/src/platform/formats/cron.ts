import { Cron } from "croner";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

/** When something is expected to run: every so often, or as its cron expression says. Times are milliseconds since 1970. */
export interface RunTimes {
  /** The run to expect after a signal at `at`. */
  after(at: number): number;
  /** Of the runs that `run` is one of, the first that is not before `at`. */
  notBefore(run: number, at: number): number;
  /** Of the same, from `run` on, the last that is not after `at`. */
  notAfter(run: number, at: number): number;
}

/** Each an interval after the one before. */
export const everyInterval = (intervalMs: number): RunTimes => ({
  after: (at) => at + intervalMs,
  notBefore: (run, at) => run + Math.max(0, Math.ceil((at - run) / intervalMs)) * intervalMs,
  notAfter: (run, at) => run + Math.max(0, Math.floor((at - run) / intervalMs)) * intervalMs,
});

const DAY_MS = 86_400_000;
/** Any year will do; leap days come within four more. */
const GAPS_FROM = new Date(Date.UTC(2024, 0, 1) - 1);
const GAPS_OVER_MS = 400 * DAY_MS;
/**
 * Years in which every date is every weekday at some time: what never runs in them never runs. Looking further
 * takes thirty times as long.
 */
const ALL_DAYS = "2024-2051";
/** Far beyond anything that is waited for. */
const NEVER = 8.64e15;
/** Clocks differ, and a job that signals this much before its run has done that run, not the one before. */
const EARLY_MS = 30_000;
/** But no more than so much of the time to the run after it. */
const EARLY_PART = 10;
/** Reading an expression takes as long as some answers of it; cached, it takes 80 KB. */
const MAX_KNOWN = 50;

const known = new Map<string, Cron>();

/** What is wrong with a cron expression; null for one of five fields, or a word such as @daily, that comes true at some time. */
export function cronProblem(expression: string): MessageDescriptor | null {
  const cron = parse(expression, "UTC", ALL_DAYS);
  if (cron === null) return msg("input.cron");
  return cron.nextRun(GAPS_FROM) === null ? msg("input.cron_never") : null;
}

/**
 * Null where a run cannot be computed here. A run in the hour that summer time skips comes after it; one with
 * fixed hours and minutes runs once in an hour that comes twice.
 */
export function cronTimes(expression: string, timeZone: string): RunTimes | null {
  const cron = knownCron(expression, timeZone);
  if (cron === null) return null;
  const next = (at: number) => cron.nextRun(new Date(at))?.getTime() ?? NEVER;
  return {
    after(at) {
      const run = next(at);
      if (run - at > EARLY_MS) return run;
      const second = next(run);
      return run - at <= (second - run) / EARLY_PART ? second : run;
    },
    notBefore: (run, at) => (at <= run ? run : next(at - 1)),
    notAfter: (run, at) =>
      Math.max(run, cron.previousRuns(1, new Date(at + 1))[0]?.getTime() ?? Number.NEGATIVE_INFINITY),
  };
}

function knownCron(expression: string, timeZone: string): Cron | null {
  const key = `${timeZone} ${expression}`;
  const cron = known.get(key) ?? parse(expression, timeZone);
  if (cron === null) return null;
  known.delete(key);
  known.set(key, cron);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return cron;
}

interface Gaps {
  shortest: number;
  longest: number;
}

const MAX_KNOWN_GAPS = 1_000;
const knownGaps = new Map<string, Gaps>();

/** The shortest and the longest time between two runs of a valid cron expression, in seconds, without summer time. */
export function cronGaps(expression: string): Gaps {
  const found = knownGaps.get(expression) ?? findGaps(expression);
  if (knownGaps.size >= MAX_KNOWN_GAPS) knownGaps.clear();
  knownGaps.set(expression, found);
  return found;
}

/** Takes ten milliseconds: the runs of a day, and the days of a year. */
function findGaps(expression: string): Gaps {
  const times = parse(expression, "UTC");
  const days = parse(withoutTime(expression), "UTC");
  if (times === null || days === null) throw new RangeError("No valid cron expression");
  const firstDay = days.nextRun(GAPS_FROM)?.getTime() ?? 0;
  const ofDay = runsBetween(times, firstDay - 1, (run) => run < firstDay + DAY_MS);
  const dayGaps = gaps(
    runsBetween(days, firstDay - 1, (run, count) => run < firstDay + GAPS_OVER_MS || count < 3),
  );
  const spanMs = (ofDay.at(-1) ?? 0) - (ofDay[0] ?? 0);
  const all = [...gaps(ofDay), ...dayGaps.map((gap) => gap - spanMs)];
  return { shortest: Math.min(...all) / 1000, longest: Math.max(...all) / 1000 };
}

function withoutTime(expression: string): string {
  const nickname = NICKNAMES[expression.trim().toLowerCase()];
  const [, , ...days] = (nickname ?? expression).trim().split(/\s+/);
  return ["0", "0", ...days].join(" ");
}

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** `years`: only these, for a search that ends. */
function parse(expression: string, timezone: string, years?: string): Cron | null {
  const text = expression.trim();
  try {
    const pattern = text.startsWith("@") ? NICKNAMES[text.toLowerCase()] : text;
    if (pattern === undefined) return null;
    // An offset takes a twentieth of the time that a zone takes.
    const zone = timezone === "UTC" ? { utcOffset: 0 } : { timezone };
    const fields = withoutSteps(pattern);
    const given =
      years === undefined
        ? ({ text: fields, mode: "5-part" } as const)
        : ({ text: `0 ${fields} ${years}`, mode: "7-part" } as const);
    const options = { ...zone, mode: given.mode, fixedTimeRule: "no-wildcard", paused: true } as const;
    const cron = new Cron(given.text, { ...options, domAndDow: hasStarDay(pattern) });
    // It looks at its time zone only now.
    cron.nextRun(GAPS_FROM);
    return cron;
  } catch {
    return null;
  }
}

/** Whether a day field begins with a star: a day must then fit both fields, as in cron(8), and not either. */
function hasStarDay(expression: string): boolean {
  const [, , day = "", , weekday = ""] = expression.split(/\s+/);
  return [day, weekday].some((field) => /^[*?]/.test(field));
}

/**
 * Stepped ranges as lists, unless the field begins with a star: only then does cron(8) follow the clock
 * blindly; else it runs a job once when the clock is set back, and after a skipped hour.
 */
function withoutSteps(expression: string): string {
  const [minute = "", hour = "", ...days] = expression.split(/\s+/);
  return [asList(minute, 59), asList(hour, 23), ...days].join(" ");
}

const asList = (field: string, max: number) =>
  /^[*?]/.test(field)
    ? field
    : field.replace(/(?:\*|(\d+)-(\d+))\/(\d+)/g, (range, first = 0, last = max, step) => {
        const [from, to, by] = [Number(first), Number(last), Number(step)];
        // Left as it is, it is refused.
        if (by < 1 || by > max + 1 || from > to || to > max) return range;
        return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by).join(",");
      });

function runsBetween(cron: Cron, from: number, isWanted: (run: number, count: number) => boolean): number[] {
  const runs: number[] = [];
  for (let at: number | undefined = from; ; ) {
    at = cron.nextRun(new Date(at))?.getTime();
    if (at === undefined || !isWanted(at, runs.length)) return runs;
    runs.push(at);
  }
}

const gaps = (runs: readonly number[]) => runs.slice(1).map((run, index) => run - (runs[index] as number));
