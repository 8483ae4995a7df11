import { invalidInput } from "../errors.ts";
import { bucketStart, RANGE_MS } from "../result/range.ts";
import { fact } from "../texts/fact.ts";

/** The ranges of reports (API: `range`). */
export const REPORT_RANGES = ["24h", "7d", "30d"] as const;
export type ReportRange = (typeof REPORT_RANGES)[number];

const DAY_MS = 86_400_000;
/** A leap year. */
const MAX_REPORT_DAYS = 366;
/** Roll-ups of hours are kept for 400 days; the last ones may be gone already. */
const HOURS_KEPT_DAYS = 399;

/** What a caller says of the time; milliseconds. Either `from`, or `range`, which counts back from `to`. */
export interface WindowInput {
  range?: ReportRange | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** The time of a report, milliseconds, and what is needed to read it (MonitorReportQuery). */
export interface ReportWindow {
  from: number;
  to: number;
  hoursFrom: number;
  asked: string;
}

/**
 * What that comes down to; it never reaches beyond `now`. Throws a PublicError (422) for a range that begins somewhere else
 * too, and for what begins in the future, ends before it begins, or is longer than 366 days.
 */
export function windowOf(input: WindowInput, now: number): ReportWindow {
  if (input.from !== undefined && input.range !== undefined) {
    throw invalidInput({ range: [fact("report.range")] });
  }
  const to = Math.min(input.to ?? now, now);
  const from = input.from ?? to - RANGE_MS[input.range ?? "30d"];
  if (from >= now) throw invalidInput({ from: [fact("report.future")] });
  if (from >= to) throw invalidInput({ to: [fact("maintenance.until")] });
  if (to - from > MAX_REPORT_DAYS * DAY_MS) {
    throw invalidInput({ from: [fact("report.long", { days: MAX_REPORT_DAYS })] });
  }
  const isNow = input.from === undefined && input.to === undefined;
  return {
    from,
    to,
    hoursFrom: bucketStart(now, 86_400) - HOURS_KEPT_DAYS * DAY_MS,
    asked: isNow ? "now" : `${from} ${to}`,
  };
}
