import { insertNotedChanges, type NotedChange } from "../../monitors/queries/monitor-changes.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn } from "../../platform/database/sql.ts";
import type { Condition } from "../alert.ts";
import type { Message } from "../channels/message.ts";

/** Something to bring alerts up to date with. */
export interface AlertEvent extends NotedChange {
  id: number;
  post: PostEvent | null;
}

/** What is to be sent word for word, and to whom. */
export interface PostEvent {
  subject: string;
  message: Message;
  /** Of a monitor's event for machine channels: what it comes to; and of one that no longer flaps, what is sent to those that did not know of the flapping. */
  condition?: Condition;
  otherwise?: Message;
  tags: readonly string[];
  audience: Audience;
  slot?: string;
  says?: "open" | "over";
  isForNotified?: boolean;
}

/** `people`: all but the author and, where `isNoAlert`, pagers. `machines`: the events of monitors. `programs`: the end of what they were notified of. */
export type Audience =
  | { is: "all" }
  | { is: "people"; authorId: number | null; isNoAlert: boolean; isRegrouped: boolean }
  | { is: "machines" }
  | { is: "programs" }
  | { is: "without_ends" }
  | { is: "acknowledged" };

/**
 * Channels that were added or deleted, or of which something else is wanted now: what is down is compared with what all channels
 * of the organization were notified of.
 */
export const noteChannels = (
  trx: Db,
  channels: readonly { organizationId: number; id: number }[],
  at: number,
): Promise<void> =>
  insertNotedChanges(
    trx,
    channels.map(({ organizationId, id }) => ({ organizationId, channelId: id, at })),
  );

/** The oldest of them. */
export async function takeAlertEvents(trx: Db, limit: number): Promise<AlertEvent[]> {
  const rows = await trx.selectFrom("alert_events").selectAll().orderBy("id").limit(limit).execute();
  await trx
    .deleteFrom("alert_events")
    .where(
      among(
        trx,
        "id",
        rows.map(({ id }) => id),
      ),
    )
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, organizationId: row.organization_id, monitorId: row.monitor_id },
    ...{ incidentId: row.incident_id, channelId: row.channel_id, at: row.at },
    post: row.post === null ? null : JSON.parse(row.post),
  }));
}

/** In which alerts these monitors, or those of these subjects, are. */
export async function listAlertSubjects(
  trx: Db,
  which:
    | { monitorIds: readonly number[] }
    | { subjects: readonly string[] }
    | { organizationIds: readonly number[] },
): Promise<{ monitorId: number; subject: string }[]> {
  const query = trx.selectFrom("alert_subjects").select(["monitor_id as monitorId", "subject"]);
  if ("monitorIds" in which) return query.where(among(trx, "monitor_id", which.monitorIds)).execute();
  if ("subjects" in which) return query.where(idIn("subject", which.subjects)).execute();
  return query.where(among(trx, "organization_id", which.organizationIds)).execute();
}

/** Saves in which alerts monitors are. */
export async function insertAlertSubjects(
  trx: Db,
  subjects: readonly { monitorId: number; organizationId: number; subject: string }[],
): Promise<void> {
  const rows = subjects.map(({ monitorId, organizationId, subject }) => ({
    ...{ monitor_id: monitorId, organization_id: organizationId, subject },
  }));
  await insertMany(trx, "alert_subjects", rows, "nothing");
}

/** Removes these monitors from their alerts: no channel has them as down any more. */
export async function deleteAlertSubjects(
  trx: Db,
  subjects: readonly { monitorId: number; subject: string }[],
): Promise<void> {
  for (const [subject, own] of Map.groupBy(subjects, (one) => one.subject)) {
    const ids = own.map(({ monitorId }) => monitorId);
    await trx
      .deleteFrom("alert_subjects")
      .where("subject", "=", subject)
      .where(among(trx, "monitor_id", ids))
      .execute();
  }
}
