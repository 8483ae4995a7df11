import { type Content, html, type Markup, paragraphs } from "../../platform/formats/html.ts";
import { INCIDENT_STATUSES } from "../../platform/monitor-defaults.ts";
import type { PublicIncident, PublicMaintenance } from "../document/public-page.ts";
import { toneOfIncident } from "./style.ts";
import { addressOf, saidIn, timeOf, type View } from "./view.ts";

/** Per incident, in lists. */
export const UPDATES_SHOWN = 10;

/** `titled`: with a heading that links to its page. */
export function incidentCard(view: View, incident: PublicIncident, titled: boolean): Markup {
  const { words } = view;
  const address = addressOf(view, `/incidents/${incident.uuid}`);
  const heading = titled && html`<h3><a href="${address}">${words.sentence(incident.title)}</a></h3>`;
  return html`<article class="card marked ${toneOfIncident(incident)}">${heading}${incidentDetails(view, incident)}${updatesOf(view, incident, { isAlone: !titled })}</article>`;
}

/** For lists of resolved incidents. */
export function incidentLine(view: View, incident: PublicIncident): Markup {
  const { words } = view;
  const [last] = shownBeside(incident);
  const address = addressOf(view, `/incidents/${incident.uuid}`);
  return html`<article class="card"><h3><a href="${address}">${words.sentence(incident.title)}</a></h3>${incidentDetails(view, incident)}${last && lastSaid(view, incident, last)}</article>`;
}

/** Of a resolved one, the last update before, with its state. */
function lastSaid(view: View, { status }: PublicIncident, last: PublicIncident["updates"][number]): Markup {
  const { words } = view;
  const stage = html`<p class="meta">${stageOf(words, last.status)} · ${timeOf(last.at, words.time(last.at))}</p>`;
  return html`${last.status !== status && stage}${said(saidIn(view, last.text))}`;
}

function incidentDetails(
  { words }: View,
  { title, startedAt, resolvedAt, status, components }: PublicIncident,
): Markup {
  const sentence =
    resolvedAt === null
      ? words.say("incident.since", { since: SLOT })
      : words.say("incident.lasted", { from: SLOT, lasted: words.duration(resolvedAt - startedAt) });
  const when = filled(sentence, [timeOf(startedAt, words.time(startedAt))]);
  const names = isOneOutage({ title, components }) ? "" : words.list(components.map(({ name }) => name));
  return html`<p class="meta">${stageOf(words, status)} · ${when}</p>${names !== "" && html`<p class="meta">${words.say("incident.affects", { names })}</p>`}`;
}

/** Whether the title names its only component and how that is. */
const isOneOutage = ({ title, components }: Pick<PublicIncident, "title" | "components">): boolean =>
  typeof title !== "string" && components.length === 1;

/** Without updates that only repeat the title and times of a single outage. */
const shownBeside = (incident: PublicIncident): PublicIncident["updates"] =>
  isOneOutage(incident) ? incident.updates.filter(({ text }) => typeof text === "string") : incident.updates;

/** `isAlone`: all updates that were read. */
function updatesOf(view: View, incident: PublicIncident, { isAlone }: { isAlone: boolean }): Markup {
  const { words } = view;
  const { hasOlder } = incident;
  const updates = isAlone ? incident.updates : shownBeside(incident);
  if (updates.length === 0 && !hasOlder) return html`<p class="meta">${words.say("incident.quiet")}</p>`;
  const shown = isAlone ? updates : updates.slice(0, UPDATES_SHOWN);
  const items = shown.map(
    ({ at, status, text }) =>
      html`<li><b>${stageOf(words, status)}</b> ${timeOf(at, words.time(at))}${said(saidIn(view, text))}</li>`,
  );
  const list = items.length > 0 && html`<ol class="updates">${items}</ol>`;
  if (isAlone) return html`${list}${hasOlder && html`<p class="meta">${words.say("incident.cut")}</p>`}`;
  return html`${list}${olderUpdates(view, incident, addressOf(view, `/incidents/${incident.uuid}`))}`;
}

/** A link, or nothing where all are shown. */
export const olderUpdates = (
  { words }: View,
  { updates, hasOlder }: PublicIncident,
  address: string,
): Markup | false =>
  (updates.length > UPDATES_SHOWN || hasOlder) &&
  html`<p class="meta"><a href="${address}">${words.say("incident.older")}</a></p>`;

const said = (blocks: readonly Markup[]): Content =>
  blocks.length > 0 && html`<div class="said">${blocks}</div>`;

export function stageOf(words: View["words"], status: string): string {
  const known = INCIDENT_STATUSES.find((one) => one === status);
  return known ? words.say(`stage.${known}`) : status;
}

export function maintenanceCard({ words }: View, window: PublicMaintenance): Markup {
  const { title, description, startsAt, endsAt, isRunning, components } = window;
  const from = timeOf(startsAt, words.time(startsAt));
  const isOneDay = words.dateOf(startsAt) === words.dateOf(endsAt);
  const until = timeOf(endsAt, isOneDay ? words.clock(endsAt) : words.time(endsAt));
  const when = isRunning
    ? filled(words.say("maintenance.running", { until: SLOT }), [until])
    : filled(words.say("maintenance.ahead", { from: SLOT, until: SLOT }), [from, until]);
  const names = words.list(components.map(({ name }) => name));
  return html`<article class="card marked work"><h3>${words.sentence(title)}</h3><p class="meta">${when}</p>${names !== "" && html`<p class="meta">${words.say("incident.affects", { names })}</p>`}${paragraphs(description)}</article>`;
}

/** Placeholder for markup in a sentence; not a character that people type. */
const SLOT = "\u{f0000}";

/** In order. */
const filled = (sentence: string, slots: readonly Markup[]): Content[] =>
  sentence.split(SLOT).flatMap((part, at) => [at > 0 && slots[at - 1], part]);
