import { factOfSuspect, suspectOf } from "../../integration/deployment/rules.ts";
import type { Db } from "../../store/db.ts";
import { listSuspects } from "../../store/queries/incident-deployments.ts";
import { readIncidentStand } from "../../store/queries/incident-stand.ts";
import type { Message } from "./message.ts";

/** A message with how its incident stands when it is sent: since when, and who looks after it. */
export async function withIncident(db: Db, message: Message): Promise<Message> {
  if (message.incidentId === null) return message;
  const found = await readIncidentStand(db, message.incidentId);
  if (!found) return message;
  const { severity, startedAt, resolvedAt, acknowledgedAt: at, acknowledgedBy: by } = found;
  const suspect = suspectOf((await listSuspects(db, [found.id])).get(found.id) ?? [], startedAt);
  const deployment = suspect && factOfSuspect(suspect, startedAt);
  return {
    ...message,
    incident: { severity, startedAt, resolvedAt, acknowledged: at === null ? null : { by, at }, deployment },
  };
}
