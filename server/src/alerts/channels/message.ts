import type { BurnLevel, Objective } from "../../engine/status/objective.ts";
import type { MessageMonitor } from "../../monitors/queries/monitor-names.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { Severity } from "../../platform/monitor-defaults.ts";
import type { Condition } from "../alert.ts";
import type { NotificationType } from "../event-rules.ts";
import { type DeviceEvent, nameOfEvent } from "../event-rules.ts";
import type { ChannelEvent } from "./filter.ts";

/** The certificate of a monitor, as it was then. `issuer`: its distinguished name; empty: not known. Milliseconds. */
export interface MessageCertificate {
  expiresAt: number | null;
  issuer: string;
  fingerprint: string;
}

/** The error budget of a monitor, as it was then. Milliseconds; `leftMs` is negative where more was used than is allowed. */
export interface MessageBudget {
  /** How fast it is being used up; null: no faster than it lasts, as far as anybody knows. */
  level: BurnLevel | null;
  /** Null: the monitor has none any more, or is no longer checked. */
  objective: (Objective & { allowedMs: number; usedMs: number; leftMs: number }) | null;
}

/** The event that a message is about: a monitor's, certificate's, objective's or incident's. */
export type NotifiedEvent = ChannelEvent | "reminder" | "acknowledged";

/** A notification before it is worded: what, since when, why, from where. Stored with the delivery. Times in milliseconds. */
export interface Message {
  event: NotifiedEvent | "test" | "confirmation" | "digest";
  type: NotificationType;
  at: number;
  /** All of it in a sentence. */
  descriptor: MessageDescriptor;
  reason: MessageDescriptor | null;
  /** Null for a test, a digest and what people write about an incident. */
  monitor: MessageMonitor | null;
  incidentId: number | null;
  /** Of what people write about an incident: its title, in no language where its words are ours (incidents/title-rules.ts). */
  title?: MessageDescriptor | string;
  /** Of what people write about an incident: the incident's. Of a certificate or a budget: its own. Otherwise the monitor's counts. */
  severity?: Severity;
  /** Codes of the locations that see it fail. */
  locations: string[];
  /** How long the outage was that has just ended. */
  outageMs: number | null;
  /** The one it is about. */
  certificate?: MessageCertificate;
  /** The budget that it is about. */
  budget?: MessageBudget;
  /** The contents of a digest. */
  digest?: Digest;
  /** Of several that went down, or came up, together: for whom it speaks. */
  members?: Members;
  /** Of monitors that share an incident: what it says of them beside that. */
  alert?: AlertItems;
  /** Outages that it is about, which its link acknowledges; none: it acknowledges its incident. */
  outages?: { monitorId: number; startedAt: number }[];
  /** What people wrote about the incident meanwhile. */
  written?: MessageDescriptor[];
  /** Others that share the incident are not up yet. */
  isPartial?: boolean;
  /** Of a machine channel: which of its alert's posts it is. */
  postId?: number;
  /** The state of its incident. Not stored; see withIncident. */
  incident?: IncidentState;
}

/** What a message is about: the monitor, its certificate or objective, or the incident. Null: nothing of the kind. */
export function subjectOf({ monitor, certificate, budget, incidentId }: Message): string | null {
  const part = (certificate && "certificate") ?? (budget && "objective") ?? "monitor";
  if (monitor) return `${part} ${monitor.id}`;
  return incidentId === null ? null : `incident ${incidentId}`;
}

const MAX_NAMES = 3;

/** What a message is about, by name, in no language: "Shop, API + 4"; null: nothing with a name. */
export function namesOf({ monitor, members }: Partial<Message>): string | null {
  if (!members) return monitor?.name ?? null;
  const names = members.names.slice(0, MAX_NAMES);
  const others = members.count - names.length;
  return names.join(", ") + (others > 0 ? ` + ${others}` : "");
}

/** Monitors that a message is about beside the one that it is about. */
export interface AlertItems {
  /** All that it names in its title, where they are several. */
  named: AlertItem[];
  /** Known, and not up yet. */
  goingOn: AlertItem[];
  /** Up again. */
  recovered: AlertItem[];
  /** Down and up again while nothing was sent. */
  missed: AlertItem[];
  /** Down behind what it is about, and not reported by themselves. */
  held: AlertItem[];
  /** No longer checked, on purpose: whether they work is not known. Absent in what older versions wrote. */
  unwatched?: AlertItem[];
}

/** One of them. Milliseconds. */
export interface AlertItem {
  name: string;
  severity: Severity;
  condition: Condition;
  /** Of what is over: what was wrong with it. */
  was?: Condition;
  isDevice?: true;
  reason: MessageDescriptor | null;
  since: number;
  until: number | null;
}

