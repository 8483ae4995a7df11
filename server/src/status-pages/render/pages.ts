import { type Content, html, type Markup, paragraphs } from "../../platform/formats/html.ts";
import type { PublicComponent, PublicDay, PublicGroup, PublicIncident } from "../document/public-page.ts";
import { PAGE_DAYS } from "../document/rules.ts";
import { incidentCard, incidentLine, maintenanceCard } from "./incidents.ts";
import { documentOf, type Rendered } from "./page-frame.ts";
import { iconOf, PHONE_DAYS, TONE_OF_OVERALL, TONE_OF_STATUS, toneOfIncident } from "./style.ts";
import { addressOf, timeOf, uptimeInWords, type View, type Words } from "./view.ts";

const DAY_MS = 86_400_000;
/** Resolved incidents on the page itself. */
const RECENT_DAYS = 14;
const RECENT_COUNT = 10;
/** Planned maintenance beyond these is folded. */
const AHEAD_SHOWN = 5;

export function statusPage(view: View): Rendered {
  const { page, words } = view;
  const tone = TONE_OF_OVERALL[page.overall];
  const isEmpty = page.groups.every(({ components }) => components.length === 0);
  const statusText = words.say(isEmpty ? "overall.empty" : `overall.${page.overall}`);
  const at = timeOf(minuteOf(page.updatedAt), words.time(page.updatedAt));
  const [before, after] = words.say("overall.at", { at: "\n" }).split("\n");
  const main = html`${paragraphs(page.description).map((part) => html`<div class="about">${part}</div>`)}<div class="overall ${tone}">${iconOf(tone)}<p><strong role="status">${statusText}</strong><small>${before}${at}${after}</small></p></div>${oldNote(view)}
${incidentSection(view)}${maintenanceSection(view, true)}${componentSection(view)}${maintenanceSection(view, false)}${recentSection(view)}`;
  return documentOf(view, { path: "", title: `${page.name} – ${statusText}`, tone, main });
}

/** So that an unchanged page renders alike for a minute. */
const minuteOf = (ms: number) => Math.floor(ms / 60_000) * 60_000;

function oldNote({ isOld, page, words }: View): Markup | false {
  return (
    isOld && html`<p class="old warn">${words.say("overall.old", { at: words.time(page.updatedAt) })}</p>`
  );
}

function incidentSection(view: View): Markup | false {
  const { incidents } = view.page;
  if (incidents.length === 0) return false;
  return html`<section><h2>${view.words.say("part.incidents")}</h2>${incidents.map((one) => incidentCard(view, one, true))}</section>
`;
}

function maintenanceSection(view: View, isRunning: boolean): Markup | false {
  const windows = view.page.maintenance.filter((window) => window.isRunning === isRunning);
  if (windows.length === 0) return false;
  const title = view.words.say(isRunning ? "part.maintenance" : "part.ahead");
  const cards = windows.map((one) => maintenanceCard(view, one));
  return html`<section><h2>${title}</h2>${isRunning ? cards : folded(view, cards)}</section>
`;
}

/** Recurring maintenance would push incidents far down. */
function folded({ words }: View, cards: readonly Markup[]): Content {
  const rest = cards.slice(AHEAD_SHOWN);
  if (rest.length < 2) return cards;
  const label = words.sayCount("ahead.more", rest.length);
  return html`${cards.slice(0, AHEAD_SHOWN)}<details class="card" id="ahead"><summary><h3>${label}</h3></summary>${rest}</details>`;
}

function recentSection(view: View): Markup {
  const { page, words } = view;
  const since = page.updatedAt - RECENT_DAYS * DAY_MS;
  const recent = page.history.filter(({ resolvedAt }) => (resolvedAt ?? 0) >= since).slice(0, RECENT_COUNT);
  const none = page.incidents.length > 0 ? "recent.no_others" : "recent.none";
  const list =
    recent.length > 0
      ? recent.map((one) => incidentLine(view, one))
      : html`<p class="meta">${words.say(none, { count: RECENT_DAYS })}</p>`;
  return html`<section><h2>${words.say("part.recent")}</h2>${list}<p class="months"><a href="${addressOf(view, "/history")}">${words.say("incident.all")}</a></p></section>
`;
}

/** Null: this page has none of that id. */
export function incidentPage(view: View, uuid: string): Rendered | null {
  const { page, words } = view;
  const incident = [...page.incidents, ...page.history].find((one) => one.uuid === uuid);
  if (!incident) return null;
  const title = words.sentence(incident.title);
  const main = html`${oldNote(view)}<h2>${title}</h2>${incidentCard(view, incident, false)}${wayBack(view)}`;
  const path = `/incidents/${uuid}`;
  return documentOf(view, { path, title: `${title} – ${page.name}`, tone: toneOfIncident(incident), main });
}

