import { bucketStart, RANGE_MS, startsBetween } from "../engine/results/precision.ts";
import { countsAs, type StatusChange } from "../engine/status/uptime.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Up to this length, points are hours: a week has 169. */
const LONGEST_BY_HOURS_MS = 8 * DAY_MS;

/** Of one length, beginning at these times (milliseconds). */
interface BucketsRead {
  periodSeconds: 3600 | 86_400;
  buckets: number[];
}

/** Milliseconds. */
export interface ReportPlan {
  from: number;
  to: number;
  /** Of a point. */
  stepMs: number;
  /** UTC; the first and the last may exceed `from` and `to`, which cut them. */
  points: number[];
  /** From the hour of `from` to that of `to`, whole days as days. */
  reads: BucketsRead[];
}

/** Plans the time from `from` to before `to`. Hours are retained from `hoursFrom` on; what is older is read by whole days. */
export function planReport({
  from,
  to,
  hoursFrom,
}: {
  from: number;
  to: number;
  hoursFrom: number;
}): ReportPlan {
  const begin = bucketStart(from, 3600);
  const isByHours = to - from <= LONGEST_BY_HOURS_MS && begin >= hoursFrom;
  const stepMs = isByHours ? HOUR_MS : DAY_MS;
  const points = startsBetween(bucketStart(from, isByHours ? 3600 : 86_400), to, stepMs);
  const plan = { from, to, stepMs, points };
  if (isByHours) return { ...plan, reads: [{ periodSeconds: 3600, buckets: points }] };
  const isRead = (day: number) => day < hoursFrom || (day >= begin && day + DAY_MS <= to);
  const hours = points
    .filter((day) => !isRead(day))
    .flatMap((day) => startsBetween(Math.max(day, begin), Math.min(day + DAY_MS, to), HOUR_MS));
  return {
    ...plan,
    reads: [
      { periodSeconds: 86_400, buckets: points.filter(isRead) },
      { periodSeconds: 3600, buckets: hours },
    ],
  };
}

export const pointOf = ({ points, stepMs }: ReportPlan, bucketAt: number): number =>
  Math.floor((bucketAt - (points[0] ?? 0)) / stepMs);

/** Milliseconds; `history` as in timeByStatus. */
export function addStatusTime(
  plan: ReportPlan,
  history: readonly StatusChange[],
  time: { upMs: Float64Array; downMs: Float64Array },
): void {
  const { from, to, stepMs, points } = plan;
  const [first = 0] = points;
  let reached = from;
  for (const [index, change] of history.entries()) {
    let begin = Math.max(reached, Math.min(change.at, to));
    reached = Math.min(Math.max(history[index + 1]?.at ?? to, reached), to);
    const counts = countsAs(change);
    if (counts === "excludedMs") continue;
    const sums = time[counts];
    while (begin < reached) {
      const point = pointOf(plan, begin);
      const end = Math.min(reached, first + (point + 1) * stepMs);
      sums[point] = (sums[point] as number) + end - begin;
      begin = end;
    }
  }
}

export const REPORT_RANGES = ["24h", "7d", "30d"] as const;
type ReportRange = (typeof REPORT_RANGES)[number];

/** A leap year. */
const MAX_REPORT_DAYS = 366;
/** Hourly roll-ups are retained for 400 days; the oldest may be gone already. */
const HOURLY_RETENTION_DAYS = 399;

/** Milliseconds. Either `from`, or `range`, which counts back from `to`. */
export interface WindowInput {
  range?: ReportRange | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Milliseconds, for MonitorReportQuery. */
export interface ReportWindow {
  from: number;
  to: number;
  hoursFrom: number;
  requested: string;
}

/**
 * Never beyond `now`. Throws a PublicError (422) for a range with `from`, a start in the future, an end
 * before the start, or more than 366 days.
 */
export function windowOf(input: WindowInput, now: number): ReportWindow {
  if (input.from !== undefined && input.range !== undefined) {
    throw invalidInput({ range: [msg("report.range")] });
  }
  const to = Math.min(input.to ?? now, now);
  const from = input.from ?? to - RANGE_MS[input.range ?? "30d"];
  if (from >= now) throw invalidInput({ from: [msg("report.future")] });
  if (from >= to) throw invalidInput({ to: [msg("maintenance.until")] });
  if (to - from > MAX_REPORT_DAYS * DAY_MS) {
    throw invalidInput({ from: [msg("report.long", { days: MAX_REPORT_DAYS })] });
  }
  const isNow = input.from === undefined && input.to === undefined;
  return {
    from,
    to,
    hoursFrom: bucketStart(now, 86_400) - HOURLY_RETENTION_DAYS * DAY_MS,
    requested: isNow ? "now" : `${from} ${to}`,
  };
}
