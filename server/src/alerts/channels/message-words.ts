import { LOCAL } from "../../engine/probe/location-probe.ts";
import { de } from "../../platform/i18n/de.ts";
import { en } from "../../platform/i18n/en.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { de as germanMessages } from "../../platform/i18n/messages/de.ts";
import { en as englishMessages } from "../../platform/i18n/messages/en.ts";
import { zh as chineseMessages } from "../../platform/i18n/messages/zh.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import {
  formatsOf,
  type Language,
  pluralIn,
  renderMessage,
  shortFormatsOf,
} from "../../platform/i18n/render.ts";
import { zh } from "../../platform/i18n/zh.ts";
import { healthIn } from "../event-rules.ts";
import { calledIn, digestWords, type Say } from "./digest.ts";
import {
  type AlertItem,
  cut,
  type Digest,
  type DigestEntry,
  eventOf,
  isOfIncident,
  linesWithin,
  type Members,
  type Message,
} from "./message.ts";

const TEXTS: Record<Language, Readonly<Partial<Record<string, string>>>> = {
  en: { ...en, ...englishMessages },
  de: { ...de, ...germanMessages },
  zh: { ...zh, ...chineseMessages },
};

/** A message in its reader's words. */
export interface Words {
  title: string;
  /** What, since when and why, in sentences. */
  text: string;
  /** What else is known. */
  details: Detail[];
  /** Of a digest: its most severe problems by their names, with the incident or the monitor of each. */
  links: Link[];
  /** The link to acknowledge or to confirm; null where there is nothing to do. */
  acknowledge: Link | null;
  /** Where it leads: to the incident, where there is one. Null where this installation has no address. */
  link: Link | null;
}

/** Something that is known, with its label. */
interface Detail {
  label: string;
  value: string;
  /** It is said even where there is little room. */
  isVital?: boolean;
}

interface Link {
  label: string;
  url: string;
}

/** The end of a mail to a member: why they receive it, and where they choose their notifications. */
export function ownFooter({ language, timeZone }: Reader, organization: string, url: string): string {
  const formats = formatsOf(language, timeZone);
  return renderMessage(TEXTS[language], { code: "footer.own", params: { organization, url } }, formats);
}

/** Of what is about no monitor by itself. */
const PATHS = { digest: "/incidents", test: "/settings/channels" } as const;
const PAGES = { domain: "domains", service: "services", device: "devices" } as const;

/** When it is said, and which addresses it names. */
interface Saying {
  /** Milliseconds: times on this day are shown without their date. */
  now: number;
  /** Where this installation is reached. */
  publicUrl: string | null;
  /** The link by which it is acknowledged. */
  acknowledgeUrl?: string | null;
}

/** What a message says. */
export function wordsOf(
  message: Message,
  { language, timeZone }: Reader,
  { now, publicUrl, acknowledgeUrl = null }: Saying,
): Words {
  const texts = TEXTS[language];
  const formats = shortFormatsOf(language, timeZone, { now });
  const { monitor, event, incidentId } = message;
  const render = (descriptor: MessageDescriptor) => renderMessage(texts, descriptor, formats);
  const say: Say = (code, params = {}) => render({ code, params });
  const parts = [detailsOfMonitor, severityOfIncident, detailsOfIncident];
  const details = parts.flatMap((part) => part(message, say));
  const said =
    event === "digest"
      ? digestWords(message.digest ?? NOTHING, { language, timeZone }, { now, texts })
      : saidBy({ ...message, event }, language, render);
  const isConfirmation = event === "confirmation";
  const suspect = AFTER_DEPLOYMENT.has(event) ? message.incident?.deployment : null;
  const text = suspect ? [render(suspect), said.text].join(language === "zh" ? "" : " ") : said.text;
  const path = pathTo({ incidentId, monitor }) ?? PATHS[event === "digest" ? "digest" : "test"];
  return {
    ...said,
    text,
    details: details.filter(({ value }) => value !== ""),
    links: linksOf(message, publicUrl, render),
    acknowledge:
      acknowledgeUrl === null
        ? null
        : { label: say(isConfirmation ? "label.confirm" : "label.acknowledge"), url: acknowledgeUrl },
    // The receiver of a confirmation request need not have an account.
    link: publicUrl === null || isConfirmation ? null : { label: say("link"), url: publicUrl + path },
  };
}