/** What is known of an incident when a message about it is sent. Times in milliseconds. */
export interface IncidentState {
  severity: Severity;
  startedAt: number;
  /** Null: it goes on. */
  resolvedAt: number | null;
  /** Null: not acknowledged. `by` null: the account of the person who did is gone. */
  acknowledged: { by: string | null; at: number } | null;
  /** That it started soon after a deployment; null: after none that is known. */
  deployment?: MessageDescriptor | null;
}

/** Monitors that share an incident. */
export interface Members {
  /** Of the first ones. */
  names: string[];
  /** All of them. */
  count: number;
}

/** A message; what is not given is unknown. */
export const newMessage = (
  known: Pick<Message, "event" | "type" | "at" | "descriptor"> & Partial<Message>,
): Message => ({
  reason: null,
  monitor: null,
  incidentId: null,
  locations: [],
  outageMs: null,
  ...known,
});

/** The event's name for programs and for filters. */
export const eventOf = <Event extends string>({
  event,
  monitor,
  descriptor,
}: Pick<Message, "monitor" | "descriptor"> & { event: Event }): Event | DeviceEvent =>
  nameOfEvent(event, { kind: monitor?.kind, descriptor });

/** Whether it says that the problem is over, or that the monitor is no longer watched. */
export const endsProblem = ({
  event,
  type,
  isPartial = false,
}: Pick<Message, "event" | "type" | "isPartial">): boolean =>
  !isPartial &&
  (event === "monitor.up" ||
    event === "incident.resolved" ||
    event === "certificate.renewed" ||
    event === "objective.steady" ||
    (event === "monitor.settled" && type === "success") ||
    (event === "monitor.stopped" && type === "info"));

/** The severity of its problem; null: unknown. */
export const severityOf = ({ severity, monitor }: Pick<Message, "severity" | "monitor">): Severity | null =>
  severity ?? monitor?.severity ?? null;

/** Whether people wrote it about an incident, or did it: worth reading by itself, even once that is over. */
export const isOfIncident = ({ event }: Pick<Message, "event">): boolean => event.startsWith("incident.");

/** The groups of a digest: devices whose health changed are apart, by critical and well. */
export type DigestEvent = NotifiedEvent | DeviceEvent | "device.critical" | "device.well";

/** Several events of one kind. */
export interface DigestGroup {
  event: DigestEvent;
  /** Of monitors, or of incidents: who failed twice counts once. */
  count: number;
  /** Of the first ones. */
  names: string[];
  /** What else is known of these, in their order. Absent in what older versions wrote. */
  known?: DigestItem[];
  /** The first and the last of them, milliseconds. */
  from: number;
  to: number;
}

/** What is known of a name in a digest. */
export interface DigestItem {
  /** What it is called in no language; null: as its name is written. */
  title: MessageDescriptor | null;
  /** Null where it is over. */
  severity: Severity | null;
  reason: MessageDescriptor | null;
}

/** One that a digest lists, and where more is to be read of it. */
export interface DigestEntry extends DigestItem {
  event: DigestEvent;
  name: string;
  incidentId: number | null;
  monitor: Pick<MessageMonitor, "id" | "kind"> | null;
}

/** Many messages in one. */
export interface Digest {
  /** Of what was held for the channel's hours; otherwise of what came within a minute. */
  isSummary: boolean;
  /** The most severe first. */
  groups: DigestGroup[];
  /** The most severe of what is wrong, in that order. Absent in what older versions wrote. */
  mostSevere?: DigestEntry[];
  /** What else is wrong in the incidents that it is about: known before, or down behind it. Of the first ones the names. */
  goingOn?: Members;
  held?: Members;
}

/** A test message that a user sends. */
export const testMessage = (now: number): Message =>
  newMessage({ event: "test", type: "info", at: now, descriptor: msg("notification.test") });

/** A request to confirm that a channel may write to an address. `organization`: the name of the sender. */
export const confirmationMessage = (
  parameters: { organization: string; address: string },
  now: number,
): Message => confirmationOf(msg("notification.confirmation", parameters), now);

/** A request to confirm the address of a person's account. `where`: the host of this installation. */
export const ownConfirmationMessage = (
  parameters: { where: string; address: string },
  now: number,
): Message => confirmationOf(msg("notification.confirmation_own", parameters), now);

const confirmationOf = (descriptor: MessageDescriptor, at: number): Message =>
  newMessage({ event: "confirmation", type: "info", at, descriptor });

/**
 * Messages contain untrusted text: a server's banner, the address of a redirect, the author of a deployment. This is how each
 * format escapes it. Formats that are missing here take plain text only.
 */

