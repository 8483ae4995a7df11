import { PAGE_DAYS } from "../document/days.ts";
import type { PublicDay } from "../document/public-page.ts";
import { type Content, html, type Markup } from "./html.ts";
import { PHONE_DAYS } from "./style.ts";
import { TONE_OF_STATUS } from "./tone.ts";
import type { Words } from "./words.ts";

/** Outages of a day that are named; the others are counted. */
const NAMED_OUTAGES = 3;
/** From so much of a day on, an outage is shown in red: a quarter of an hour. */
const LONG_SHARE_PERCENT = 1;

const isTroubled = ({ status, outages }: PublicDay): boolean =>
  outages.length > 0 || status === "outage" || status === "degraded";

const toneOf = ({ status }: PublicDay): string => (status === "no_data" ? "gone" : TONE_OF_STATUS[status]);

const toneOfTrouble = ({ status, uptime, outages }: PublicDay): "warn" | "bad" => {
  if (status === "degraded" && outages.length === 0) return "warn";
  return uptime !== null && uptime > 100 - LONG_SHARE_PERCENT ? "warn" : "bad";
};

/**
 * A component's days as a strip. Days without trouble that follow each other are one dashed line, which keeps a page of 50
 * components small; each of the others says on hover and on focus what happened, without script. Phones have room for the last 30 days.
 * `uptime`: what stands below.
 */
export function dayStrip(
  days: readonly PublicDay[] | null,
  uptime: string | null,
  words: Words,
): Markup | false {
  if (days === null || days.length === 0) return false;
  const shown = days.slice(-PAGE_DAYS);
  const first = PAGE_DAYS - shown.length;
  const lines = runsOf(shown).map(
    ({ from, length, tone }) => html`<path class="${tone}" d="M${first + from} .5h${length}"/>`,
  );
  const troubled = shown.flatMap((day, at) => (isTroubled(day) ? [troubledDay(day, first + at, words)] : []));
  const label = stripLabel(shown, words);
  return html`<div class="days"><svg viewBox="0 0 ${PAGE_DAYS} 1" preserveAspectRatio="none" role="img" aria-label="${label}">${lines}</svg>${troubled}</div><p class="scale">${firstDay(shown.length, words)}${uptime !== null && html`<span>${uptime}</span>`}<span>${words.say("days.last")}</span></p>`;
}

/** How long ago the first bar was, of those that phones show and of all; in few bytes, since it stands at each component. */
function firstDay(count: number, words: Words): Markup {
  const ago = (days: number) => words.sayCount("days.first", days);
  if (count <= PHONE_DAYS) return html`<span>${ago(count)}</span>`;
  return html`<i>${ago(PHONE_DAYS)}</i><span>${ago(count)}</span>`;
}

interface Run {
  from: number;
  length: number;
  tone: string;
}

function runsOf(days: readonly PublicDay[]): Run[] {
  const runs: Run[] = [];
  for (const [at, day] of days.entries()) {
    if (isTroubled(day)) continue;
    const tone = toneOf(day);
    const last = runs.at(-1);
    if (last && last.tone === tone && last.from + last.length === at) last.length += 1;
    else runs.push({ from: at, length: 1, tone });
  }
  return runs;
}

function stripLabel(days: readonly PublicDay[], words: Words): string {
  const troubled = days.filter(isTroubled).length;
  if (days.every(({ status }) => status === "no_data")) return words.say("status.no_data");
  if (troubled === 0) return words.say("days.trouble.none", { count: days.length });
  return words.sayCount("days.trouble", troubled, { days: troubled, count: days.length });
}

function troubledDay(day: PublicDay, at: number, words: Words): Markup {
  return html`<button type="button" class="${toneOfTrouble(day)} d${at}${sideOf(at)}"><span><b>${words.day(day.date)}</b>${outagesOf(day, words)}</span></button>`;
}

/** To which side of its day the text goes, so that it stays within the strip: of all days, and of those that phones show. */
function sideOf(at: number): string {
  if (at < PAGE_DAYS - PHONE_DAYS) return at < PAGE_DAYS / 3 ? " far l" : " far";
  const place = at - (PAGE_DAYS - PHONE_DAYS);
  if (place < PHONE_DAYS / 3) return " r pl";
  return place < (PHONE_DAYS * 2) / 3 ? " r pm" : " r";
}

function outagesOf(day: PublicDay, words: Words): Content {
  if (day.outages.length === 0) {
    return html`<i>${words.say(day.status === "degraded" ? "status.degraded" : "status.outage")}</i>`;
  }
  const named = day.outages
    .slice(0, NAMED_OUTAGES)
    .map((outage) => html`<i>${outageOf(day, outage, words)}</i>`);
  const more = day.outages.length - named.length;
  return more > 0 ? [...named, html`<i>${words.say("day.more", { count: more })}</i>`] : named;
}

/** An outage as far as it lies within the day. */
function outageOf({ date }: PublicDay, { from, to }: PublicDay["outages"][number], words: Words): string {
  const begins = words.dateOf(from) < date ? "00:00" : words.clock(from);
  if (to === null) return words.say("day.outage_since", { from: begins });
  return words.say("day.outage", { from: begins, to: words.dateOf(to) > date ? "24:00" : words.clock(to) });
}
