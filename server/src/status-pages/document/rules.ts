import {
  type StatusChange,
  type StatusTime,
  timeByStatus,
  uptimePercentage,
  worstStatus,
} from "../../engine/status/uptime.ts";
import type { Impact, Status } from "../../platform/monitor-defaults.ts";
import type { MeasuredStatus, Overall, PublicDay, ShownStatus } from "./public-page.ts";

export const MEASURED_STATUS_OF: Readonly<Record<Status, MeasuredStatus>> = {
  up: "operational",
  degraded: "degraded",
  down: "outage",
  unknown: "unknown",
};

/**
 * A paused monitor is not checked, maintenance hides its findings, and a flapping monitor is degraded while
 * it is up.
 */
export function componentStatus(monitor: {
  status: Status;
  enabled: boolean;
  flapping: boolean;
  isMaintained: boolean;
}): MeasuredStatus {
  if (!monitor.enabled) return "paused";
  if (monitor.isMaintained) return "maintenance";
  return monitor.flapping && monitor.status === "up" ? "degraded" : MEASURED_STATUS_OF[monitor.status];
}

/** Ascending. */
const WORSE: readonly ShownStatus[] = [
  "paused",
  "unknown",
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "outage",
];

/** `unknown` for none. */
export function worstOf<Shown extends ShownStatus>(statuses: readonly Shown[]): Shown | "unknown" {
  const worst = Math.max(...statuses.map((status) => WORSE.indexOf(status)));
  return statuses.find((status) => status === WORSE[worst]) ?? "unknown";
}

/** Paused components do not count. */
export function groupStatus(components: readonly ShownStatus[]): ShownStatus {
  const worst = worstOf(components);
  return worst === "outage" && !areAllOut(components) ? "partial_outage" : worst;
}

const areAllOut = (components: readonly ShownStatus[]): boolean =>
  components.every((status) => status === "outage" || status === "paused");

const WORST_OVERALL: readonly Overall[] = [
  "unknown",
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
];

/** Reported impacts count as much as measurements. */
const OF_IMPACT: Readonly<Record<Impact, Overall>> = {
  none: "unknown",
  minor: "degraded",
  major: "partial_outage",
  critical: "major_outage",
};

const COMPONENT_OF_IMPACT: Readonly<Record<Impact, ShownStatus>> = {
  none: "unknown",
  minor: "degraded",
  major: "partial_outage",
  critical: "outage",
};

/** The worse of both. */
export function reportedStatus(measured: ShownStatus, impacts: readonly Impact[]): ShownStatus {
  const impactStates = impacts
    .filter((impact) => impact !== "none")
    .map((impact) => COMPONENT_OF_IMPACT[impact]);
  return worstOf([measured, ...impactStates]);
}

/** `reported`: the impacts of open incidents that people opened. */
export function overallOf(components: readonly MeasuredStatus[], reported: readonly Impact[]): Overall {
  const all = [overallOfComponents(components), ...reported.map((impact) => OF_IMPACT[impact])];
  return all.reduce((a, b) => (WORST_OVERALL.indexOf(b) > WORST_OVERALL.indexOf(a) ? b : a));
}

function overallOfComponents(components: readonly MeasuredStatus[]): Overall {
  const worst = worstOf(components);
  if (worst === "paused") return "unknown";
  if (worst !== "outage") return worst;
  return areAllOut(components) ? "major_outage" : "partial_outage";
}

const MAX_OUTAGES = 10;

/** For days, uptime and incidents. */
export const PAGE_DAYS = 90;

/** In the page's zone, milliseconds; the end is exclusive. */
export interface CalendarDay {
  date: string;
  from: number;
  to: number;
}

/** Oldest first, today last. A day may have 23 or 25 hours. */
export function lastDays(now: number, timeZone: string, count: number): CalendarDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const dates = Array.from({ length: count + 1 }, (_, at) => today.add({ days: at + 1 - count }));
  const starts = dates.map((date) => date.toZonedDateTime(timeZone).epochMilliseconds);
  return starts
    .slice(0, -1)
    .map((from, at) => ({ date: String(dates[at]), from, to: starts[at + 1] as number }));
}

/** Two decimals, rounded down: 99.999 is not 100. */
const shownUptime = (percentage: number | null): number | null =>
  percentage === null ? null : Math.floor(percentage * 100 + 1e-6) / 100;

export const uptimeOverDays = (
  history: readonly StatusChange[],
  days: readonly CalendarDay[],
  now: number,
): number | null => shownUptime(uptimePercentage(history, days[0]?.from ?? now, now));

/** Where that is later than the first of the days; null otherwise. */
export function measuredSince(history: readonly StatusChange[], days: readonly CalendarDay[]): number | null {
  const first = history.find(({ status }) => status !== "unknown");
  return first && first.at > (days[0]?.from ?? first.at) ? first.at : null;
}

/** `history` begins with the state at the first day's start; it is read once. */
export function publicDays(
  history: readonly StatusChange[],
  days: readonly CalendarDay[],
  now: number,
): PublicDay[] {
  let next = 0;
  return days.map(({ date, from, to }) => {
    const until = Math.min(to, now);
    while (next < history.length && (history[next] as StatusChange).at <= from) next += 1;
    const first = Math.max(next - 1, 0);
    while (next < history.length && (history[next] as StatusChange).at < until) next += 1;
    return dayOf(date, history.slice(first, next), { from, until, isOver: to <= now });
  });
}

interface Span {
  from: number;
  until: number;
  isOver: boolean;
}

function dayOf(date: string, changes: readonly StatusChange[], span: Span): PublicDay {
  const { from, until } = span;
  const time = timeByStatus(changes, from, until);
  const known = time.upMs + time.downMs;
  return {
    date,
    status: dayStatus(changes, time, span),
    uptime: known > 0 ? shownUptime((100 * time.upMs) / known) : null,
    outages: time.downMs > 0 ? outagesIn(changes, span) : [],
  };
}

function dayStatus(
  changes: readonly StatusChange[],
  { upMs, downMs }: StatusTime,
  { from, until }: Span,
): PublicDay["status"] {
  if (upMs + downMs > 0) return MEASURED_STATUS_OF[worstStatus(changes, from, until)];
  const isMaintained = changes.some(
    ({ at, maintenance }, index) =>
      maintenance && Math.min(changes[index + 1]?.at ?? until, until) > Math.max(at, from),
  );
  return isMaintained ? "maintenance" : "no_data";
}

/** A change that leaves the monitor down, such as of the reason, ends no outage. */
function outagesIn(changes: readonly StatusChange[], { from, until, isOver }: Span): PublicDay["outages"] {
  const outages: { from: number; to: number }[] = [];
  for (const [index, { at, status, maintenance }] of changes.entries()) {
    if (status !== "down" || maintenance) continue;
    const begin = Math.max(at, from);
    const end = Math.min(changes[index + 1]?.at ?? until, until);
    if (end <= begin) continue;
    const last = outages.at(-1);
    if (last?.to === begin) last.to = end;
    else outages.push({ from: begin, to: end });
  }
  const goesOn = !isOver && outages.at(-1)?.to === until ? outages.at(-1) : undefined;
  return outages
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_OUTAGES)
    .sort((a, b) => a.from - b.from)
    .map((one) => ({ from: one.from, to: one === goesOn ? null : one.to }));
}