/** The page of its incident, or of the monitor; null: it has neither. */
function pathTo({ incidentId, monitor }: Pick<DigestEntry, "incidentId" | "monitor">): string | null {
  if (incidentId !== null) return `/incidents/${incidentId}`;
  return monitor && `/${PAGES[monitor.kind]}/${monitor.id}`;
}

/** Characters; a button has no room for more. */
const MAX_LABEL = 75;

/** Where what a digest lists leads. */
function linksOf(
  { digest }: Message,
  publicUrl: string | null,
  render: (descriptor: MessageDescriptor) => string,
): Link[] {
  return (digest?.mostSevere ?? []).flatMap((one) => {
    const path = pathTo(one);
    if (publicUrl === null || path === null) return [];
    return { label: cut(calledIn(one, render), MAX_LABEL), url: publicUrl + path };
  });
}

function detailsOfMonitor(message: Message, say: Say): Detail[] {
  const { monitor, locations, members, incident, descriptor } = message;
  if (!monitor) return [];
  const isOfSeveral = members !== undefined || descriptor.code === "notification.down_among";
  const shared = isOfSeveral && incident ? incident.severity : monitor.severity;
  const severity = message.severity ?? shared;
  const from = locations.map((code) => (code === LOCAL.code ? say("location.local") : code));
  return [
    // A combined message has no single address; a device's address is where it reports from, which leads nowhere.
    { label: say("label.target"), value: members || monitor.kind === "device" ? "" : monitor.target },
    { label: say("label.locations"), value: from.join(", "), isVital: true },
    { label: say("label.severity"), value: say(`severity.${severity}`) },
    { label: say("label.tags"), value: monitor.tags.join(", ") },
  ];
}

const severityOfIncident = ({ event, severity }: Message, say: Say): Detail[] =>
  severity && isOfIncident({ event })
    ? [{ label: say("label.severity"), value: say(`severity.${severity}`) }]
    : [];

/** What is said of a monitor says itself since when. */
function detailsOfIncident({ event, monitor, incident }: Message, say: Say): Detail[] {
  if (!incident) return [];
  const { startedAt, resolvedAt, acknowledged } = incident;
  const details: Detail[] = [];
  if (!monitor) {
    const since = say("incident.since", { since: isoOf(startedAt) });
    details.push({ label: say("label.since"), value: since });
  }
  if (!monitor && resolvedAt !== null) {
    const lasted = say("incident.lasted", { lasted: resolvedAt - startedAt });
    details.push({ label: say("label.lasted"), value: lasted });
  }
  if (acknowledged && event !== "acknowledged") {
    const { by, at } = acknowledged;
    const who = say("incident.acknowledged", { who: by ?? "?", at: isoOf(at) });
    details.push({ label: say("label.acknowledged"), value: who, isVital: true });
  }
  return details;
}

/** Events that a deployment may have caused: the deployment comes first. */
const AFTER_DEPLOYMENT = new Set<Message["event"]>([
  "monitor.down",
  "monitor.flapping",
  "incident.opened",
  "reminder",
]);

const isoOf = (ms: number): string => new Date(ms).toISOString();

type SingleMessage = Message & { event: Exclude<Message["event"], "digest"> };

function saidBy(
  message: SingleMessage,
  language: Language,
  render: (descriptor: MessageDescriptor) => string,
): { title: string; text: string } {
  const { event, monitor, members } = message;
  // Reminders of older versions do not say since when.
  const descriptor: MessageDescriptor = {
    ...message.descriptor,
    params: { since: isoOf(message.at), ...message.descriptor.params },
  };
  const say: Say = (code, params = {}) => render({ code, params });
  const several = members && severalOf(message);
  if (several) {
    const params = { ...descriptor.params, names: namesInWords(members, language, say) };
    return {
      title: render({ code: `title.${several}.several`, params }),
      text: textOfSeveral(message, language, { say, render }),
    };
  }
  const name = monitor?.name ?? titleIn(message, render);
  if (descriptor.code === "notification.down_among") {
    const others = Number(descriptor.params?.["count"]) - 1;
    const names = say("names.more", { names: name, others });
    return {
      title: say("title.monitor.down.several", { names }),
      text: reasonFirst(descriptor, language, render),
    };
  }
  return {
    title: say(titleOf({ ...message, event }), { ...descriptor.params, name }),
    text: [reasonFirst(descriptor, language, render), ...othersOf(message, language, { say, render })].join(
      "\n",
    ),
  };
}

