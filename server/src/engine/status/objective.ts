import { type StatusChange, timeByStatus } from "./uptime.ts";

const HOUR_MS = 3_600_000;
/** The days that the numbers of the workbook refer to. */
const WORKBOOK_DAYS = 30;
/** The short span says that it still goes on: a twelfth of the long one. */
const SHORT = 12;
/** An alert that has begun goes on at this part of the rate, over short spans this many times as long. */
const STILL = { rate: 0.5, short: 2 };

/** How soon a person should look: now, or in these days. */
export type BurnLevel = "fast" | "slow";

/** When a budget counts as being used up too fast: over both of its spans. */
export interface BurnRule {
  level: BurnLevel;
  /** For an objective of 30 days; in proportion for others, so that each rule means the same part of the budget. */
  longMs: number;
  /** How many times as fast as the budget lasts. */
  rate: number;
}

/** 2 % of the budget in an hour, 5 % in six, 10 % in three days (The Site Reliability Workbook, "Alerting on SLOs"). */
export const BURN_RULES: readonly BurnRule[] = [
  { level: "fast", longMs: HOUR_MS, rate: 14.4 },
  { level: "fast", longMs: 6 * HOUR_MS, rate: 6 },
  { level: "slow", longMs: 72 * HOUR_MS, rate: 1 },
];

/** A rule as it is for an objective of so many days, with the length of its short span. Milliseconds. */
export function spansOf({ longMs }: BurnRule, { days }: Pick<Objective, "days">) {
  const own = (longMs * days) / WORKBOOK_DAYS;
  return { longMs: own, shortMs: own / SHORT };
}

/** How far back any rule looks, milliseconds. */
export const longestSpanMs = (objective: Pick<Objective, "days">): number =>
  Math.max(...BURN_RULES.map((rule) => spansOf(rule, objective).longMs));

/** Whether a level begins now; "goes on" is enough for one that has begun (hysteresis); "over": neither. */
export type Burn = "begins" | "goes on" | "over";
type Burning = Readonly<Record<BurnLevel, Burn>>;

/** How a budget is being used up at `now`. `history` as `timeByStatus` takes it, over the longest span at least. */
export function burningAt(history: readonly StatusChange[], objective: Objective, now: number): Burning {
  const burnOf = (level: BurnLevel): Burn => {
    const at = { level, now };
    if (ruleOf(history, objective, at)) return "begins";
    return ruleOf(history, objective, { ...at, ...STILL }) ? "goes on" : "over";
  };
  return { fast: burnOf("fast"), slow: burnOf("slow") };
}

/**
 * The rule by which a level begins, the first of them; null: by none. `rate` and `short`: at another part of its rate, over
 * short spans another number of times as long.
 */
export function ruleOf(
  history: readonly StatusChange[],
  objective: Objective,
  { level, now, rate = 1, short = 1 }: { level: BurnLevel; now: number; rate?: number; short?: number },
): BurnRule | null {
  const isAbove = (rule: BurnRule) => {
    const { longMs, shortMs } = spansOf(rule, objective);
    return [longMs, shortMs * short].every(
      (spanMs) => burnRate(history, objective, { now, spanMs }) >= rule.rate * rate,
    );
  };
  return BURN_RULES.find((rule) => rule.level === level && isAbove(rule)) ?? null;
}

/**
 * What people were notified of about a monitor's budget and is not over. "fast after slow": of both. "quiet": the rest of a fast
 * one that was announced as over: three days take longer to recover than an hour, which needs no notification.
 */
export type AlertState = BurnLevel | "fast after slow" | "quiet";

/** What comes next: the state from now on, null for none, and the event to notify of; null: none. */
interface Next {
  state: AlertState | null;
  notified: BurnLevel | "over" | null;
}

/** The next state of a monitor's alert. An event is repeated only after its end was announced. */
export function nextAlert(state: AlertState | null, { fast, slow }: Burning): Next {
  const wasFast = state === "fast" || state === "fast after slow";
  const wasSlow = state === "slow" || state === "fast after slow";
  if (fast === "begins" || (fast === "goes on" && wasFast)) {
    if (wasFast) return { state, notified: null };
    return { state: wasSlow ? "fast after slow" : "fast", notified: "fast" };
  }
  const isSlow = slow === "begins" || (slow === "goes on" && state !== null);
  if (wasSlow) return isSlow ? { state: "slow", notified: null } : { state: null, notified: "over" };
  if (state === "fast") return { state: isSlow ? "quiet" : null, notified: "over" };
  if (state === "quiet") return { state: isSlow ? "quiet" : null, notified: null };
  return isSlow ? { state: "slow", notified: "slow" } : { state: null, notified: null };
}

const DAY_MS = 86_400_000;

/** How much of the time a monitor should be up. */
export interface Objective {
  /** Of the time that counts, 0…99.999; 0: it has none. */
  percent: number;
  /** Of how many days that is, back from now. */
  days: number;
}

/** What an objective allows to be down, and what is left of it. Milliseconds. */
export interface ErrorBudget {
  /** Of all the days, without maintenance and what is unknown. */
  allowedMs: number;
  /** Confirmed downtime that counts. */
  usedMs: number;
  /** Less than nothing where more was used than is allowed. */
  leftMs: number;
  /** The same of what is allowed, percent; null where nothing counts, so that nothing is allowed. */
  leftPercent: number | null;
  /** Up and down: what the uptime is of. */
  knownMs: number;
  /** Time-weighted over the days, 0…100; null where nothing is known. */
  uptime: number | null;
}

/** When the days of an objective began, milliseconds. */
export const objectiveStart = ({ days }: Pick<Objective, "days">, now: number): number => now - days * DAY_MS;

/**
 * The budget at `now` (milliseconds). `history` as `timeByStatus` takes it, from the start of the days on. Maintenance and
 * what is unknown is neither allowed nor used; what came before a monitor was watched counts as up: of a new one all of the
 * budget is left, as it is of one that was never down.
 */
export function errorBudget(
  history: readonly StatusChange[],
  objective: Objective,
  now: number,
): ErrorBudget {
  const from = objectiveStart(objective, now);
  const { upMs, downMs, excludedMs } = timeByStatus(history, from, now);
  const untilWatchedMs = Math.min(Math.max((history[0]?.at ?? now) - from, 0), now - from);
  const countedMs = now - from - (excludedMs - untilWatchedMs);
  const allowedMs = countedMs * badShare(objective);
  const leftMs = allowedMs - downMs;
  const knownMs = upMs + downMs;
  return {
    ...{ allowedMs, usedMs: downMs, leftMs, knownMs },
    leftPercent: allowedMs > 0 ? (100 * leftMs) / allowedMs : null,
    uptime: knownMs > 0 ? (100 * upMs) / knownMs : null,
  };
}

/**
 * How fast the last `spanMs` went through the budget: at 1 it is used up exactly when its days are over, at 10 ten times
 * sooner. Of time alone: what was unknown or maintenance used nothing.
 */
export function burnRate(
  history: readonly StatusChange[],
  objective: Objective,
  { now, spanMs }: { now: number; spanMs: number },
): number {
  const { downMs } = timeByStatus(history, now - spanMs, now);
  return burnOf(downMs, objective, spanMs);
}

/** The same of a span that is known to have been down for `downMs`. */
export const burnOf = (downMs: number, objective: Objective, spanMs: number): number =>
  downMs / spanMs / badShare(objective);

/** How much of the time may be down, 0…1. */
const badShare = ({ percent }: Objective): number => (100 - percent) / 100;
