import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg, type Params } from "../../platform/i18n/message.ts";
import type { MessageTexts } from "../../platform/i18n/messages/en.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import {
  type Language,
  listed,
  pluralIn,
  renderMessage,
  shortFormatsOf,
  shortTime,
  zoneName,
} from "../../platform/i18n/render.ts";
import { rankOfSeverity } from "../../platform/monitor-defaults.ts";
import {
  type Digest,
  type DigestEntry,
  type DigestEvent,
  type DigestGroup,
  type DigestItem,
  endsProblem,
  eventOf,
  type Members,
  type Message,
  type NotifiedEvent,
  newMessage,
  severityOf,
} from "./message.ts";

/** The most names stored for each kind of event, and the most problems listed with their links. */
const DIGEST_NAMES = 10;
const MAX_LISTED = 5;

/** The most severe comes first. */
const RANK: Readonly<Record<DigestEvent, number>> = {
  "monitor.down": 0,
  "device.offline": 0.1,
  "device.critical": 0.2,
  reminder: 1,
  "monitor.flapping": 2,
  "monitor.degraded": 3,
  "device.health": 3.1,
  "monitor.stopped": 4,
  "incident.opened": 5,
  "certificate.invalid": 6,
  "certificate.expiring": 7,
  "objective.burning": 7.5,
  "incident.updated": 8,
  acknowledged: 9,
  "incident.resolved": 10,
  "certificate.renewed": 11,
  "objective.steady": 11.5,
  "monitor.settled": 12,
  "monitor.up": 13,
  "device.online": 13.1,
  "device.well": 13.2,
};

/** The event under which a digest lists a message. */
function digestEvent(message: Message): DigestEvent {
  const event = eventOf({ ...message, event: message.event as NotifiedEvent });
  if (event !== "device.health") return event;
  if (endsProblem(message)) return "device.well";
  return message.event === "monitor.down" ? "device.critical" : event;
}

/** One message that says what these say, which are in their order, and what goes on beside that, by name. */
export function digestOf(
  messages: readonly Message[],
  isSummary: boolean,
  { goingOn = [], held = [] }: { goingOn?: readonly string[]; held?: readonly string[] } = {},
): Message {
  const groups = [...Map.groupBy(messages, digestEvent)]
    .toSorted(([a], [b]) => RANK[a] - RANK[b])
    .map(([event, own]) => groupOf(event, own));
  const leading = messages.find((message) => digestEvent(message) === groups[0]?.event);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return newMessage({
    event: "digest",
    type: leading?.type === "success" && goingOn.length > 0 ? "warning" : (leading?.type ?? "info"),
    at: Math.min(...messages.map(({ at }) => at)),
    descriptor: msg("notification.digest", { count }),
    incidentId: soleIncident(messages),
    digest: {
      ...{ isSummary, groups, mostSevere: mostSevereOf(messages) },
      ...(goingOn.length > 0 && { goingOn: firstOf(goingOn) }),
      ...(held.length > 0 && { held: firstOf(held) }),
    },
  });
}

const firstOf = (names: readonly string[]) => ({ names: names.slice(0, DIGEST_NAMES), count: names.length });

/** The one that people wrote about, where all of it is about that. */
function soleIncident(messages: readonly Message[]): number | null {
  const ids = new Set(messages.map(({ monitor, incidentId }) => (monitor ? null : incidentId)));
  const [id = null] = ids;
  return ids.size === 1 ? id : null;
}

/** The most severe of what is wrong: by severity, then by what happened, then in their order. */
function mostSevereOf(messages: readonly Message[]): DigestEntry[] {
  const wrong = messages.filter((one) => !endsProblem(one) && one.event !== "acknowledged").map(entryOf);
  const latest = new Map(
    wrong.map((one) => [`${one.event} ${one.monitor?.id ?? `of ${one.incidentId}`}`, one]),
  );
  const severityRank = ({ severity }: DigestEntry) => (severity === null ? -1 : rankOfSeverity(severity));
  return [...latest.values()]
    .toSorted((a, b) => severityRank(b) - severityRank(a) || RANK[a.event] - RANK[b.event])
    .slice(0, MAX_LISTED);
}

function entryOf(message: Message): DigestEntry {
  const { monitor, incidentId } = message;
  const where = { incidentId, monitor: monitor && { id: monitor.id, kind: monitor.kind } };
  return { event: digestEvent(message), name: nameOf(message), ...itemOf(message), ...where };
}

function groupOf(event: DigestGroup["event"], messages: readonly Message[]): DigestGroup {
  const latest = new Map(messages.map((one) => [one.monitor?.id ?? one.incidentId, one]));
  const first = [...latest.values()].slice(0, DIGEST_NAMES);
  const times = messages.map(({ at }) => at);
  return {
    event,
    count: latest.size,
    names: first.map(nameOf),
    known: first.map(itemOf),
    from: Math.min(...times),
    to: Math.max(...times),
  };
}

function itemOf(message: Message): DigestItem {
  const { monitor, title = null, reason } = message;
  const isOver = endsProblem(message);
  return {
    title: !monitor && typeof title === "object" ? title : null,
    severity: isOver ? null : severityOf(message),
    reason,
  };
}