const wayBack = (view: View): Markup =>
  html`<p class="months"><a href="${addressOf(view)}">${view.words.say("back")}</a></p>`;

/** `wanted`: such as `2026-11`, default: this month. Null: no longer stored, or in the future. */
export function historyPage(view: View, wanted?: string): Rendered | null {
  const { page, words } = view;
  const months = monthsOf(view);
  const month = wanted ?? (months[0] as string);
  const at = months.indexOf(month);
  if (at < 0) return null;
  const began = ({ startedAt }: PublicIncident) => words.dateOf(startedAt).startsWith(month);
  const found = [...page.incidents, ...page.history]
    .filter(began)
    .toSorted((one, other) => other.startedAt - one.startedAt);
  const list =
    found.length > 0
      ? found.map((one) => incidentLine(view, one))
      : html`<p class="meta">${words.say("history.none")}</p>`;
  const to = (other: string | undefined, label: string) =>
    other === undefined
      ? html`<span></span>`
      : html`<a href="${addressOf(view, `/history/${other}`)}">${label}: ${words.month(other)}</a>`;
  const main = html`${oldNote(view)}<h2>${words.say("part.history")}: ${words.month(month)}</h2>${list}<nav class="months" aria-label="${words.say("history.months")}">${to(months[at + 1], words.say("history.older"))}${to(months[at - 1], words.say("history.newer"))}</nav>${wayBack(view)}`;
  const path = wanted === undefined ? "/history" : `/history/${wanted}`;
  const title = `${words.say("part.history")}, ${words.month(month)} – ${page.name}`;
  return documentOf(view, { path, title, tone: TONE_OF_OVERALL[page.overall], main });
}

/** Newest first: the last 90 days, and of open incidents that are older. */
function monthsOf({ page, words }: View): string[] {
  const starts = [...page.incidents, ...page.history].map(({ startedAt }) => startedAt);
  const first = words.dateOf(Math.min(page.updatedAt - PAGE_DAYS * DAY_MS, ...starts)).slice(0, 7);
  const months: string[] = [];
  for (let month = words.dateOf(page.updatedAt).slice(0, 7); month >= first; month = monthBefore(month)) {
    months.push(month);
  }
  return months;
}

