import type { MessageDescriptor } from "./message.ts";

/** English is what all others fall back to. */
export const LANGUAGES = ["en", "de", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Traditional Chinese is not the Chinese that we have. */
const UNKNOWN = /^zh-(?:hant|tw|hk|mo)\b/i;

/** Those of ours that an Accept-Language header names, in its order (RFC 9110, 12.5.4: best first is how browsers send it). */
export function wantedLanguages(header = ""): readonly Language[] {
  const wanted = new Set<Language>();
  for (const tag of header.split(",").map((one) => one.trim())) {
    const [named] = (!UNKNOWN.test(tag) && /^[a-z]+/i.exec(tag)) || [];
    const own = LANGUAGES.find((one) => one === named?.toLowerCase());
    if (own) wanted.add(own);
  }
  return [...wanted];
}

/** The first of those offered that an Accept-Language header names, else the first of them. */
export const preferredLanguage = (header?: string, offered: readonly Language[] = LANGUAGES): Language =>
  wantedLanguages(header).find((one) => offered.includes(one)) ?? offered[0] ?? "en";

/** How a language writes days (`2026-11-21`), times (ISO 8601), durations (milliseconds) and percentages. */
export interface Formats {
  day(day: string): string;
  time(time: string): string;
  /** `before`: what the sentence says in front of it, by which some languages inflect. */
  duration(ms: number, before?: string): string;
  percent(value: number): string;
  plural(count: number): "one" | "other";
}

const SLOT = /\{( ?)(\w+)(?::(\w+))?\}/g;

const HAN = /\p{Script=Han}/u;
const LATIN = /[\p{Script=Latin}\p{N}%]/u;

/** What fills a slot between these characters, with a space where a Chinese one meets a letter or a digit. */
export function apart(before = "", said: string, after = ""): string {
  const left = HAN.test(before) && LATIN.test(said[0] ?? "") ? " " : "";
  const right = HAN.test(after) && LATIN.test(said.at(-1) ?? "") ? " " : "";
  return left + said + right;
}

/** Free text (a code ending in `text`) stays as it is; a code unknown to this version is named. */
export function renderMessage(
  texts: Readonly<Partial<Record<string, string>>>,
  message: MessageDescriptor,
  formats: Formats,
): string {
  const { code, params = {}, because, also = [] } = message;
  const textOf = (one: string) => (Object.hasOwn(texts, one) ? (texts[one] ?? null) : null);
  const fill = (text: string): string =>
    text.replaceAll(SLOT, (slot, space: string, name: string, kind: string | undefined, at: number) => {
      const before = text.slice(0, at) + space;
      const said = fillSlot(name, kind, before);
      return said === "" ? "" : space + apart(before.at(-1), said, text[at + slot.length]);
    });
  const fillSlot = (name: string, kind: string | undefined, before: string): string => {
    if (name === "because") return because ? renderMessage(texts, because, formats) : "";
    const value = params[name] ?? "";
    if (kind === "count") return fill(textOf(`${name}.${formats.plural(Number(value))}`) ?? String(value));
    if (kind === "word") return fill(textOf(`${name}.${value}`) ?? String(value));
    // A place that has no name here goes by its code.
    if (kind === "place") return textOf(`place.${value}`) ?? String(value);
    if (kind === "day" || kind === "time") return formats[kind](String(value));
    if (kind === "percent") return formats.percent(Number(value));
    return kind === "duration" ? formats.duration(Number(value), before) : String(value);
  };
  const text = textOf(code);
  const own = text === null ? String(params.text ?? code) : fill(text);
  return [own, ...also.map((one) => renderMessage(texts, one, formats))].reduce(nextSentence);
}

/** Chinese has no space between its sentences. */
const nextSentence = (text: string, next: string): string =>
  text + (/[。！？]$/.test(text) ? "" : " ") + next;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The largest first, with milliseconds. */
export const TIME_UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", SECOND_MS],
] as const;

type TimeUnit = (typeof TIME_UNITS)[number][0];

/** From here on the hours beside the days say nothing. */
const ROUGH_MS = 7 * DAY_MS;

interface DurationPart {
  count: number;
  unit: TimeUnit;
}

/**
 * Rounded down: below an hour in one unit ("36 minutes"), up to a week in two ("1 day 5 hours"), then in
 * days. Never less than a second.
 */
export function durationParts(ms: number): DurationPart[] {
  const from = TIME_UNITS.findIndex(([, size]) => ms >= size);
  const [first, second] = TIME_UNITS.slice(from);
  const [unit, size] = first as (typeof TIME_UNITS)[number];
  const parts = [{ count: Math.max(1, Math.floor(ms / size)), unit }];
  if (second === undefined || ms < HOUR_MS || ms >= ROUGH_MS) return parts;
  const count = Math.floor((ms % size) / second[1]);
  return count === 0 ? parts : [...parts, { count, unit: second[0] }];
}