/** Invisible; programs make no mark, link or mention of the text around it. */
const BREAK = "\u200b";
/** Where links that programs find by themselves begin, mentions, emoji and characters by their names, and angle brackets. */
const LIVE = /@|<|&(?=#?\w+;)|:(?=\/\/)|:(?=[a-z+-][\w+-]*:)|\bwww\.|\](?=[([])/gi;

/** Where a mail program begins or goes on with an address: `https:`, `//host`, `www.host`, `host.example`, `me@host`. */
const JOINT = /([.:/@])(?=[^\s\u200b])/g;

/** A name in a mail to a person who does not know its owner: mail programs do not make a link of it, whatever it holds. */
export const unlinkedName = (name: string): string => name.replace(JOINT, `$1${BREAK}`);

/** Text in which nothing becomes a link, an image or a mention, though marks of emphasis may be read as such. */
export const unlinkedText = (text: string): string => text.replace(LIVE, `$&${BREAK}`);

/** Text as Markdown has it, which shows it as it is (CommonMark, Discord, Mattermost). */
export const inMarkdown = (text: string): string =>
  unlinkedText(text)
    // Without brackets there is no link or image, so parentheses and "!" stay readable.
    .replace(/[\\`*_[\]#<>~|]/g, "\\$&")
    .replace(/^(\s*)([-+])(?=\s)/gm, "$1\\$2")
    .replace(/^(\s*\d+)([.)])(?=\s)/gm, "$1\\$2");

/** A link that is ours, in Markdown; its label is shown as it is. */
export const markdownLink = ({ label, url }: { label: string; url: string }): string =>
  `[${inMarkdown(label)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;

/** The end of a Markdown text: links, one per line, as many as fit into `limit`; then an action. */
export const markdownEnd = (
  links: readonly { label: string; url: string }[],
  action: string | null,
  limit: number,
): string =>
  [linesWithin(links.map(markdownLink), limit).join("\n"), action ?? ""]
    .flatMap((part) => (part === "" ? [] : `\n\n${part}`))
    .join("");

/** Text as Slack's mrkdwn has it: links and mentions begin with one of three characters, emphasis before a word. */
export const inMrkdwn = (text: string): string =>
  unlinkedText(text)
    .replaceAll("&", "&amp;")
    // Escaped it is no angle bracket, and needs no break.
    .replaceAll(`<${BREAK}`, "&lt;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/(?<![\p{L}\p{N}])[*_~`]/gu, `${BREAK}$&${BREAK}`);

/** The longest that is taken of it. */
const MAX_LENGTH = 255;

/**
 * A text or number in a JSON answer, by its path; null where there is none, or it is implausibly long: it may be stored, and
 * sent back.
 */
export function textAt(body: string, ...path: string[]): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).slice(0, MAX_LENGTH);
  return /\p{Cc}/u.test(text) || !text.isWellFormed() ? null : text;
}

/** What is shown where something was left out. */
const LEFT_OUT = "…";
/** A word that is longer than that is cut within. */
const LONGEST_WORD = 40;

/**
 * A text of at most that size: where it is longer, its beginning, cut after a word. `sizeOf`: how the other side counts,
 * UTF-16 units unless it says so; a longer beginning must never count less. Never half a character.
 */
export function cut(
  text: string,
  limit: number,
  sizeOf: (text: string) => number = ({ length }) => length,
): string {
  if (sizeOf(text) <= limit) return text;
  const fits = (units: number) => sizeOf(text.slice(0, units) + LEFT_OUT) <= limit;
  let fitting = 0;
  let tooMuch = text.length;
  while (tooMuch - fitting > 1) {
    const middle = (fitting + tooMuch) >>> 1;
    if (fits(middle)) fitting = middle;
    else tooMuch = middle;
  }
  return wholeWords(text, fitting) + LEFT_OUT;
}

/** As many of these lines, from the first on, as have room together. `sizeOf`: as for `cut`. */
export function linesWithin(
  lines: readonly string[],
  limit: number,
  sizeOf: (text: string) => number = ({ length }) => length,
): string[] {
  const fits = (_: string, at: number) => sizeOf(lines.slice(0, at + 1).join("\n")) <= limit;
  return lines.filter(fits);
}

/** For limits in bytes. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** For limits in bytes of all of a JSON body. */
export const jsonBytes = (text: string): number => utf8Bytes(JSON.stringify(text));

/** The first so many units without what they have of a word or a character that goes on behind them. */
function wholeWords(text: string, units: number): string {
  const beginning = text.slice(0, units);
  const lastBreak = beginning.search(/\s\S*$/);
  const isWordEnd = /\s/.test(text.charAt(units));
  if (!isWordEnd && lastBreak > 0 && units - lastBreak <= LONGEST_WORD)
    return beginning.slice(0, lastBreak).trimEnd();
  const last = beginning.charCodeAt(units - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return (isHalf ? beginning.slice(0, -1) : beginning).trimEnd();
}

/** The colour beside a message, by how serious it is; RRGGBB. */
export const COLOURS: Readonly<Record<NotificationType, string>> = {
  error: "d92d20",
  warning: "dc6803",
  success: "079455",
  info: "1f5fd6",
};
