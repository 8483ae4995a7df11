import { type Static, Type } from "typebox";
import { MonitorId } from "../../engine/schemas/live.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import {
  MessageSchema,
  nullable,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import type { LiveIncident } from "../live-incident.ts";
import { titleMessage } from "../title-rules.ts";

/** What an `incident` event of the live stream carries. */
export const IncidentChange = Type.Object({
  id: Type.Integer({ examples: [7] }),
  uuid: Uuid,
  monitorId: nullable(
    MonitorId,
    "The domain, service or device that speaks for it; null: none has been down in it.",
  ),
  title: Type.String({ examples: ["Shop is down"] }),
  fact: MessageSchema,
  status: Type.String({ description: "As in the list of incidents.", examples: ["open"] }),
  severity: Type.String({ description: "As in the list of incidents.", examples: ["high"] }),
  startedAt: Timestamp,
  resolvedAt: nullable(Timestamp, "Null while it goes on."),
  isDeleted: Type.Optional(Type.Boolean({ description: "True: it was deleted." })),
});

/** Type `incident`: opened, or changed. */
export const projectIncidentChange = (incident: LiveIncident): Static<typeof IncidentChange> => {
  const { id, uuid, monitorId, descriptionMessage, status, severity, resolvedAt } = incident;
  const said = titleMessage(incident, { isOver: resolvedAt !== null });
  const title = said ? inEnglish(said) : incident.title;
  return {
    ...{ id, uuid, monitorId, title, fact: descriptionMessage, status, severity },
    startedAt: timestamp(incident.startedAt),
    resolvedAt: timestampOrNull(resolvedAt),
  };
};
