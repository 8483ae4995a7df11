import type { IncidentNotifier, WrittenUpdate } from "../incidents/changed-incident.ts";
import { noteIncidents } from "../incidents/queries/incident-changes.ts";
import { titleMessage } from "../incidents/title-rules.ts";
import { listMessageMonitors } from "../monitors/queries/monitor-names.ts";
import { plainText } from "../platform/formats/markdown.ts";
import { type Code, cleanedLines, type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { IncidentEvent } from "./channels/filter.ts";
import { type Message, newMessage } from "./channels/message.ts";
import { cut } from "./channels/text-formats.ts";
import { notePosts } from "./note.ts";
import type { PostEvent } from "./queries/alert-events.ts";
import { moveIncidentDeliveries } from "./queries/incident-deliveries.ts";

/** What channels are notified of by the outages themselves. */
const REGROUPED = new Set<Code>(["incident.merged", "incident.split", "incident.split_off"]);

/** Called by incidents, in the transactions that change them. */
export const incidentNotifier: IncidentNotifier = {
  /**
   * Updates that people wrote: for the channels of the organization and of each member but the author. Pagers receive an outage
   * by its own alert alone, as a second one would never end; and nothing that was over when it was reported.
   */
  async noteWrittenUpdates(trx, written, now) {
    const affected = new Set(written.map(({ incident }) => incident.affectedServices));
    const monitors = await listMessageMonitors(
      trx,
      [...affected].flatMap((services) => services.flatMap(({ monitorId }) => monitorId ?? [])),
    );
    const posts = written.map(({ incident, said, isOpening, authorId }) => {
      const { id, organizationId, automatic, affectedServices } = incident;
      const isOver = incident.status === "resolved";
      const goingOn = isOpening ? "incident.opened" : "incident.updated";
      const message = incidentMessage(isOver ? "incident.resolved" : goingOn, incident, said, now);
      const isRegrouped = automatic && typeof said === "object" && REGROUPED.has(said.code as Code);
      return {
        ...{ organizationId, subject: `incident ${id}`, message },
        tags: affectedServices.flatMap(({ monitorId }) => monitors.get(monitorId ?? 0)?.tags ?? []),
        audience: {
          is: "people" as const,
          authorId,
          isNoAlert: automatic || (isOpening && isOver),
          isRegrouped,
        },
        says: isOver ? ("over" as const) : ("open" as const),
      };
    });
    await notePosts(trx, posts, now);
  },

  /**
   * This incident gets no more updates: it was deleted or merged. Machine channels that were notified of it are sent that, or
   * a pager's alert would stay open.
   */
  noteGone: (trx, incident, why, now) =>
    notePosts(trx, [endOf(incident, why, { audience: { is: "programs" }, now })], now),

  /**
   * What was down in these incidents is up again. The end of outages is sent by itself; who wants no such ends is sent that
   * the incident is over.
   */
  noteResolved: (trx, incidents, now) =>
    notePosts(
      trx,
      incidents.map((incident) =>
        endOf({ ...incident, affectedServices: [] }, msg("incident.status_set", { stage: "resolved" }), {
          ...{ audience: { is: "without_ends" }, now },
        }),
      ),
      now,
    ),

  /** These incidents were acknowledged: channels that support it are notified of that, if they were notified of the incident. */
  async noteAcknowledged(trx, incidents, now) {
    const ids = incidents.flatMap(({ affectedServices }) =>
      affectedServices.flatMap(({ monitorId }) => monitorId ?? []),
    );
    const monitors = await listMessageMonitors(trx, ids);
    const posts = incidents.map((incident) => {
      const { id: incidentId, organizationId, acknowledgedByName, severity } = incident;
      const { affectedServices, automatic } = incident;
      const who = acknowledgedByName ?? "?";
      const open = affectedServices.findLast(
        ({ outageStartedAt, outageEndedAt }) => outageStartedAt !== null && outageEndedAt === null,
      );
      const monitor = automatic ? monitors.get(open?.monitorId ?? incident.monitorId ?? 0) : undefined;
      const title = titleMessage(incident, { isOver: false }) ?? incident.title;
      const code =
        monitor?.kind === "device" ? "notification.acknowledged_device" : "notification.acknowledged";
      const about = monitor
        ? { monitor, descriptor: msg(code, { who, name: monitor.name }) }
        : { title, severity, descriptor: msg("notification.incident_acknowledged", { who }) };
      const message = newMessage({ event: "acknowledged", type: "info", at: now, incidentId, ...about });
      return {
        organizationId,
        subject: `incident ${incidentId}`,
        message,
        tags: [],
        audience: { is: "acknowledged" as const },
      };
    });
    await notePosts(trx, posts, now);
    await noteIncidents(trx, incidents, now);
  },

  moveDeliveries: moveIncidentDeliveries,
};

function endOf(
  incident: WrittenUpdate["incident"],
  why: MessageDescriptor,
  { audience, now }: { audience: PostEvent["audience"]; now: number },
): PostEvent & { organizationId: number } {
  const over = { ...incident, status: "resolved" };
  return {
    ...{ organizationId: incident.organizationId, subject: `incident ${incident.id}`, tags: [], audience },
    ...{ message: incidentMessage("incident.resolved", over, why, now), says: "over", isForNotified: true },
  };
}

/** More than fits on a screen is read in the incident. */
const MAX_SAID = 3_000;

/** What a person wrote, Markdown, as plain text with its lines: most channels know no Markdown, or another one. */
const messageOfWords = (written: string): MessageDescriptor => ({
  code: "notification.incident_said" satisfies Code,
  params: { said: cut(cleanedLines(plainText(written)), MAX_SAID) },
});

const TYPES = {
  "incident.opened": "warning",
  "incident.updated": "info",
  "incident.resolved": "success",
} as const;

function incidentMessage(
  event: IncidentEvent,
  incident: WrittenUpdate["incident"],
  said: string | MessageDescriptor,
  now: number,
): Message & { event: IncidentEvent } {
  const { id, severity } = incident;
  const notified: MessageDescriptor =
    typeof said === "string" ? messageOfWords(said) : { ...msg("notification.incident_log"), because: said };
  const message = newMessage({
    ...{ event, type: TYPES[event], at: now, descriptor: notified, incidentId: id, severity },
    title: titleMessage(incident, { isOver: incident.status === "resolved" }) ?? incident.title,
  });
  return { ...message, event };
}
