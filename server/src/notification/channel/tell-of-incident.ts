import type { Config } from "../../config.ts";
import { type Titled, titleFact } from "../../incident/title-rules.ts";
import { plainText } from "../../page/render/plain-text.ts";
import type { Db } from "../../store/db.ts";
import type { Channel } from "../../store/queries/channels.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listSubjectThreads } from "../../store/queries/subject-threads.ts";
import { type Code, cleanedLines, type Fact, fact } from "../../texts/fact.ts";
import { mailingOf } from "../person/known-address.ts";
import { cut } from "./cut.ts";
import { type IncidentEvent, wants } from "./filter.ts";
import { type Message, newMessage } from "./message.ts";
import { isProgram, keepsAlerts } from "./registry.ts";
import { endThreadsOf, type SubjectNews, tellOfSubjects } from "./tell-subject.ts";

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
 * Writes into the outbox what somebody wrote of incidents, in the transaction that keeps it: for the channels of the
 * organization and of each member but the author, each at their pace and in their hours (pace.ts). Who has alerts hears of an
 * outage by its own messages alone: nobody would end a second alert; nor one about what was over when it was reported, of which
 * the others hear the end.
 */
export async function tellOfIncidents(
  trx: Db,
  written: readonly IncidentNews[],
  { now, config }: { now: number; config: Pick<Config, "smtp" | "signup"> },
): Promise<void> {
  const affected = new Set(written.map(({ incident }) => incident.affectedServices));
  const monitors = await listMessageMonitors(
    trx,
    [...affected].flatMap((services) => services.flatMap(({ monitorId }) => monitorId ?? [])),
  );
  const tags = new Map(
    [...affected].map((services) => [
      services,
      services.flatMap(({ monitorId }) => monitors.get(monitorId ?? 0)?.tags ?? []),
    ]),
  );
  const news = written.map((one) => newsOf(one, tags.get(one.incident.affectedServices) ?? [], now));
  await tellOfSubjects(trx, "incident_id", news, { now, mailing: mailingOf(config) });
}

function newsOf(
  { incident, said, isOpening, authorId }: IncidentNews,
  tags: readonly string[],
  now: number,
): SubjectNews {
  const { id, organizationId, automatic, status } = incident;
  const isRegrouped = automatic && typeof said === "object" && REGROUPED.has(said.code as Code);
  const isOver = status === "resolved";
  const isNoAlert = automatic || (isOpening && isOver);
  const goingOn = isOpening ? "incident.opened" : "incident.updated";
  return {
    ...{ organizationId, about: id, tags },
    message: messageOf(isOver ? "incident.resolved" : goingOn, incident, said, now),
    isFor: ({ userId, type }) =>
      userId === null ? !isRegrouped && !(isNoAlert && keepsAlerts(type)) : userId !== authorId,
  };
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

/**
 * What was down in these incidents is up again. The end of outages is told by itself; who hears of no outages is told that the
 * incident is over.
 */
export async function endResolvedThreads(
  trx: Db,
  incidents: readonly Omit<IncidentNews["incident"], "affectedServices">[],
  now: number,
): Promise<void> {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  const threads = await listSubjectThreads(trx, "incident_id", [...byId.keys()]);
  const messageFor = ({ about }: { about: number }, channel: Channel) => {
    const incident = byId.get(about);
    const hears = (event: "monitor.up" | "incident.resolved") =>
      wants(channel, { event, severity: "high", tags: [] }, true);
    if (!incident || hears("monitor.up") || !hears("incident.resolved")) return null;
    const over = { ...incident, status: "resolved", affectedServices: [] };
    return messageOf("incident.resolved", over, fact("incident.status_set", { stage: "resolved" }), now);
  };
  const say = { mailing: { mails: true, asksPeople: false }, messageFor };
  await endThreadsOf(trx, threads, { now, say });
}

/** More than fits on a screen is read in the incident. */
const MAX_SAID = 3_000;

/** What a person wrote, Markdown, as plain text with its lines: most channels know no Markdown, or another one. */
const factOfWords = (written: string): Fact => ({
  code: "notice.incident_said" satisfies Code,
  params: { said: cut(cleanedLines(plainText(written)), MAX_SAID) },
});

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
  const told: Fact =
    typeof said === "string" ? factOfWords(said) : { ...fact("notice.incident_fact"), because: said };
  const message = newMessage({
    ...{ event, type: TYPES[event], at: now, fact: told, incidentId: id, severity },
    title: titleFact(incident, { isOver: incident.status === "resolved" }) ?? incident.title,
  });
  return { ...message, event };
}