/** What the title says of several, by what they are and what is, or was, wrong with them; null: it names one. */
function severalOf({ event, alert, descriptor: { code } }: SingleMessage): string | null {
  if (code === "notification.behind") return "behind";
  const items = alert?.named ?? [];
  const isOver = event === "monitor.up";
  const conditions = new Set(items.map(({ condition, was }) => (isOver ? was : condition)));
  const isCritical = conditions.has("critical");
  const isDevices = items.length > 0 && items.every(({ isDevice }) => isDevice);
  const isDown = isDevices && conditions.size === 1 && conditions.has("down");
  if (event === "reminder") return isCritical || conditions.size > 1 ? "reminder.problems" : event;
  if (conditions.size > 1) return isOver ? "problems_over" : "problems";
  if (isCritical) return isOver ? "device.well" : "device.critical";
  if (isDown) return isOver ? "device.online" : "device.offline";
  return Object.hasOwn(englishMessages, `title.${event}.several`) ? event : null;
}

interface Speaking {
  say: Say;
  render(descriptor: MessageDescriptor): string;
}

/** One a line, with why; of what is up again, since when. */
function textOfSeveral(message: SingleMessage, language: Language, { say, render }: Speaking): string {
  const { alert, event } = message;
  const items = alert?.named ?? [];
  const isOver = event === "monitor.up" || event === "monitor.settled";
  const shown = items.slice(0, MAX_LINES);
  const lines = shown.map((item) => `• ${lineOfItem(item, say, render)}`);
  const left = items.length - shown.length;
  if (left > 0) lines.push(`• ${say(`digest.rest.${pluralIn(language, left)}`, { count: left })}`);
  const said = isOver ? [upAgain(message, say)] : lines;
  return [...said, ...othersOf(message, language, { say, render })].join("\n");
}

/** The most lines that are listed, the most severe first. */
const MAX_LINES = 10;

/** "Shop (high severity), down since 12:01 (UTC): The connection was refused." */
function lineOfItem(shown: AlertItem, say: Say, render: Speaking["render"]): string {
  const { name, severity, condition, isDevice, reason } = shown;
  const named = say("digest.item", { name, severity: say(`digest.severity.${severity}`) });
  const is = condition === "down" && isDevice ? "offline" : condition;
  const item = is === "ok" ? named : say(`item.${is}`, { item: named, since: isoOf(shown.since) });
  return reason ? say("digest.because", { item, reason: render(reason) }) : item;
}

/** What became of the others that share the incident, a sentence for each. */
function othersOf(
  { alert, written = [] }: SingleMessage,
  language: Language,
  { say, render }: Speaking,
): string[] {
  const posted = written.map((descriptor) => say("alert.written", { said: render(descriptor) }));
  if (!alert) return posted;
  const { recovered, goingOn, missed, held, unwatched = [] } = alert;
  const isDown = goingOn.every(({ condition }) => condition === "down");
  const parts = { recovered, [isDown ? "still_down" : "going_on"]: goingOn, missed, held, unwatched };
  const others = Object.entries(parts).flatMap(([part, items]) => {
    if (items.length === 0) return [];
    const names = namesInWords({ names: items.map(({ name }) => name), count: items.length }, language, say);
    return say(`alert.${part as "recovered"}`, { names });
  });
  return [...others, ...posted];
}

/** Characters that names may take together in a title, unless the first one alone is longer. */
const MAX_NAMES_LENGTH = 60;
const MAX_NAMED = 3;
/** English without the comma before the last, as in "and 17 more". */
const LISTS: Record<Language, string> = { en: "en-GB", de: "de", zh: "zh" };

/** "Shop and API"; Chinese has no word between Latin names. */
const listOf = (names: readonly string[], language: Language, between: string): string =>
  language === "zh"
    ? names.join(between)
    : new Intl.ListFormat(LISTS[language], { type: "conjunction" }).format(names);

/** "Shop, API, Mail and 17 more": as many names as a title has room for. */
function namesInWords({ names, count }: Members, language: Language, say: Say): string {
  const between = say("names.between");
  let named = Math.min(names.length, MAX_NAMED);
  while (named > 1 && names.slice(0, named).join(between).length > MAX_NAMES_LENGTH) named -= 1;
  const shown = names.slice(0, named);
  return count === named
    ? listOf(shown, language, between)
    : say("names.more", { names: shown.join(between), others: count - named });
}