function nameOf({ monitor, title, descriptor: { params } }: Message): string {
  const called = monitor?.name ?? title ?? String(params?.["title"] ?? "");
  return typeof called === "string" ? called : inEnglish(called);
}

/** Says a text of messages. */
export type Say = (code: keyof MessageTexts, params?: Params) => string;

/** What a digest says: a title, of each kind of event how many and when, and what is known of the most severe. */
export function digestWords(
  digest: Digest,
  reader: Reader,
  { now, texts }: { now: number; texts: Readonly<Partial<Record<string, string>>> },
): { title: string; text: string } {
  const { isSummary, groups } = digest;
  // The zone is named where the first times are.
  const formats = shortFormatsOf(reader.language, reader.timeZone, { now, isZoned: false });
  const say: Say = (code, params = {}) => renderMessage(texts, { code, params }, formats);
  const render = (descriptor: MessageDescriptor) => renderMessage(texts, descriptor, formats);
  const titles = groups.map((group) => {
    const { form, count } = counted(group.count, reader.language);
    return say(`digest.title.${group.event}.${form}`, { count });
  });
  const title = titles.reduce((first, next) => say("digest.then", { first, next }));
  // What still is so says no time.
  const timed = groups.find(
    ({ event }) => event !== "reminder" && !/^(?:certificate|objective)\.(?!renewed|steady)/.test(event),
  );
  const parts = groups.map((group) => {
    const { form, count } = counted(group.count, reader.language);
    const said = whenOf(group, reader, { now, say });
    const zone = zoneName(reader.language, reader.timeZone, group.from);
    const when = group === timed ? say("digest.zoned", { said, zone }) : said;
    const head = say(`digest.${group.event}.${form}`, { count, when });
    return head + itemsOf(group, listedIn(digest, group), reader.language, { say, render });
  });
  for (const which of ["going_on", "held"] as const) {
    const others = which === "held" ? digest.held : digest.goingOn;
    if (others) parts.push(say(`alert.${which}`, { names: namesOf(others, reader.language, say) }));
  }
  return { title: isSummary ? say("digest.summary", { title }) : title, text: parts.join("\n") };
}

/** How it renders texts of messages and stored messages. */
type Saying = { say: Say; render: (descriptor: MessageDescriptor) => string };

type Listed = Pick<DigestEntry, "name" | "title" | "severity" | "reason">;

/** Those of a group that are listed one by one. Older versions listed the first ten of what was known more of than names. */
function listedIn({ mostSevere }: Digest, { event, names, known = [] }: DigestGroup): readonly Listed[] {
  if (mostSevere) return mostSevere.filter((one) => one.event === event);
  if (!known.some(({ severity, reason }) => severity !== null || reason !== null)) return [];
  const nothing = { title: null, severity: null, reason: null };
  return names.map((name, index) => ({ name, ...(known[index] ?? nothing) }));
}

/** What something is called in a digest, in its reader's language. */
export const calledIn = (
  { title, name }: Pick<DigestEntry, "name" | "title">,
  render: (descriptor: MessageDescriptor) => string,
): string => (title ? render(title) : name);

/** One a line, of those that are listed; else their names. */
function itemsOf(
  group: DigestGroup,
  listed: readonly Listed[],
  language: Language,
  { say, render }: Saying,
): string {
  const { names, known = [] } = group;
  if (listed.length === 0) {
    const called = names.map((name, index) => calledIn({ name, title: known[index]?.title ?? null }, render));
    return (language === "zh" ? "" : " ") + namesOf({ ...group, names: called }, language, say);
  }
  const lines = listed.map((one) => lineOf(one, { say, render }));
  const left = group.count - listed.length;
  const { form, count } = counted(left, language);
  if (left > 0) lines.push(say(`digest.rest.${form}`, { count }));
  return lines.map((line) => `\n• ${line}`).join("");
}

/** "Shop (high severity): The connection was refused." */
function lineOf(listed: Listed, { say, render }: Saying): string {
  const name = calledIn(listed, render);
  const severity = listed.severity && say(`digest.severity.${listed.severity}`);
  const item = severity ? say("digest.item", { name, severity }) : name;
  return listed.reason ? say("digest.because", { item, reason: render(listed.reason) }) : item;
}

function namesOf(group: Members, language: Language, say: Say): string {
  const names = listed(group.names, language);
  const left = group.count - group.names.length;
  if (left <= 0) return names;
  const { form, count } = counted(left, language);
  return say(`digest.more.${form}`, { names, count });
}

const counted = (count: number, language: Language) => ({
  form: pluralIn(language, count),
  count: new Intl.NumberFormat(language).format(count),
});

/** To the minute: "between 12:01 and 12:02"; with the days where it was not today. */
function whenOf(
  { from, to }: DigestGroup,
  { language, timeZone }: Reader,
  { now, say }: { now: number; say: Say },
): string {
  const [first, last] = [from, to].map((at) => shortTime(at, { language, timeZone, now })) as [
    string,
    string,
  ];
  const isToday = shortTime(from, { language, timeZone, now: from }) === first;
  return first === last
    ? say(isToday ? "digest.at" : "digest.on", { at: first })
    : say("digest.between", { from: first, to: last });
}
