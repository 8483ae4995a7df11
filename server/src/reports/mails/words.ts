import { escaped, type MailWords } from "../../alerts/mail/mail-body.ts";
import type { ReportMailKind, ReportTimes } from "../../alerts/people/settings.ts";
import { uptimeOf } from "../../engine/status/uptime.ts";
import { titleMessage } from "../../incidents/title-rules.ts";
import { de as germanMessages } from "../../platform/i18n/de.ts";
import { en as englishMessages } from "../../platform/i18n/en.ts";
import { excerpt, type Params } from "../../platform/i18n/message.ts";
import { de } from "../../platform/i18n/notifications/de.ts";
import { en, type ReportMailTexts } from "../../platform/i18n/notifications/en.ts";
import { zh } from "../../platform/i18n/notifications/zh.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import {
  durationIn,
  formatsOf,
  type Language,
  percentIn,
  pluralIn,
  renderMessage,
  shortTime,
} from "../../platform/i18n/render.ts";
import { zh as chineseMessages } from "../../platform/i18n/zh.ts";
import type { ReportedIncident, ReportedMonitor } from "../queries/reports.ts";
import type { Summary } from "../summary.ts";
import type { BudgetOf, CollectedReport, KindTotals } from "./collect.ts";

const TEXTS: Record<Language, ReportMailTexts> = { en, de, zh };
const MAIL_MESSAGES: Record<Language, Readonly<Partial<Record<string, string>>>> = {
  en: englishMessages,
  de: germanMessages,
  zh: chineseMessages,
};

const MAX_BUDGETS = 10;

export interface Addressed {
  kind: ReportMailKind;
  times: ReportTimes;
  reader: Reader;
  organization: string;
}

interface Saying extends Addressed {
  say(code: keyof ReportMailTexts, params?: Params): string;
  length(ms: number): string;
  share(percentage: number | null): string;
  count(count: number): string;
}

/** Without the footer. */
export function reportWords(
  report: CollectedReport,
  addressed: Addressed,
): Omit<MailWords, "footer"> & { heading: string; html: string } {
  const saying = sayingOf(addressed);
  const { say } = saying;
  const params = periodOf(addressed);
  const intro = say("intro", params);
  const parts = partsOf(report, saying).filter(({ lines }) => lines.length > 0);
  const between = (name: string, text: string) => say("between.name", { name, text });
  return {
    subject: say(`subject.${addressed.kind}`, params),
    heading: say(`heading.${addressed.kind}`, params),
    text: textOf(intro, parts, between),
    html: htmlOf(intro, parts),
    action: say("action"),
    ending: null,
  };
}

function sayingOf(addressed: Addressed): Saying {
  const { language, timeZone } = addressed.reader;
  const formats = formatsOf(language, timeZone);
  return {
    ...addressed,
    say: (code, params = {}) => renderMessage(TEXTS[language], { code, params }, formats),
    length: (ms) => durationIn(language, ms, "short"),
    // Rounded down, as everywhere: 99.9999 is not 100.
    share: (value) => (value === null ? "–" : percentIn(language, Math.floor(value * 1000 + 1e-6) / 1000)),
    count: (count) => new Intl.NumberFormat(language).format(count),
  };
}

function periodOf({ times: { from, to }, reader: { language, timeZone }, organization }: Addressed) {
  const format = (options: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone }).format(at);
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  return {
    organization: excerpt(organization),
    from: format({ month: "long", day: "numeric" }, from),
    to: format(day, to - 1),
    month: format({ year: "numeric", month: "long" }, from),
    zone: timeZone.replaceAll("_", " "),
  };
}

function partsOf(report: CollectedReport, saying: Saying): Part[] {
  const { say } = saying;
  const happened = report.incidents.map((one) => incidentLine(one, saying));
  const left = report.incidentCount - happened.length;
  const more = {
    name: say(`happened.more.${pluralIn(saying.reader.language, left)}`, { count: saying.count(left) }),
  };
  return [
    { title: say("totals.title"), lines: report.kinds.map((one) => totalLine(one, saying)) },
    { title: say("worst.title"), lines: report.leastUptime.map((one) => worstLine(one, saying)) },
    { title: say("slowest.title"), lines: report.slowest.map((one) => slowLine(one, saying)) },
    {
      title: say("happened.title"),
      lines:
        happened.length === 0
          ? [{ name: say("happened.none"), text: "" }]
          : [...happened, ...(left > 0 ? [{ ...more, text: "" }] : [])],
    },
    {
      title: say("budgets.title"),
      lines: report.budgets.slice(0, MAX_BUDGETS).map((one) => budgetLine(one, saying)),
    },
  ];
}