/** Since when all of them are up, and how long the first had been down by then. */
function upAgain(message: SingleMessage, say: Say): string {
  const { event, at, descriptor, incident } = message;
  const all = { ...descriptor.params, since: isoOf(at) };
  const of = event === "monitor.up" ? severalOf({ ...message, event }) : "monitor.up";
  const code = `text.${of as "monitor.up"}.several` as const;
  return incident ? say(`${code}_after`, { ...all, lasted: at - incident.startedAt }) : say(code, all);
}

/** The title of a reported incident. Older versions stored it in `descriptor`. */
function titleIn({ title, descriptor }: Message, render: (descriptor: MessageDescriptor) => string): string {
  const called = title ?? String(descriptor.params?.["title"] ?? "");
  return typeof called === "string" ? called : render(called);
}

/** The reason first, where that is what is new: the title says what happened, and to which monitor. */
function reasonFirst(
  descriptor: MessageDescriptor,
  language: Language,
  render: (descriptor: MessageDescriptor) => string,
): string {
  const code = `text.${descriptor.code}`;
  if (!Object.hasOwn(englishMessages, code)) return render(descriptor);
  const { because, ...what } = { ...descriptor, code };
  if (!because) return render(what);
  return [render(because), render(what)].join(language === "zh" ? "" : " ");
}

const NOTHING: Digest = { isSummary: false, groups: [] };

function titleOf(message: SingleMessage) {
  const { event, type, certificate, budget, monitor, descriptor } = message;
  if (descriptor.code === "notification.behind") return "title.behind";
  if (event === "monitor.settled" && type === "error") return "title.monitor.settled.error";
  if (event === "monitor.stopped" && certificate) return "title.monitor.stopped.certificate";
  if (event === "objective.burning" && budget?.level === "slow") return "title.objective.burning.slow";
  if (event === "objective.steady" && type === "info") return "title.objective.unwatched";
  if (event === "reminder" && monitor?.kind === "device") return "title.reminder_device";
  const named = eventOf({ ...message, event });
  const health = named === "device.health" ? healthIn(descriptor) : undefined;
  if (health === "critical") return "title.device.critical";
  return health === "healthy" ? "title.device.well" : (`title.${named}` as const);
}

/** The same where there is little room, without links: what, since when, why, from where and who looks after it. */
export const briefText = ({ text, details }: Pick<Words, "text" | "details">): string =>
  [text, ...details.filter(({ isVital }) => isVital).map(lineOf)].join("\n");

const lineOf = ({ label, value }: Detail): string => `${label}: ${value}`;

type SizeOf = (text: string) => number;

/** Characters of a name that are left, however little room there is. */
const MIN_LABEL = 16;

/** Links in plain text, a line each, as many as take no more than that; their names are cut first. */
function plainLinks(links: readonly Link[], limit: number, sizeOf: SizeOf): string[] {
  const room = limit / links.length - 1;
  const lines = links.map(({ label, url }) => {
    const end = `: ${url}`;
    return cut(label, Math.max(MIN_LABEL, room - sizeOf(end)), sizeOf) + end;
  });
  return linesWithin(lines, limit, sizeOf);
}

/** The same in plain text, at most `limit` long as `sizeOf` counts. Text is cut before addresses; a digest's have half of it. */
export function plainText(
  { text, details, links, acknowledge, link }: Words,
  limit: number = Number.POSITIVE_INFINITY,
  sizeOf: SizeOf = ({ length }) => length,
): string {
  const known = details.map(lineOf).join("\n");
  const answer = acknowledge ? [`${acknowledge.label}: ${acknowledge.url}`] : [];
  const addresses = [...plainLinks(links, limit / 2, sizeOf), ...answer].join("\n");
  const gap = known === "" ? "\n\n" : "\n";
  const end = `${addresses && gap}${addresses}${link ? `\n\n${link.url}` : ""}`;
  const said = [text, known].filter((part) => part !== "").join("\n\n");
  return cut(cut(said, Math.max(0, limit - sizeOf(end)), sizeOf) + end, limit, sizeOf).trimStart();
}
