import type { BurnLevel, Objective } from "../../engine/status/burn-alert.ts";
import type { MessageMonitor } from "../../monitors/queries/monitor-names.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { Severity } from "../../platform/states.ts";
import type { Condition } from "../alert.ts";
import type { NotificationType } from "../delivery-rules.ts";
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