/** Days, times (in that IANA zone) and durations ("2 hours 36 minutes") in a reader's language. */
export function formatsOf(language: Language, timeZone: string): Formats {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  return {
    day: (text) => new Intl.DateTimeFormat(language, { ...day, timeZone: "UTC" }).format(new Date(text)),
    time: (text) => zoneLast(new Intl.DateTimeFormat(language, time), Date.parse(text)),
    duration: (ms, before = "") => {
      const words = durationIn(language, ms, "long");
      // "3 Tage", but "seit 3 Tagen": the only unit of time whose dative differs.
      return language === "de" && DATIVE.test(before) ? words.replace(/ Tage\b/, " Tagen") : words;
    },
    percent: (value) => percentIn(language, value),
    plural: (count) => pluralIn(language, count),
  };
}

/** German words for how long, which take the dative. */
const DATIVE = /(?:^|\s)(?:seit|nach|vor|in|von|mit|binnen|innerhalb von) $/i;

/** A date with its time, and then its zone: Chinese has that in between, "2026年9月21日 UTC 14:13". */
export function zoneLast(format: Intl.DateTimeFormat, at: number): string {
  const parts = format.formatToParts(at);
  const place = parts.findIndex(({ type }) => type === "timeZoneName");
  if (place === -1 || place === parts.length - 1) return parts.map(({ value }) => value).join("");
  const [zone] = parts.splice(place, parts[place + 1]?.type === "literal" ? 2 : 1);
  return `${parts.map(({ value }) => value).join("")} ${zone?.value}`;
}

/** Times as short as possible at `now`: "12:01 (UTC)", with another day named. `isZoned`: each names the zone. */
export function shortFormatsOf(
  language: Language,
  timeZone: string,
  { now, isZoned = true }: { now: number; isZoned?: boolean },
): Formats {
  const short = (text: string) => shortTime(Date.parse(text), { language, timeZone, now });
  const time = (text: string) =>
    isZoned ? `${short(text)} (${zoneName(language, timeZone, Date.parse(text))})` : short(text);
  return { ...formatsOf(language, timeZone), time };
}

/** "12:01", and the day where it is not that of `now` there: "Nov 22, 12:01"; the year, where it is another one. */
export function shortTime(
  at: number,
  { language, timeZone, now }: { language: Language; timeZone: string; now: number },
): string {
  const part = (options: Intl.DateTimeFormatOptions, ms: number) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone }).format(ms);
  const isSame = (options: Intl.DateTimeFormatOptions) => part(options, at) === part(options, now);
  const year = isSame({ year: "numeric" }) ? {} : ({ year: "numeric" } as const);
  const day = isSame({ dateStyle: "short" }) ? {} : ({ month: "short", day: "numeric", ...year } as const);
  return part({ ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, at);
}

/** "UTC", "MEZ". */
export const zoneName = (language: Language, timeZone: string, at: number): string =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? timeZone;

export const pluralIn = (language: string, count: number): "one" | "other" =>
  new Intl.PluralRules(language).select(count) === "one" ? "one" : "other";

/** A duration in milliseconds: "2 hours 36 minutes" or, short, "2 hr 36 min". */
export function durationIn(language: Language, ms: number, unitDisplay: "long" | "short"): string {
  const words = durationParts(ms).map(({ count, unit }) =>
    unitFormat(language, unit, unitDisplay).format(count),
  );
  // A space between a number and a Chinese word, as in the app.
  return words.join(" ").replaceAll(/(\d)(?=\p{Script=Han})/gu, "$1 ");
}

/** "99.9%", "99,9 %": with as many decimals as it has, three at most. */
export const percentIn = (language: Language, value: number): string =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 3 }).format(value / 100);

const unitFormats = new Map<string, Intl.NumberFormat>();

function unitFormat(language: Language, unit: TimeUnit, unitDisplay: "long" | "short"): Intl.NumberFormat {
  const key = `${language} ${unit} ${unitDisplay}`;
  const known = unitFormats.get(key) ?? new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay });
  unitFormats.set(key, known);
  return known;
}

/** Names one after the other, as the language enumerates: "A, B, C", "A、B、C". */
export function listed(names: readonly string[], language: Language): string {
  const [, between] = new Intl.ListFormat(language, { type: "conjunction" }).formatToParts(["A", "B", "C"]);
  return names.join(between?.value);
}
