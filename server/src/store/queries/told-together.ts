import { type SqlBool, sql } from "kysely";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { idOfMerged } from "./merged-incidents.ts";

/** The outages that share an incident: that of the monitor which leads, and those that joined it. */
const ofGroup = (outage: string) => {
  const column = (name: string) => sql.ref(`${outage}.${name}`);
  return sql<SqlBool>`${column("incident_id")} = shared.id and ${column("outage_started_at")} is not null
    and (${column("joined")} = 1 or ${column("monitor_id")} = shared.monitor_id)`;
};

/** The incident that a notification is about, or that this was merged into. */
const sharedIncident = sql`incidents as about
  join incidents as shared on shared.id = ${idOfMerged}`;

/** Whether its monitor shares the incident that the notification is about with others. */
export const isOfGroup = sql<SqlBool>`exists (
  select 1 from ${sharedIncident} join affected_services as own on ${ofGroup("own")}
  where about.id = notifications.incident_id and own.monitor_id = notifications.monitor_id)`;

/** The outage that the notification is about. */
const ownOutage = sql`${ofGroup("own")} and own.monitor_id = notifications.monitor_id
  and own.outage_started_at = coalesce(notifications.outage_started_at, own.outage_started_at)`;

/**
 * Whether another notification speaks for this one, as in channels: of what went down together that of the monitor which
 * leads, unless people were told of this one all the same, and once all are up again that of the last.
 */
export const isToldByAnother = sql<SqlBool>`(notifications.event in ('monitor.down', 'monitor.up') and exists (
  select 1 from ${sharedIncident} join affected_services as own on ${ownOutage}
  where about.id = notifications.incident_id and (
    (notifications.event = 'monitor.down' and own.joined = 1 and notifications.together_fact is null)
    or (notifications.event = 'monitor.up' and exists (
      select 1 from affected_services as other where ${ofGroup("other")} and other.monitor_id <> own.monitor_id and (
        other.outage_ended_at is null or other.outage_ended_at > own.outage_ended_at
        or (other.outage_ended_at = own.outage_ended_at and other.id > own.id)))))))`;

/** What several monitors share. */
export interface SharedIncident {
  leadId: number;
  leadName: string;
  /** Monitors beside the one that leads. */
  others: number;
}

/** Those of these incidents that several monitors share, by the ids that notifications have of them. */
export async function readSharedIncidents(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, SharedIncident>> {
  if (incidentIds.length === 0) return new Map();
  const { rows } = await sql<SharedIncident & { id: number }>`
    select about.id, shared.monitor_id as "leadId",
      max(case when own.monitor_id = shared.monitor_id then own.name end) as "leadName",
      count(distinct own.monitor_id) - 1 as others
    from ${sharedIncident} join affected_services as own on ${ofGroup("own")}
    where ${idIn("about.id", incidentIds)}
    group by about.id, shared.monitor_id`.execute(db);
  return new Map(
    rows
      .filter(({ others, leadName }) => Number(others) > 0 && leadName !== null)
      .map(({ id, leadId, leadName, others }) => [
        Number(id),
        { leadId: Number(leadId), leadName, others: Number(others) },
      ]),
  );
}
