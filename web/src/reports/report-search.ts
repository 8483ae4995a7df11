import { currentTimeZone, startOfDay } from "../i18n/format.ts";

export const reportSubjects = ["domains", "services", "devices", "incidents"] as const;
export type ReportSubject = (typeof reportSubjects)[number];

/** How far back they go; `custom`: from a day to a day. */
export const reportRanges = ["24h", "7d", "30d", "custom"] as const;
export type ReportRange = (typeof reportRanges)[number];

/** What the page's address says; what is missing is the usual. */
export interface ReportSearch {
  about?: ReportSubject | undefined;
  range?: ReportRange | undefined;
  /** Days as `2026-11-22`, both included; of `custom`. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whose, by its uuid; without it, the reader's own at present. */
  organization?: string | undefined;
}

const dayIn = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

const uuidIn = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value : undefined;

export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  about: reportSubjects.find((one) => one === search.about),
  range: reportRanges.find((one) => one === search.range),
  from: dayIn(search.from),
  to: dayIn(search.to),
  organization: uuidIn(search.organization),
});

/** The API's query; null as long as a day is missing. */
export function reportQueryOf(search: ReportSearch): Record<string, string> | null {
  const { range = "30d", from, to, organization } = search;
  const whose: Record<string, string> = organization === undefined ? {} : { organization };
  if (range !== "custom") return { ...whose, range };
  if (from === undefined || to === undefined) return null;
  return { ...whose, from: startOfDay(from), to: startOfDay(dayAfter(to)) };
}

function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** Where the report is as a file, in the reader's language and time zone. */
export function reportFile(
  path: string,
  query: Record<string, string>,
  format: "csv" | "pdf" | "html",
  language: string,
): string {
  const parameters = { ...query, format, ...(format !== "csv" && { language, timeZone: currentTimeZone() }) };
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}