function totalLine({ kind, monitors, total, previous }: KindTotals, saying: Saying) {
  const { say, share, length, count } = saying;
  const name = say(`totals.${kind}`, { count: count(monitors) });
  if (total.uptime === null) return { name, text: say("totals.unknown") };
  const known = { uptime: share(total.uptime), previous: share(previous.uptime) };
  const line = say("totals.line", { ...known, outages: outagesIn(total, saying) });
  return { name, text: total.downMs > 0 ? say("totals.down", { line, down: length(total.downMs) }) : line };
}

function outagesIn({ outages }: Pick<Summary, "outages">, { say, count, reader }: Saying): string {
  if (outages === 0) return say("outages.none");
  return say(`outages.${pluralIn(reader.language, outages)}`, { count: count(outages) });
}

const worstLine = ({ name, stats }: ReportedMonitor, saying: Saying) => ({
  name: excerpt(name),
  text: saying.say("worst.line", {
    uptime: saying.share(uptimeOf(stats)),
    outages: outagesIn(stats, saying),
    down: saying.length(stats.downMs),
  }),
});

function slowLine({ name, stats }: ReportedMonitor, { say, reader }: Saying) {
  const format = { style: "unit", unit: "millisecond", maximumFractionDigits: 0 } as const;
  const time = new Intl.NumberFormat(reader.language, format).format((stats.p95Us ?? 0) / 1000);
  return { name: excerpt(name), text: say("slowest.line", { time }) };
}

function incidentLine(incident: ReportedIncident, { say, length, reader, times }: Saying) {
  const { startedAt, resolvedAt, title } = incident;
  const said = titleMessage(incident, { isOver: resolvedAt !== null });
  const formats = formatsOf(reader.language, reader.timeZone);
  const since = shortTime(startedAt, { ...reader, now: times.dueAt });
  return {
    name: excerpt(said ? renderMessage(MAIL_MESSAGES[reader.language], said, formats) : title),
    text:
      resolvedAt === null
        ? say("happened.open", { since })
        : say("happened.over", { since, lasted: length(resolvedAt - startedAt) }),
  };
}

function budgetLine({ name, objective, budget }: BudgetOf, { say, length, share }: Saying) {
  const { percent, days } = objective;
  const { allowedMs, leftMs } = budget;
  const goal = { percent: share(percent), days };
  const text =
    budget.leftPercent === null
      ? say("budgets.none", goal)
      : leftMs < 0
        ? say("budgets.spent", { ...goal, over: length(-leftMs) })
        : say("budgets.left", { ...goal, left: length(leftMs), allowed: length(allowedMs) });
  return { name: excerpt(name), text };
}

interface Part {
  title: string;
  lines: { name: string; text: string }[];
}

/** `between`: a name and its text, on one line. */
function textOf(
  intro: string,
  parts: readonly Part[],
  between: (name: string, text: string) => string,
): string {
  const blocks = parts.map(({ title, lines }) =>
    [title, ...lines.map(({ name, text }) => `• ${text === "" ? name : between(name, text)}`)].join("\n"),
  );
  return [intro, ...blocks].join("\n\n");
}

const TITLE = "margin:24px 0 6px;line-height:1.3;font-size:16px;font-weight:600";
const TABLE = "width:100%;border-collapse:collapse;font-size:14px;line-height:1.45";
const NAME =
  "padding:6px 12px 6px 0;border-top:1px solid #e3e6eb;vertical-align:top;font-weight:500;width:40%";
const TEXT = "padding:6px 0;border-top:1px solid #e3e6eb;vertical-align:top;color:#5b6472";

/** HTML without external content. */
function htmlOf(intro: string, parts: readonly Part[]): string {
  const row = ({ name, text }: Part["lines"][number]) =>
    text === ""
      ? `<tr><td colspan="2" style="${TEXT}">${escaped(name)}</td></tr>`
      : `<tr><th align="left" scope="row" style="${NAME}">${escaped(name)}</th><td style="${TEXT}">${escaped(text)}</td></tr>`;
  const blocks = parts.map(
    ({ title, lines }) =>
      `<h2 style="${TITLE}">${escaped(title)}</h2>\n<table style="${TABLE}">${lines.map(row).join("\n")}</table>`,
  );
  return [`<p style="margin:0">${escaped(intro)}</p>`, ...blocks].join("\n");
}
