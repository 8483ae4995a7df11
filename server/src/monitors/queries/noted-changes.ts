import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/db.ts";

/** Something by which alerts may no longer be up to date; they take it from here (alerts/inbox.ts). */
export interface NotedChange {
  organizationId: number;
  monitorId: number | null;
  incidentId: number | null;
  channelId: number | null;
  /** What is to be sent word for word, as JSON that only alerts read. */
  post: object | null;
  at: number;
}

/** One that is written; what is left out is null. */
export type NewNotedChange = Pick<NotedChange, "organizationId" | "at"> & Partial<NotedChange>;

/** Notes what happened, in the transaction in which it did. */
export async function insertNotedChanges(trx: Db, changes: readonly NewNotedChange[]): Promise<void> {
  const rows = changes.map(
    ({ organizationId, monitorId = null, incidentId = null, channelId = null, post = null, at }) => ({
      ...{ organization_id: organizationId, monitor_id: monitorId, incident_id: incidentId },
      ...{ channel_id: channelId, post: post && JSON.stringify(post), at },
    }),
  );
  await insertMany(trx, "alert_events", rows);
}

/** Monitors that people changed: how severe it is when they fail, their tags, or what they depend on. */
export const noteMonitors = (
  trx: Db,
  monitors: readonly { organizationId: number; monitorId: number }[],
  at: number,
): Promise<void> =>
  insertNotedChanges(
    trx,
    monitors.map((one) => ({ ...one, at })),
  );
