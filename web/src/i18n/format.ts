import { durationParts, TIME_UNITS as units } from "../../../server/src/platform/i18n/render.ts";

/* Numbers, dates and durations as people read them, by Intl. `language` is a BCP 47 tag. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Pages look at the clock every ten seconds, and until a minute has passed they say "for a few seconds". */
export const hasJustBegun = (durationMs: number): boolean => durationMs < minuteMs;

/** "36 minutes", from an hour to a week in two units, "2 hr 36 min", then in days. Never below a second. */
export function formatDuration(durationMs: number, language: string): string {
  const parts = durationParts(durationMs);
  const unitDisplay = parts.length === 1 ? "long" : "short";
  return parts.map(({ count, unit }) => formatUnit(count, unit, language, { unitDisplay })).join(" ");
}

/** How long a job took: "180 ms", "12 sec", "3 min 12 sec", and from an hour on as a length of time. */
export function formatRuntime(runtimeMs: number, language: string): string {
  if (runtimeMs < 1000) return formatResponseTime(Math.round(runtimeMs), language);
  if (runtimeMs >= hourMs) return formatDuration(runtimeMs, language);
  const short = { unitDisplay: "short" } as const;
  const seconds = Math.floor((runtimeMs % minuteMs) / 1000);
  const minutes = Math.floor(runtimeMs / minuteMs);
  if (minutes === 0) return formatUnit(seconds, "second", language, short);
  return `${formatUnit(minutes, "minute", language, short)} ${formatUnit(seconds, "second", language, short)}`;
}

/** Whole days left, never below zero: "74 days". What lacks an hour is a whole day, as messages about certificates say it. */
export function formatDays(durationMs: number, language: string): string {
  return formatUnit(Math.max(0, Math.floor((durationMs + hourMs) / dayMs)), "day", language);
}

/** As fine as response times are measured, milliseconds. */
const finestMs = 0.1;

const millisecondFormat = (largestMs: number) =>
  ({ unitDisplay: "short", maximumFractionDigits: largestMs < 10 ? 1 : 0 }) as const;

/** Milliseconds on an axis, whose steps may be finer than what is measured: "0 ms", "0.25 ms", "128 ms". */
export const formatAxisTime = (ms: number, language: string): string =>
  formatUnit(ms, "millisecond", language, {
    ...millisecondFormat(ms),
    ...(ms < 1 && { maximumFractionDigits: 2 }),
  });

/** Always milliseconds, so that a column compares: "0.8 ms", "2,400 ms". Nothing takes no time: "< 0.1 ms". */
export function formatResponseTime(responseTimeMs: number, language: string): string {
  const shownMs = Math.max(responseTimeMs, finestMs);
  const time = formatUnit(shownMs, "millisecond", language, millisecondFormat(shownMs));
  return responseTimeMs < finestMs ? `< ${time}` : time;
}

/** From the fastest answer to the slowest: "12–180 ms", "0.3–1.2 ms"; one figure where both read the same. */
export function formatResponseTimes(fastestMs: number, slowestMs: number, language: string): string {
  if (slowestMs < finestMs) return formatResponseTime(slowestMs, language);
  const format = numberFormat(language, {
    style: "unit",
    unit: "millisecond",
    ...millisecondFormat(slowestMs),
  });
  const [fastest, slowest] = [format.format(fastestMs), format.format(slowestMs)];
  return spaced(fastest === slowest ? slowest : format.formatRange(fastestMs, slowestMs));
}

/** 0…100 as "99.98%"; rounds down, so that 100% means every second. */
export function formatPercentage(percentage: number, language: string): string {
  const floored = Math.floor(percentage * 100) / 100;
  return numberFormat(language, {
    style: "percent",
    minimumFractionDigits: floored === 100 ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(floored / 100);
}

/** A percentage with as many decimals as it has, three at most: "99.9%", "2%". */
export const formatShare = (percentage: number, language: string): string =>
  numberFormat(language, { style: "percent", maximumFractionDigits: 3 }).format(percentage / 100);

/** The zone in which dates and times are written, undefined for the browser's own. */
let timeZone: string | undefined;

/** From now on dates and times are written in this zone of the IANA database; null, or one that the browser does not know: in its own. */
export function setTimeZone(name: string | null): void {
  timeZone = name !== null && isKnownZone(name) ? name : undefined;
}

/** The zone in which dates and times are written, such as `Europe/Berlin`. */
export const currentTimeZone = (): string => timeZone ?? browserTimeZone();

/** The zone that the browser takes from the system. */
export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When a day, `2026-11-22`, begins in the zone in which dates are written; an ISO timestamp. */
export function startOfDay(day: string): string {
  const utcMs = Date.parse(day);
  // The clocks may be changed between the two: what holds at the beginning itself counts.
  const guessMs = utcMs - zoneOffsetMs(utcMs);
  return new Date(utcMs - zoneOffsetMs(guessMs)).toISOString();
}

/** The day, `2026-11-22`, that it is at a time (milliseconds) in the zone in which dates are written. */
export function dayAt(atMs: number): string {
  return new Date(atMs + zoneOffsetMs(atMs)).toISOString().slice(0, 10);
}

/** How far the zone's clocks are ahead of UTC. */
function zoneOffsetMs(atMs: number): number {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  const size = Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs;
  return sign === "-" ? -size : size;
}

function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}

/** An ISO timestamp as a date: "14 Feb 2027". */
export function formatDate(timestamp: string, language: string): string {
  return dateFormat(language, { dateStyle: "medium" }).format(new Date(timestamp));
}

/** An ISO timestamp to the second, for titles: "14 Feb 2027, 09:31:07". */
export function formatDateTime(timestamp: string, language: string): string {
  return dateFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(timestamp));
}

