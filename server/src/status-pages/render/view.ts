import { html, type Markup, paragraphs } from "../../platform/formats/html.ts";
import { markdown } from "../../platform/formats/markdown.ts";
import { durationIn, zoneLast } from "../../platform/i18n/formats.ts";
import type { Language } from "../../platform/i18n/languages.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { type Formats, renderMessage } from "../../platform/i18n/render.ts";
import { de } from "../../platform/i18n/status-pages/de.ts";
import { en, type StatusPageTexts } from "../../platform/i18n/status-pages/en.ts";
import { zh } from "../../platform/i18n/status-pages/zh.ts";
import { keepRecent } from "../../platform/lru-cache.ts";
import { takeTurns } from "../../platform/turns.ts";
import { PAGE_DAYS } from "../document/days.ts";
import type { PublicComponent, PublicPage, Said } from "../document/public-page.ts";
import type { SubscriberKind } from "../subscriber/kinds.ts";

/** The options of a request for a rendering. */
export interface RenderOptions {
  /** The prefix of every address of the page: `/status/shop`, or nothing on a domain of its own. */
  base: string;
  language: Language;
  /** The language was chosen by the address, which the page's links then keep. */
  isChosen: boolean;
  /** Newer information could not be had. */
  isOld: boolean;
  /** It is looked at within the app before it is stored: it comes without headers, and never runs a script. */
  isDraft?: boolean;
  /** The kinds of subscriptions that the page offers; absent: none. */
  offered?: readonly SubscriberKind[];
}

/** A page as one of its renderings sees it. */
export interface View extends RenderOptions {
  page: PublicPage;
  words: Words;
}

export const viewOf = (page: PublicPage, options: RenderOptions): View => ({
  ...options,
  page,
  words: wordsFor(options.language, page.timeZone),
});

/** An address of the page: `path` below its own, in the language that was chosen. */
export function addressOf(
  { base, language, isChosen }: Pick<RenderOptions, "base" | "language" | "isChosen">,
  path = "",
): string {
  const address = base + path;
  return (address === "" ? "/" : address) + (isChosen ? `?lang=${language}` : "");
}

/** A time, for people and for machines. */
export const timeOf = (at: number, shown: string): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${shown}</time>`;

/**
 * Where the page, or what is at `path` below it, is for those who read of it elsewhere: absolute, if the installation knows
 * its own address (VEDETTE_PUBLIC_URL).
 */
export const pageAddress = ({ page, base }: Pick<View, "page" | "base">, path = ""): string =>
  (page.url ?? base) + path || "/";

const TEXTS: Readonly<Record<Language, StatusPageTexts>> = { en, de, zh };

type PluralOf<Key> = Key extends `${infer Stem}.other` ? Stem : never;

/** What a page says in its visitor's language, with times in the page's zone. */
export interface Words {
  language: Language;
  say(key: keyof StatusPageTexts, params?: MessageDescriptor["params"]): string;
  /** In the form that goes with `count`, which fills in `{count}` unless `params` says otherwise. */
  sayCount(key: PluralOf<keyof StatusPageTexts>, count: number, params?: MessageDescriptor["params"]): string;
  /** A message of the product, or text that a person wrote. */
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

/** The words of a language in a zone. */
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

/** Parses the Markdown of everything on a page, yielding in between, so that its renderings find it cached. */
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

/** What an update says, as blocks: Markdown of a person, or a sentence of ours, in which names are no Markdown. */
export const saidIn = ({ page, words }: View, text: Said): readonly Markup[] =>
  typeof text === "string"
    ? (texts.get(page)?.get(text) ?? markdown(text))
    : paragraphs(words.sentence(text));

const DAY_MS = 86_400_000;

type Measured = Pick<PublicComponent, "uptime" | "measuredSince">;

/** Whether it was measured for so short a time that a percentage would say nothing. */
export const isTooShort = ({ measuredSince }: Measured, now: number): boolean =>
  measuredSince !== null && now - measuredSince < DAY_MS;

/** An uptime with the time that it is of: "99.98% uptime since Nov 22". Null: there is none. */
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
