import { PAGE_DAYS } from "../document/days.ts";
import type { PublicIncident } from "../document/public-page.ts";
import { componentSection } from "./components.ts";
import { documentOf, type Rendered } from "./document.ts";
import { type Content, html, type Markup } from "./html.ts";
import { incidentCard, incidentLine, maintenanceCard } from "./incidents.ts";
import { paragraphs } from "./text.ts";
import { iconOf, TONE_OF_OVERALL, toneOfIncident } from "./tone.ts";
import { addressOf, timeOf, type View } from "./view.ts";

const DAY_MS = 86_400_000;
/** Of what is over, the page itself shows so much. */
const RECENT_DAYS = 14;
const RECENT_COUNT = 10;
/** Of what is planned, as many are seen at once. */
const AHEAD_SHOWN = 5;

/** The status page: how things stand, what is known about what does not work, and every component. */
export function statusPage(view: View): Rendered {
  const { page, words } = view;
  const tone = TONE_OF_OVERALL[page.overall];
  const isEmpty = page.groups.every(({ components }) => components.length === 0);
  const stand = words.say(isEmpty ? "overall.empty" : `overall.${page.overall}`);
  const at = timeOf(minuteOf(page.updatedAt), words.time(page.updatedAt));
  const [before, after] = words.say("overall.at", { at: "\n" }).split("\n");
  const main = html`${paragraphs(page.description).map((part) => html`<div class="about">${part}</div>`)}<div class="overall ${tone}">${iconOf(tone)}<p><strong role="status">${stand}</strong><small>${before}${at}${after}</small></p></div>${oldNote(view)}
${incidentSection(view)}${maintenanceSection(view, true)}${componentSection(view)}${maintenanceSection(view, false)}${recentSection(view)}`;
  return documentOf(view, { path: "", title: `${page.name} – ${stand}`, tone, main });
}

/** So that a page to which nothing has happened stays the same for a minute. */
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

/** The first of many, and the rest folded: what recurs would push what has happened far down. */
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

/** An incident by itself; null: this page has none of that id. */
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

/** The incidents that began in a month (`2026-11`, default: this one); null: a month that is not kept, or not yet there. */
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

/** The months of which incidents are known, newest first: those of the last 90 days, and of whatever is open for longer. */
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
