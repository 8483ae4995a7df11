import { de } from "../../platform/i18n/de.ts";
import { en } from "../../platform/i18n/en.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { durationIn, formatsOf, type Language, renderMessage, zoneLast } from "../../platform/i18n/render.ts";
import { type ReportWord, reportWords } from "../../platform/i18n/reports/words.ts";
import { zh } from "../../platform/i18n/zh.ts";

/** With its value in the period before. */
export interface DocumentMetric {
  label: string;
  value: string;
  before: string;
}

export interface ChartSeries {
  label: string;
  /** As CSS writes it. */
  colour: string;
  /** One a point; null: unknown. */
  values: (number | null)[];
}

export interface DocumentChart {
  title: string;
  /** `bars` are stacked. */
  kind: "bars" | "lines";
  series: ChartSeries[];
  /** The vertical axis: its ends and label. */
  bottom: number;
  top: number;
  bottomLabel: string;
  topLabel: string;
  /** Below the first point and below the last. */
  firstLabel: string;
  lastLabel: string;
}

export interface DocumentColumn {
  head: string;
  align: "start" | "end";
  /** Of the width. */
  share: number;
}

export interface DocumentTable {
  title: string;
  columns: DocumentColumn[];
  rows: string[][];
  /** About omitted rows, or an empty table. */
  note: string | null;
}

/** A report for people: all texts are final, in one language. */
export interface ReportDocument {
  language: Language;
  title: string;
  organization: string;
  period: string;
  compared: string;
  generated: string;
  /** With `{page}` and `{pages}` to be filled. */
  pageLabel: string;
  metrics: DocumentMetric[];
  charts: DocumentChart[];
  tables: DocumentTable[];
  notes: string[];
}

interface Headed {
  organization: { name: string };
  generatedAt: string;
  period: { from: string; to: string; previousFrom: string };
}

/** For people; files have all rows. */
const MAX_ROWS = 1_000;

export function headOf(
  { organization, generatedAt, period }: Headed,
  title: string,
  { language, say, time }: Writing,
): Pick<
  ReportDocument,
  "language" | "title" | "organization" | "period" | "compared" | "generated" | "pageLabel"
> {
  return {
    ...{ language, title, organization: organization.name },
    period: say("period", { from: time(period.from), to: time(period.to) }),
    compared: say("compared", { from: time(period.previousFrom), to: time(period.from) }),
    generated: say("generated", { at: time(generatedAt) }),
    pageLabel: say("page"),
  };
}

export const end = (head: string, share = 1): DocumentColumn => ({ head, align: "end", share });

export const start = (head: string, share: number): DocumentColumn => ({ head, align: "start", share });

/** Limited to MAX_ROWS, with a note on the rest. */
export function tableOf(
  { rows, ...table }: Omit<DocumentTable, "note">,
  { say, count }: Writing,
): DocumentTable {
  const more = rows.length - MAX_ROWS;
  const note = rows.length === 0 ? say("none") : more > 0 ? say("more", { count: count(more) }) : null;
  return { ...table, rows: rows.slice(0, MAX_ROWS), note };
}

/** Formats for a reader. Unknown values are a dash. */
export interface Writing {
  language: Language;
  say(word: ReportWord, values?: Readonly<Record<string, string>>): string;
  render(message: MessageDescriptor): string;
  /** 0…100, as in the API. */
  percent(value: number | null): string;
  /** With all its decimals: for configured values. */
  share(value: number | null): string;
  seconds(value: number | null): string;
  milliseconds(value: number | null): string;
  count(value: number): string;
  times(value: number | null): string;
  /** To the minute. */
  time(timestamp: string): string;
  /** Without the zone, for tables. */
  moment(timestamp: string): string;
  /** As short as an axis needs. */
  tick(timestamp: string, stepSeconds: number): string;
}

const SENTENCES = { en, de, zh };
const NOTHING = "–";
const DAY_SECONDS = 86_400;

/** The zone is IANA's. */
export function writingFor(language: Language, timeZone: string): Writing {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const hundredths = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const percent = (least: number) =>
    new Intl.NumberFormat(language, {
      ...({ style: "percent", minimumFractionDigits: least, maximumFractionDigits: 3 } as const),
    });
  const [whole, fine] = [percent(0), percent(2)];
  const moment = {
    ...({ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const),
    ...({ hourCycle: "h23", timeZone } as const),
  };
  const dateTimeFormat = new Intl.DateTimeFormat(language, moment);
  const times = new Intl.DateTimeFormat(language, { ...moment, timeZoneName: "short" });
  const days = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone });
  const hours = new Intl.DateTimeFormat(language, {
    ...({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const),
    ...({ hourCycle: "h23", timeZone } as const),
  });
  const known = <Value>(value: Value | null, write: (value: Value) => string) =>
    value === null ? NOTHING : write(value);
  return {
    language,
    say: reportWords(language),
    render: (message) => renderMessage(SENTENCES[language], message, formatsOf(language, timeZone)),
    percent: (value) => known(value, (one) => (Number.isInteger(one) ? whole : fine).format(one / 100)),
    share: (value) => known(value, (one) => whole.format(one / 100)),
    seconds: (value) => known(value, (one) => (one === 0 ? "0" : durationIn(language, one * 1000, "short"))),
    milliseconds: (value) => known(value, (one) => `${numbers.format(one)} ms`),
    count: (value) => numbers.format(value),
    times: (value) => known(value, (one) => `${hundredths.format(one)}×`),
    time: (timestamp) => zoneLast(times, Date.parse(timestamp)),
    moment: (timestamp) => dateTimeFormat.format(new Date(timestamp)),
    tick: (timestamp, stepSeconds) => (stepSeconds < DAY_SECONDS ? hours : days).format(new Date(timestamp)),
  };
}
