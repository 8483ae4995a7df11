import { keepRecent } from "../../recent.ts";
import type { Fact } from "../../texts/fact.ts";
import { durationIn, zoneLast } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import { type Formats, renderFact } from "../../texts/render.ts";
import { de } from "../../texts/status-pages/de.ts";
import { en, type StatusPageTexts } from "../../texts/status-pages/en.ts";
import { zh } from "../../texts/status-pages/zh.ts";

const TEXTS: Readonly<Record<Language, StatusPageTexts>> = { en, de, zh };

type PluralOf<Key> = Key extends `${infer Stem}.other` ? Stem : never;

/** What a page says in its visitor's language, with times in the page's zone. */
export interface Words {
  language: Language;
  say(key: keyof StatusPageTexts, params?: Fact["params"]): string;
  /** In the form that goes with `count`, which fills in `{count}` unless `params` says otherwise. */
  sayCount(key: PluralOf<keyof StatusPageTexts>, count: number, params?: Fact["params"]): string;
  /** A sentence of ours, or what somebody wrote. */
  sentence(said: string | Fact): string;
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
  const say = (key: string, params: Fact["params"] = {}) => renderFact(texts, { code: key, params }, formats);
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
