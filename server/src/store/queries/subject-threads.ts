import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";

/** What such a thread is about: an incident that people write about, or the certificate or objective of a monitor. */
export type Subject = "incident_id" | "certificate_of" | "objective_of";

/** What a channel is told of one of these. */
export interface SubjectThread {
  id: number;
  organizationId: number;
  channelId: number;
  /** The number of the incident, or of the monitor. */
  about: number;
}

/** Those about these that have not ended. */
export async function listSubjectThreads(
  db: Db,
  subject: Subject,
  numbers: readonly number[],
): Promise<SubjectThread[]> {
  if (numbers.length === 0) return [];
  return db
    .selectFrom("channel_threads")
    .select(["id", "organization_id as organizationId", "channel_id as channelId", `${subject} as about`])
    .where(among(db, subject, numbers))
    .where("closed_at", "is", null)
    .orderBy("id")
    .$narrowType<{ about: number }>()
    .execute();
}

/** Opens threads; one that is open already stays. */
export async function openSubjectThreads(
  trx: Db,
  subject: Subject,
  threads: readonly { organizationId: number; channelId: number; about: number }[],
  now: number,
): Promise<void> {
  const rows = threads.map(({ organizationId, channelId, about }) => ({
    organization_id: organizationId,
    channel_id: channelId,
    monitor_id: null,
    [subject]: about,
    opened_at: now,
  }));
  await insertMany(trx, "channel_threads", rows, "nothing");
}

/** Ends these threads; of two that do so at once, one gets each. Returns the numbers of those that it ended. */
export async function claimThreadEnds(trx: Db, ids: readonly number[], now: number): Promise<number[]> {
  const rows = await trx
    .updateTable("channel_threads")
    .set({ closed_at: now })
    .where(idIn("id", ids))
    .where("closed_at", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The threads of incidents that people opened in which something got there, of channels of these types that are on. */
export const listToldIncidentThreads = (trx: Db, incidentIds: readonly number[], types: readonly string[]) =>
  trx
    .selectFrom("channel_threads as thread")
    .innerJoin("incidents", "incidents.id", "thread.incident_id")
    .innerJoin("channels", "channels.id", "thread.channel_id")
    .select([
      "thread.incident_id as incidentId",
      "thread.id as threadId",
      "channels.id",
      "channels.target",
      "channels.user_id as userId",
    ])
    .where(idIn("thread.incident_id", incidentIds))
    // What is told of an outage says so itself.
    .where("incidents.automatic", "=", 0)
    .where("thread.closed_at", "is", null)
    .where("thread.told_at", "is not", null)
    .where("channels.enabled", "=", 1)
    .where("channels.type", "in", types)
    .orderBy("thread.id")
    .$narrowType<{ incidentId: number }>()
    .execute();
