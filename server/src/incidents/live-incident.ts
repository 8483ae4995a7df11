import { type Code, type MessageDescriptor, parseMessage } from "../platform/i18n/message.ts";

/** What an `incident` event of the live stream needs to know; times in milliseconds. */
export interface LiveIncident {
  id: number;
  uuid: string;
  /** The monitor that speaks for it; null: none has been down in it. */
  monitorId: number | null;
  title: string;
  /** What its title says, and its description; null where a person wrote that. */
  titleMessage: MessageDescriptor | null;
  descriptionMessage: MessageDescriptor | null;
  status: string;
  severity: string;
  startedAt: number;
  resolvedAt: number | null;
}

/** The messages of an incident's row. */
export const parsedMessages = (row: { titleMessage: string | null; descriptionMessage: string | null }) => ({
  titleMessage: parseMessage(row.titleMessage),
  descriptionMessage: parseMessage(row.descriptionMessage),
});

/** An incident that an outage has just opened, or that has an outage which has just ended. */
export interface OutageIncident extends LiveIncident {
  monitorId: number;
  /** Start of the outage, as the rules have it. */
  outageAt: number;
  /** How long it was; null: it has just begun. */
  outageMs: number | null;
  /** Where several monitors share the incident: what notifications say of them together; null: each is notified by itself. */
  together: Together | null;
}

/** A monitor in an incident that it shares. */
export interface Together {
  /** The monitor whose notification speaks for the incident. */
  leadId: number;
  leadName: string;
  /** Members beside that one. */
  others: number;
  part: MemberPart;
}

/** What its outage, or the end of that, is among those of the incident. */
export type MemberPart =
  /** It joined after the notification was sent, or others are still down after it: nothing more to send. */
  | { is: "member" }
  /** It joined, and is more severe than the problems notified before, the first of which has this name. */
  | { is: "escalation"; than: string }
  /** It joined as their cause, and leads from now on instead of this one. */
  | { is: "lead"; after: { id: number; name: string } }
  /** With it, all of them are up. */
  | { is: "all-up" };

/** What Vedette writes of outages by itself, and what each says beside its text. */
interface IncidentMessage {
  /** The same once all of it is over. */
  over?: Code;
  /** The same of a device that has been offline meanwhile. */
  overIfOffline?: Code;
  /** A title of a device that reports, and whose health is the matter. */
  isOfHealth?: true;
  /** It is about one monitor alone, and names why. */
  isOfOne?: true;
  /** What visitors of status pages read in its place. */
  onPage?: "went_down" | "came_back";
}

/** By its code, each title, description and line of the log. */
const MESSAGES = {
  "incident.down": { over: "incident.down_over" },
  "incident.down_several": { over: "incident.down_several_over" },
  "incident.problems_several": { over: "incident.problems_several_over" },
  "incident.problems": { over: "incident.problems_over" },
  "incident.flapping": { over: "incident.down_over" },
  "incident.flapping_several": { over: "incident.down_several_over" },
  "incident.keeps_failing": { over: "incident.outage_over", isOfOne: true },
  "incident.keep_failing": { over: "incident.outages_over" },
  "incident.critical": {
    ...{ over: "incident.critical_over", overIfOffline: "incident.offline_critical_over", isOfHealth: true },
  },
  "incident.not_healthy": {
    ...{ over: "incident.critical_over", overIfOffline: "incident.offline_critical_over", isOfHealth: true },
  },
  "incident.outage": { over: "incident.outage_over", isOfOne: true, onPage: "went_down" },
  "incident.outages": { over: "incident.outages_over", onPage: "went_down" },
  "incident.outages_merged": { over: "incident.outages_merged_over" },
  "incident.unhealthy": { over: "incident.unhealthy_over", isOfOne: true, onPage: "went_down" },
  "incident.now_critical": { over: "incident.now_critical_over", isOfOne: true },
  "incident.now_warning": { over: "incident.now_warning_over", isOfOne: true },
  "incident.returned_critical": {
    ...{ over: "incident.returned_critical_over", isOfOne: true, onPage: "came_back" },
  },
  "incident.returned_warning": {
    ...{ over: "incident.returned_warning_over", isOfOne: true, onPage: "came_back" },
  },
  "incident.joined": { onPage: "went_down" },
  "incident.joined_several": { onPage: "went_down" },
  "incident.down_again": { onPage: "went_down" },
  "incident.down_again_several": { onPage: "went_down" },
  "incident.recovered": { onPage: "came_back" },
  "incident.healthy": { onPage: "came_back" },
  "incident.unwatched": { onPage: "came_back" },
} as const satisfies Partial<Record<Code, IncidentMessage>>;

const BY_CODE: ReadonlyMap<string, IncidentMessage> = new Map(Object.entries(MESSAGES));

/** What is known of a message of an incident: nothing where a person wrote it, or where it is about something else. */
export const messageOf = (message: { code: string } | null | undefined): IncidentMessage =>
  BY_CODE.get(message?.code ?? "") ?? {};