/** An ISO day that means the day in UTC: "14 Feb 2027". */
export function formatUtcDay(date: string, language: string): string {
  return dateFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(date));
}

/** In one unit, unlike a duration, as the tooltip is exact: "12 seconds ago", "now" within a moment. */
export function formatAgo(durationMs: number, language: string): string {
  const [unit, sizeMs] = units.find(([, size]) => durationMs >= size) ?? units[3];
  const count = Math.max(0, Math.floor(durationMs / sizeMs));
  const format = new Intl.RelativeTimeFormat(language, { numeric: count === 0 ? "auto" : "always" });
  return spaced(format.format(-count, unit));
}

/** Seconds in the largest unit that they fill exactly: "1 minute", "90 seconds", "5 minutes". */
export function formatInterval(seconds: number, language: string): string {
  const [unit, sizeMs] = units.find(([, size]) => (seconds * 1000) % size === 0) ?? units[3];
  return formatUnit((seconds * 1000) / sizeMs, unit, language);
}

/** How long to wait, never rounded down: "50 seconds", from a minute on in whole ones, "58 minutes", "1 hour". */
export function formatWait(seconds: number, language: string): string {
  return formatInterval(seconds < 60 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60, language);
}

/** A whole number: "1,440". */
export function formatCount(count: number, language: string): string {
  return numberFormat(language, {}).format(count);
}

const dayFormat = { day: "numeric", month: "short" } as const;
const clockFormat = { hour: "2-digit", minute: "2-digit" } as const;

/** A time on a chart's axis, as fine as the step to the next one needs: "14 Feb", "09:31", "09:31:07"; midnight is its day. */
export function formatTick(timeMs: number, stepMs: number, language: string): string {
  const isMidnight = dateFormat("en-GB", { ...clockFormat, second: "2-digit" }).format(timeMs) === "00:00:00";
  if (isMidnight && stepMs >= hourMs) return dateFormat(language, dayFormat).format(timeMs);
  const seconds = stepMs < minuteMs ? ({ second: "2-digit" } as const) : {};
  const format = stepMs >= dayMs ? dayFormat : { ...clockFormat, ...seconds };
  return dateFormat(language, format).format(timeMs);
}

/** A time in a table: "09:31:07" today, "14 Feb, 09:31:07" on another day, with the year where it is another one. */
export function formatMoment(timestamp: string, now: number, language: string): string {
  const at = new Date(timestamp);
  return dateFormat(language, { ...dayOf(now, at), ...clockFormat, second: "2-digit" }).format(at);
}

/** From one time to another: "23:22–23:23" today, else "14 Feb, 23:22 – 15 Feb, 00:10", with years that are not this one. */
export function formatSpan(fromMs: number, toMs: number, now: number, language: string): string {
  return dateFormat(language, { ...dayOf(now, fromMs, toMs), ...clockFormat }).formatRange(fromMs, toMs);
}

/** When something was, to the minute: "09:31" today, "14 Feb, 09:31" on another day, with the year where it is another one. */
export function formatClock(at: number, now: number, language: string): string {
  return dateFormat(language, { ...dayOf(now, at), ...clockFormat }).format(at);
}

/** What has to be said of the days of these times: nothing of today, the day in this year, and else the year as well. */
function dayOf(now: number, ...times: (Date | number)[]): Intl.DateTimeFormatOptions {
  const areAll = (format: Intl.DateTimeFormat) =>
    times.every((at) => format.format(at) === format.format(now));
  if (areAll(dateFormat("en", { dateStyle: "short" }))) return {};
  return areAll(dateFormat("en", { year: "numeric" })) ? dayFormat : { ...dayFormat, year: "numeric" };
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const inZone = { timeZone, ...options };
  const key = `${language} ${JSON.stringify(inZone)}`;
  const known = dateFormats.get(key) ?? new Intl.DateTimeFormat(language, inZone);
  dateFormats.set(key, known);
  return known;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Making a formatter costs more than using it, and a list uses thousands. */
export function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, known);
  return known;
}

function formatUnit(
  value: number,
  unit: string,
  language: string,
  options: Intl.NumberFormatOptions = { unitDisplay: "long" },
): string {
  return spaced(numberFormat(language, { style: "unit", unit, ...options }).format(value));
}

/** A space separates a number from a Chinese word, as in all Chinese texts. */
const spaced = (text: string): string => text.replaceAll(/(\d)(?=\p{Script=Han})/gu, "$1 ");

/** The separator of the language's lists: ", ", "、". */
export const nameSeparator = (language: string): string =>
  new Intl.ListFormat(language).formatToParts(["A", "B", "C"])[1]?.value ?? ", ";

/** Names one after the other: "A, B, C", "A、B、C". */
export const formatNames = (names: readonly string[], language: string): string =>
  names.join(nameSeparator(language));