function monthBefore(month: string): string {
  const day = new Date(`${month}-01T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() - 1);
  return day.toISOString().slice(0, 7);
}

function componentSection(view: View): Markup | false {
  const { page, words } = view;
  const groups = page.groups.filter(({ components }) => components.length > 0);
  if (groups.length === 0) return false;
  return html`<section><h2>${words.say("part.components")}</h2>${groups.map((group) => groupCard(group, view))}</section>
`;
}

/** One with a problem starts unfolded, whatever its owner chose. */
function groupCard(group: PublicGroup, view: View): Markup {
  const { words } = view;
  const list = html`<ul class="parts">${group.components.map((one) => componentRow(one, view))}</ul>`;
  if (group.name === null) return html`<div class="card">${list}</div>`;
  const isOpen = !group.isCollapsed || !["operational", "paused"].includes(group.status);
  return html`<details class="card" id="g-${group.uuid}"${isOpen && html` open`}><summary><h3>${group.name}</h3>${statusLabel(group.status, words)}</summary>${list}</details>`;
}

const statusLabel = (status: PublicGroup["status"], words: Words): Markup =>
  html`<span class="st ${TONE_OF_STATUS[status]}">${words.say(`status.${status}`)}</span>`;

const reportedOf = (component: PublicComponent, view: View): Markup[] =>
  view.page.incidents
    .filter(({ uuid }) => component.incidents.includes(uuid))
    .map(
      ({ uuid, title }) =>
        html`<p class="note"><a href="${addressOf(view, `/incidents/${uuid}`)}">${view.words.sentence(title)}</a></p>`,
    );

function componentRow(component: PublicComponent, view: View): Markup {
  const { words } = view;
  const { name, description, status, days } = component;
  const uptime = uptimeInWords(component, words, view.page.updatedAt);
  const alone = days === null && uptime !== null && html`<p class="note">${uptime}</p>`;
  return html`
<li><div class="row"><span>${name}</span>${statusLabel(status, words)}</div>${reportedOf(component, view)}${description !== "" && html`<p class="note">${description}</p>`}${dayStrip(days, uptime, words)}${alone}${responseChart(component, words)}</li>`;
}

const HEIGHT = 24;

/** 24 hours, from zero, with a sentence for screen readers. */
function responseChart({ responseTimes }: PublicComponent, words: Words): Markup | false {
  const known = (responseTimes ?? []).flatMap(({ ms }) => (ms === null ? [] : [ms]));
  if (responseTimes === null || known.length === 0) return false;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const ms = Math.round(known.at(-1) ?? 0);
  const label = words.say("speed.chart", { least: Math.round(least), most: Math.round(most) });
  const width = Math.max(1, responseTimes.length - 1);
  return html`<div class="speed"><span>${words.say("speed.label")}</span><svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${lineOf(responseTimes, most)}"/></svg><span>${words.say("speed.now", { ms })}</span></div>`;
}

/** Gaps where nothing was measured; a single point is drawn as a dash. */
function lineOf(points: NonNullable<PublicComponent["responseTimes"]>, most: number): string {
  let path = "";
  for (const [at, { ms }] of points.entries()) {
    if (ms === null) continue;
    const y = (HEIGHT - 1 - ((HEIGHT - 2) * ms) / Math.max(most, 1)).toFixed(1);
    const goesOn = at > 0 && points[at - 1]?.ms !== null;
    path += goesOn ? `L${at} ${y}` : `M${at} ${y}`;
    if (!goesOn && (points[at + 1]?.ms ?? null) === null) path += "h.3";
  }
  return path;
}

/** Per day; the others are counted. */
const NAMED_OUTAGES = 3;
/** Shown in red from a quarter of an hour on. */
const LONG_SHARE_PERCENT = 1;

const hasProblems = ({ status, outages }: PublicDay): boolean =>
  outages.length > 0 || status === "outage" || status === "degraded";

const toneOf = ({ status }: PublicDay): string => (status === "no_data" ? "gone" : TONE_OF_STATUS[status]);

const toneOfProblems = ({ status, uptime, outages }: PublicDay): "warn" | "bad" => {
  if (status === "degraded" && outages.length === 0) return "warn";
  return uptime !== null && uptime > 100 - LONG_SHARE_PERCENT ? "warn" : "bad";
};

/**
 * Consecutive days without problems are one dashed line, which keeps a page of 50 components small; each
 * other day has a tooltip without script. Phones show 30 days. `uptime`: shown below.
 */
function dayStrip(days: readonly PublicDay[] | null, uptime: string | null, words: Words): Markup | false {
  if (days === null || days.length === 0) return false;
  const shown = days.slice(-PAGE_DAYS);
  const first = PAGE_DAYS - shown.length;
  const lines = runsOf(shown).map(
    ({ from, length, tone }) => html`<path class="${tone}" d="M${first + from} .5h${length}"/>`,
  );
  const troubled = shown.flatMap((day, at) =>
    hasProblems(day) ? [dayWithProblems(day, first + at, words)] : [],
  );
  const label = stripLabel(shown, words);
  return html`<div class="days"><svg viewBox="0 0 ${PAGE_DAYS} 1" preserveAspectRatio="none" role="img" aria-label="${label}">${lines}</svg>${troubled}</div><p class="scale">${firstDay(shown.length, words)}${uptime !== null && html`<span>${uptime}</span>`}<span>${words.say("days.last")}</span></p>`;
}

/** For phones and for all; brief, since each component has one. */
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
    if (hasProblems(day)) continue;
    const tone = toneOf(day);
    const last = runs.at(-1);
    if (last && last.tone === tone && last.from + last.length === at) last.length += 1;
    else runs.push({ from: at, length: 1, tone });
  }
  return runs;
}

function stripLabel(days: readonly PublicDay[], words: Words): string {
  const troubled = days.filter(hasProblems).length;
  if (days.every(({ status }) => status === "no_data")) return words.say("status.no_data");
  if (troubled === 0) return words.say("days.problems.none", { count: days.length });
  return words.sayCount("days.problems", troubled, { days: troubled, count: days.length });
}

function dayWithProblems(day: PublicDay, at: number, words: Words): Markup {
  return html`<button type="button" class="${toneOfProblems(day)} d${at}${sideOf(at)}"><span><b>${words.day(day.date)}</b>${outagesOf(day, words)}</span></button>`;
}

/** Keeps a tooltip within the strip: for all days, and for those on phones. */
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

/** Limited to the day. */
function outageOf({ date }: PublicDay, { from, to }: PublicDay["outages"][number], words: Words): string {
  const begins = words.dateOf(from) < date ? "00:00" : words.clock(from);
  if (to === null) return words.say("day.outage_since", { from: begins });
  return words.say("day.outage", { from: begins, to: words.dateOf(to) > date ? "24:00" : words.clock(to) });
}
