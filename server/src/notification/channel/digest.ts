import { SEVERITIES } from "../../incident/states.ts";
import { inEnglish } from "../../texts/english.ts";
import { fact } from "../../texts/fact.ts";
import {
  type DigestEntry,
  type DigestEvent,
  type DigestGroup,
  type DigestItem,
  endsTrouble,
  eventOf,
  type Message,
  newMessage,
  severityOf,
  type ToldEvent,
} from "./message.ts";

/** So many names are kept of each kind of event, and so many problems are listed with their links. */
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

/** What a digest tells a message among. */
function digestEvent(message: Message): DigestEvent {
  const event = eventOf({ ...message, event: message.event as ToldEvent });
  if (event !== "device.health") return event;
  if (endsTrouble(message)) return "device.well";
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
  const gravest = messages.find((message) => digestEvent(message) === groups[0]?.event);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return newMessage({
    event: "digest",
    type: gravest?.type === "success" && goingOn.length > 0 ? "warning" : (gravest?.type ?? "info"),
    at: Math.min(...messages.map(({ at }) => at)),
    fact: fact("notice.digest", { count }),
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
  const wrong = messages.filter((one) => !endsTrouble(one) && one.event !== "acknowledged").map(entryOf);
  const latest = new Map(
    wrong.map((one) => [`${one.event} ${one.monitor?.id ?? `of ${one.incidentId}`}`, one]),
  );
  const severityRank = ({ severity }: DigestEntry) => (severity === null ? -1 : SEVERITIES.indexOf(severity));
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
  const isOver = endsTrouble(message);
  return {
    title: !monitor && typeof title === "object" ? title : null,
    severity: isOver ? null : severityOf(message),
    reason,
  };
}

function nameOf({ monitor, title, fact: { params } }: Message): string {
  const called = monitor?.name ?? title ?? String(params?.["title"] ?? "");
  return typeof called === "string" ? called : inEnglish(called);
}
