import type { Db } from "../store/db.ts";
import { readMergedAt } from "../store/queries/incident-updates.ts";
import type { Incident } from "../store/queries/incidents.ts";
import { listOutageNotices } from "../store/queries/notifications.ts";
import type { Member } from "./group-words.ts";

/**
 * Those of an incident's outages that it had when somebody said that they know of all of it, or when people brought it together
 * with what was acknowledged. What joined later joined silently: nobody has said that they know of that. Returns ids.
 */
export async function readAcknowledged(
  db: Db,
  { id, organizationId, acknowledgedAt }: Incident,
  members: readonly (Member & { id: number })[],
): Promise<ReadonlySet<number>> {
  if (acknowledgedAt === null) return new Set();
  const until = Math.max(acknowledgedAt, (await readMergedAt(db, id)) ?? 0);
  const notices = await listOutageNotices(
    db,
    organizationId,
    members.map(({ monitorId }) => monitorId),
    Math.min(...members.map(({ outageStartedAt }) => outageStartedAt)),
  );
  const joinedAt = (member: Member) =>
    notices.find(
      ({ monitorId, startedAt }) => monitorId === member.monitorId && startedAt === member.outageStartedAt,
    )?.createdAt ?? member.outageStartedAt;
  return new Set(members.filter((one) => joinedAt(one) <= until).map((one) => one.id));
}
