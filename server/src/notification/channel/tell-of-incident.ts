import type { Config } from "../../config.ts";
import { type Titled, titleFact } from "../../incident/title-rules.ts";
import type { Db } from "../../store/db.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listSubjectThreads } from "../../store/queries/subject-threads.ts";
import { type Code, type Fact, fact } from "../../texts/fact.ts";
import { mailingOf } from "../person/known-address.ts";
import type { IncidentEvent } from "./filter.ts";
import { type Message, newMessage } from "./message.ts";
import { isProgram, keepsAlerts } from "./registry.ts";
import { endThreadsOf, tellOfSubjects } from "./tell-subject.ts";

/** What a person wrote about an incident, or did to it. */
export interface IncidentNews {
  incident: Titled &
    Pick<Incident, "id" | "organizationId" | "status" | "severity" | "automatic"> & {
      affectedServices: readonly { monitorId: number | null }[];
    };
  said: string | Fact;
  /** It is what opens the incident. */
  isOpening: boolean;
  /** Knows already. */
  authorId: number | null;
}

/** What channels hear of the outages themselves (incident/tell-separated.ts). */
const REGROUPED = new Set<Code>(["incident.merged", "incident.split", "incident.split_off"]);

/**
 * Writes into the outbox what somebody wrote of an incident, in the transaction that keeps it: for the channels of the
 * organization and of each member but the author, each at their pace and in their hours (pace.ts). Who has alerts hears of an
 * outage by its own messages alone: nobody would end a second alert; nor one about what was over when it was reported, of which
 * the others hear the end.
 */
export async function tellOfIncident(
  trx: Db,
  { incident, said, isOpening, authorId }: IncidentNews,
  { now, config }: { now: number; config: Pick<Config, "smtp" | "signup"> },
): Promise<void> {
  const { id, organizationId, automatic, affectedServices, status } = incident;
  const isRegrouped = automatic && typeof said === "object" && REGROUPED.has(said.code as Code);
  const isOver = status === "resolved";
  const isNoAlert = automatic || (isOpening && isOver);
  const goingOn = isOpening ? "incident.opened" : "incident.updated";
  const monitors = await listMessageMonitors(
    trx,
    affectedServices.flatMap(({ monitorId }) => monitorId ?? []),
  );
  const news = {
    ...{ organizationId, about: id },
    tags: [...monitors.values()].flatMap(({ tags }) => tags),
    message: messageOf(isOver ? "incident.resolved" : goingOn, incident, said, now),
    isFor: ({ userId, type }: { userId: number | null; type: string }) =>
      userId === null ? !isRegrouped && !(isNoAlert && keepsAlerts(type)) : userId !== authorId,
  };
  await tellOfSubjects(trx, "incident_id", [news], { now, mailing: mailingOf(config) });
}

/**
 * Nobody writes about this incident any more, since it was deleted, or is part of another one. Programs that were told of it
 * hear that, since an alert that a pager has open would stay so.
 */
export async function endIncidentThreads(
  trx: Db,
  incident: IncidentNews["incident"],
  why: Fact,
  now: number,
): Promise<void> {
  const threads = await listSubjectThreads(trx, "incident_id", [incident.id]);
  const message = messageOf("incident.resolved", { ...incident, status: "resolved" }, why, now);
  const say = {
    mailing: { mails: true, asksPeople: false },
    messageFor: (_thread: unknown, { type }: { type: string }) => (isProgram(type) ? message : null),
  };
  await endThreadsOf(trx, threads, { now, say });
}

const TYPES = {
  "incident.opened": "warning",
  "incident.updated": "info",
  "incident.resolved": "success",
} as const;

function messageOf(
  event: IncidentEvent,
  incident: IncidentNews["incident"],
  said: string | Fact,
  now: number,
): Message & { event: IncidentEvent } {
  const { id, severity } = incident;
  const told =
    typeof said === "string"
      ? fact("notice.incident_said", { said })
      : { ...fact("notice.incident_fact"), because: said };
  const message = newMessage({
    ...{ event, type: TYPES[event], at: now, fact: told, incidentId: id, severity },
    title: titleFact(incident, { isOver: incident.status === "resolved" }) ?? incident.title,
  });
  return { ...message, event };
}
