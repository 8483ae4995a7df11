import { html, type Markup, paragraphs } from "../../platform/formats/html.ts";
import { markdown } from "../../platform/formats/markdown.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import {
  durationIn,
  type Formats,
  type Language,
  renderMessage,
  zoneLast,
} from "../../platform/i18n/render.ts";
import { de } from "../../platform/i18n/status-pages/de.ts";
import { en, type StatusPageTexts } from "../../platform/i18n/status-pages/en.ts";
import { zh } from "../../platform/i18n/status-pages/zh.ts";
import { keepRecent } from "../../platform/lru-cache.ts";
import { takeTurns } from "../../platform/turns.ts";
import type { PublicComponent, PublicPage, Said } from "../document/public-page.ts";
import { PAGE_DAYS } from "../document/rules.ts";
import type { SubscriberKind } from "../subscriber/kinds.ts";

export interface RenderOptions {
  /** `/status/shop`, or empty on a domain of its own. */
  base: string;
  language: Language;
  /** By the address: links keep the language. */
  isChosen: boolean;
  /** The store could not be read. */
  isOld: boolean;
  /** A preview within the app: without headers and scripts. */
  isDraft?: boolean;
  /** Absent: none. */
  offered?: readonly SubscriberKind[];
}

export interface View extends RenderOptions {
  page: PublicPage;
  words: Words;
}

export const viewOf = (page: PublicPage, options: RenderOptions): View => ({
  ...options,
  page,
  words: wordsFor(options.language, page.timeZone),
});

/** With the chosen language. */
export function addressOf(
  { base, language, isChosen }: Pick<RenderOptions, "base" | "language" | "isChosen">,
  path = "",
): string {
  const address = base + path;
  return (address === "" ? "/" : address) + (isChosen ? `?lang=${language}` : "");
}

export const timeOf = (at: number, shown: string): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${shown}</time>`;

/** For readers elsewhere: absolute, if the installation's address is known (VEDETTE_PUBLIC_URL). */
export const pageAddress = ({ page, base }: Pick<View, "page" | "base">, path = ""): string =>
  (page.url ?? base) + path || "/";

const TEXTS: Readonly<Record<Language, StatusPageTexts>> = { en, de, zh };

type PluralOf<Key> = Key extends `${infer Stem}.other` ? Stem : never;

/** Times are in the page's zone. */
export interface Words {
  language: Language;
  say(key: keyof StatusPageTexts, params?: MessageDescriptor["params"]): string;
  /** The plural form for `count`, which fills `{count}` unless `params` does. */
  sayCount(key: PluralOf<keyof StatusPageTexts>, count: number, params?: MessageDescriptor["params"]): string;
  sentence(said: string | MessageDescriptor): string;
  /** `Nov 23, 06:54 UTC`. */
  time(ms: number): string;
  /** `06:54`. */
  clock(ms: number): string;
  /** `Nov 23`, of `2026-11-23`. */
  day(date: string): string;
  /** `November 2026`, of `2026-11`. */
  month(month: string): string;
  /** `1 hr 5 min`. */
  duration(ms: number): string;
  percent(value: number): string;
  list(names: readonly string[]): string;
  /** `2026-11-23`, where the page is. */
  dateOf(ms: number): string;
}

/** Formats take 140 kB of memory each, and making them takes longer than a page. */
const MAX_MADE = 200;
const made = keepRecent<string, Words>(MAX_MADE);

export function wordsFor(language: Language, timeZone: string): Words {
  const key = `${language} ${timeZone}`;
  const known = made.get(key);
  if (known) return known;
  const words = makeWords(language, timeZone);
  made.set(key, words);
  return words;
}

function makeWords(language: Language, timeZone: string): Words {
  const texts = TEXTS[language];
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(language, options);
    return (ms: number) => zoneLast(made, ms);
  };
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const date = { month: "short", day: "numeric" } as const;
  const ofDay = format({ ...date, timeZone: "UTC" });
  const ofMonth = format({ month: "long", year: "numeric", timeZone: "UTC" });
  const time = format({ ...date, ...clock, timeZoneName: "short", timeZone });
  const isoDate = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 2 });
  const plurals = new Intl.PluralRules(language);
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const duration = (ms: number) => durationIn(language, ms, "short");
  const formats: Formats = {
    day: String,
    time: (iso) => time(Date.parse(iso)),
    duration,
    percent: (value) => percent.format(value / 100),
    plural: (count) => (plurals.select(count) === "one" ? "one" : "other"),
  };
  const say = (key: string, params: MessageDescriptor["params"] = {}) =>
    renderMessage(texts, { code: key, params }, formats);
  return {
    language,
    say,
    sayCount: (key, count, params = {}) => {
      const form = `${key}.${plurals.select(count)}`;
      return say(form in texts ? form : `${key}.other`, { count, ...params });
    },
    sentence: (said) => (typeof said === "string" ? said : say(said.code, said.params)),
    time,
    clock: format({ ...clock, timeZone }),
    day: (day) => ofDay(Date.parse(day)),
    month: (month) => ofMonth(Date.parse(`${month}-01`)),
    duration,
    percent: (value) => percent.format(value / 100),
    list: (names) => list.format(names),
    dateOf: (ms) => isoDate.format(ms),
  };
}

type Texts = ReadonlyMap<string, readonly Markup[]>;

const texts = new WeakMap<PublicPage, Texts>();

/** Yields in between; later renderings find the Markdown cached. */
export async function readTexts(page: PublicPage): Promise<void> {
  const read = new Map<string, readonly Markup[]>();
  const giveWay = takeTurns();
  for (const { updates } of [...page.incidents, ...page.history]) {
    for (const { text } of updates) {
      if (typeof text === "string" && !read.has(text)) read.set(text, markdown(text));
      await giveWay();
    }
  }
  texts.set(page, read);
}

/** Markdown of a person, or a message, in which names are not Markdown. */
export const saidIn = ({ page, words }: View, text: Said): readonly Markup[] =>
  typeof text === "string"
    ? (texts.get(page)?.get(text) ?? markdown(text))
    : paragraphs(words.sentence(text));

const DAY_MS = 86_400_000;

type Measured = Pick<PublicComponent, "uptime" | "measuredSince">;

/** A percentage would mean nothing yet. */
export const isTooShort = ({ measuredSince }: Measured, now: number): boolean =>
  measuredSince !== null && now - measuredSince < DAY_MS;

/** "99.98% uptime since Nov 22". Null: none. */
export function uptimeInWords(measured: Measured, words: Words, now: number): string | null {
  const { uptime, measuredSince: since } = measured;
  if (uptime === null) return null;
  const percent = words.percent(uptime);
  if (since === null) return words.say("days.uptime", { percent, count: PAGE_DAYS });
  if (isTooShort(measured, now)) return measuredInWords(since, words, now);
  return words.say("days.uptime_since", { percent, since: words.day(words.dateOf(since)) });
}

/** "Measured since 14:05". */
export function measuredInWords(since: number, words: Words, now: number): string {
  const isToday = words.dateOf(since) === words.dateOf(now);
  return words.say("days.measured", { since: isToday ? words.clock(since) : words.time(since) });
}
