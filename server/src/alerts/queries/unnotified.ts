import { sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { idIn } from "../../platform/database/sql.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import { inSlices } from "../../platform/turns.ts";
import { type Alert, incidentSubject, isDue, type Member, monitorSubject } from "../alert.ts";
import { listAlertSubjects } from "./alert-events.ts";

/** An incident with an outage of which no notification was sent. */
export interface UnnotifiedIncident {
  id: number;
  title: string;
  titleFact: MessageDescriptor | null;
}

/**
 * The oldest incidents with an outage since `before` of which no channel was notified, unless all that is wanting are the hours of
 * channels. What was acknowledged is known, and of what is in maintenance no notification is due.
 */
export async function listUnnotifiedIncidents(
  db: Db,
  organizationId: number,
  { before, limit }: { before: number; limit: number },
): Promise<UnnotifiedIncident[]> {
  const outages = await listWaitingOutages(db, organizationId, before);
  const unnotified = await withoutNotified(db, outages);
  const ids = [...new Set(unnotified.map(({ incidentId }) => incidentId))].slice(0, limit);
  const rows = await db
    .selectFrom("incidents")
    .select(["id", "title", "title_message as titleFact"])
    .where(idIn("id", ids))
    .orderBy("started_at")
    .orderBy("id")
    .execute();
  return rows.map(({ titleFact, ...row }) => ({ ...row, titleFact: parseMessage(titleFact) }));
}

interface WaitingOutage {
  incidentId: number;
  monitorId: number;
  /** When the monitor first went down in that incident: what was said of it since is about that. Milliseconds. */
  since: number;
}

/** What someone should know of by now; that of the oldest incidents first. */
async function listWaitingOutages(db: Db, organizationId: number, before: number): Promise<WaitingOutage[]> {
  const rows = await db
    .selectFrom("affected_services as outage")
    .innerJoin("incidents", "incidents.id", "outage.incident_id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "outage.monitor_id")
    .select(["outage.incident_id as incidentId", "outage.monitor_id as monitorId"])
    .select(
      sql<number>`(select min(own.outage_started_at) from affected_services as own
        where own.incident_id = outage.incident_id and own.monitor_id = outage.monitor_id)`.as("since"),
    )
    .where("incidents.organization_id", "=", organizationId)
    .where("incidents.resolved_at", "is", null)
    .where("outage.outage_started_at", "<=", before)
    .where("outage.outage_ended_at", "is", null)
    .where("outage.acknowledged", "=", 0)
    .where("monitor_states.maintenance_until", "is", null)
    .orderBy("incidents.started_at")
    .orderBy("incidents.id")
    .execute();
  return rows.flatMap(({ monitorId, ...row }) => (monitorId === null ? [] : { ...row, monitorId }));
}

/** So many alerts are read at a time: in a storm the first few have all of it. */
const ALERTS_AT_ONCE = 20;

/** Those of these outages that no channel was notified of, nor will be when its hours begin. */
async function withoutNotified(db: Db, outages: readonly WaitingOutage[]): Promise<WaitingOutage[]> {
  const left = new Map(outages.map((one) => [one.monitorId, one]));
  const isHeld = new Set<number>();
  const isFailing = new Set<number>();
  await inSlices(await listCandidates(db, outages), ALERTS_AT_ONCE, async (some) => {
    const ids = some.flatMap(({ id, of }) => (of.some((monitorId) => left.has(monitorId)) ? id : []));
    if (ids.length === 0) return;
    const rows = await db.selectFrom("alerts").select(["data", "reason"]).where(idIn("id", ids)).execute();
    for (const { data, reason } of rows) {
      for (const member of (JSON.parse(data) as Pick<Alert, "members">).members) {
        const outage = left.get(member.monitorId);
        if (!outage) continue;
        if (isNotifiedOf(member, outage)) left.delete(member.monitorId);
        else if (reason === "quiet_hours" && isDue(member)) isHeld.add(member.monitorId);
        else if (reason === "failing" && isDue(member)) isFailing.add(member.monitorId);
      }
    }
  });
  // Hours alone are no reason where another channel fails.
  return [...left.values()].filter(({ monitorId }) => !isHeld.has(monitorId) || isFailing.has(monitorId));
}

/** An alert that may have some of these monitors. */
interface Candidate {
  id: number;
  of: readonly number[];
}

/** One of each incident first, those of which a channel was notified before others: most are not read then. */
async function listCandidates(db: Db, outages: readonly WaitingOutage[]): Promise<Candidate[]> {
  const monitorIds = outages.map(({ monitorId }) => monitorId);
  // A pager keeps a monitor in the alert that it was opened for.
  const shared = await listAlertSubjects(db, { monitorIds });
  const places = [
    ...outages.map(({ incidentId, monitorId }) => ({ subject: incidentSubject(incidentId), monitorId })),
    ...monitorIds.map((monitorId) => ({ subject: monitorSubject(monitorId), monitorId })),
    ...shared,
  ];
  const monitors = Map.groupBy(places, ({ subject }) => subject);
  const rows = await db
    .selectFrom("alerts")
    .select(["id", "subject"])
    .where(idIn("subject", [...monitors.keys()]))
    .where("resolved_at", "is", null)
    .where((is) => is.or([is("state", "=", "firing"), is("reason", "in", ["quiet_hours", "failing"])]))
    .orderBy(sql`case when state = 'firing' then 0 else 1 end`)
    .orderBy("id")
    .execute();
  const bySubject = Map.groupBy(rows, ({ subject }) => subject);
  const inTurn = [...bySubject.values()].flatMap((same) => same.map((row, turn) => ({ ...row, turn })));
  return inTurn
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ id, subject }) => ({
      id,
      of: (monitors.get(subject) ?? []).map(({ monitorId }) => monitorId),
    }));
}

/** Whether a channel was notified of the outage, and not only of one before it. */
const isNotifiedOf = ({ notified, notifiedSince }: Member, { since }: WaitingOutage): boolean =>
  notified === "flapping" ||
  ((notified === "down" || notified === "critical") && (notifiedSince ?? 0) >= since);
