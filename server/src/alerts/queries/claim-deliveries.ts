import { type SqlBool, sql } from "kysely";
import { idOfMerged } from "../../incidents/queries/incident-changes.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn, isPostgres } from "../../platform/database/sql.ts";
import { CONFIRMATION_EVENT } from "../../platform/database/tables/outbox.ts";
import { DELIVERY_COLUMNS, type Delivery, SUBSCRIBER, waiting } from "./outbox.ts";

/** Replicas claim one after the other: whether a channel is being sent to is seen in rows that another one may be writing. */
const CLAIM_LOCK = 7_233_351_908;

/** A literal, for its index. */
const confirmationEvent = sql.lit(CONFIRMATION_EVENT);

/** What an attempt may begin of. */
interface Due {
  now: number;
  /** What is to be given up at that time, or before it, stays as it is. */
  worthAfter: number;
}

/** How many attempts may begin. */
export interface ClaimLimits extends Due {
  until: number;
  /** Of what goes to no channel. */
  plain: number;
  /** Of what goes to channels of organizations, and to those of people: one each. */
  channels: ChannelLimits;
  own: ChannelLimits;
  /** Of what goes to subscribers of status pages. */
  subscribers: ChannelLimits;
}

interface ChannelLimits {
  atMost: number;
  /** Of one organization, with those that are under way. */
  ofOne: number;
  /** How many are under way, by organization. */
  running: ReadonlyMap<number, number>;
}

/** Lets no other process decide what is sent next, until the transaction ends. */
export async function lockClaims(trx: Db): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
}

/**
 * Begins the next attempt of what is due. Until `until` no other replica begins one; then this one counts as lost. To a
 * channel one thing at a time is sent, the oldest first; of one subject in its order, and nothing that an alert has to say anew
 * first. Call it with the claims locked.
 */
export async function claimDeliveries(trx: Db, limits: ClaimLimits): Promise<Delivery[]> {
  const found = [
    ...(await duePlain(trx, limits)),
    ...(await dueOfChannels(trx, limits, { ...limits.channels, areOwn: false })),
    ...(await dueOfChannels(trx, limits, { ...limits.own, areOwn: true })),
    ...(await dueOfSubscribers(trx, limits, limits.subscribers)),
  ];
  if (found.length === 0) return [];
  return trx
    .updateTable("outbox")
    .set((set) => ({
      attempts: set("attempts", "+", 1),
      next_try_at: limits.until,
      leased_until: limits.until,
    }))
    .where(among(trx, "id", found))
    .returning(DELIVERY_COLUMNS)
    .execute();
}

async function duePlain(trx: Db, { now, worthAfter, plain }: ClaimLimits): Promise<number[]> {
  const due = trx
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", waiting)
    .where("channel_id", "is", null)
    .where("channel", "!=", SUBSCRIBER)
    .where("next_try_at", "<=", now)
    .where("gives_up_at", ">", worthAfter)
    .orderBy("next_try_at")
    .limit(plain);
  return (await due.execute()).map(({ id }) => id);
}

/**
 * The oldest for subscribers, as many as may begin. There may be tens of thousands, of which only these are read: none of an
 * organization that has more than half of its share under way, since each look costs something. Confirmation requests come
 * first: people who have just subscribed wait for theirs.
 */
async function dueOfSubscribers(trx: Db, due: Due, limits: ChannelLimits): Promise<number[]> {
  const { atMost, running } = limits;
  if (atMost <= 0) return [];
  const organizations = await organizationsToNotify(trx, due);
  const ofOne = sharedOut(limits.ofOne, new Set([...organizations, ...running.keys()]).size);
  const rows: Candidate[] = [];
  for (const organizationId of organizations) {
    const underWay = running.get(organizationId) ?? 0;
    if (underWay > ofOne / 2) continue;
    const room = ofOne - underWay;
    const own = dueOf(trx, due, organizationId);
    const confirmations = await own.where("event", "=", confirmationEvent).limit(room).execute();
    const notifications = own.where("channel", "=", SUBSCRIBER).where("page_notification_id", "is not", null);
    const some = [...confirmations, ...(await notifications.limit(room - confirmations.length).execute())];
    rows.push(...some.map(({ id }) => ({ id, organizationId })));
  }
  return fairly(rows, { atMost, ofOne, running });
}

/** What is due of an organization, the oldest first. */
const dueOf = (trx: Db, { now, worthAfter }: Due, organizationId: number) =>
  trx
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", waiting)
    .where("organization_id", "=", organizationId)
    .where("next_try_at", "<=", now)
    .where("gives_up_at", ">", worthAfter)
    .orderBy("next_try_at")
    .orderBy("id");

/**
 * How many messages to its subscribers each of so many organizations may have under way: the places of one, shared, and one at
 * least. An organization whose messages hang takes more than its share, but not the share of others.
 */
const sharedOut = (places: number, organizations: number): number =>
  Math.max(1, Math.floor(places / organizations));

/** The organizations with something for subscribers that is due, by one step in the index for each. */
async function organizationsToNotify(trx: Db, { now, worthAfter }: Due): Promise<number[]> {
  const isForSubscriber = sql`outbox.state = ${waiting} and outbox.channel = ${SUBSCRIBER}`;
  const { rows } = await sql<{ id: number | string }>`
    with recursive own (id) as (
      select min(outbox.organization_id) from outbox where ${isForSubscriber}
      union all
      select (select min(outbox.organization_id) from outbox
        where ${isForSubscriber} and outbox.organization_id > own.id)
      from own where own.id is not null
    )
    select own.id from own
    where own.id is not null and exists (
      select 1 from outbox
      where ${isForSubscriber} and outbox.organization_id = own.id and outbox.next_try_at <= ${now}
        and outbox.gives_up_at > ${worthAfter}
    )`.execute(trx);
  return rows.map(({ id }) => Number(id));
}

interface Candidate {
  id: number | string;
  organizationId: number | string;
}

/** What may be sent to a channel, as its index has it. */
export const isReleased = sql<SqlBool>`outbox.state = ${waiting} and outbox.channel_id is not null
  and outbox.released_at is not null`;

/** What is being sent, as its index has it. */
export const isLeased = (
  now: number,
) => sql<SqlBool>`outbox.state = ${waiting} and outbox.leased_until is not null
  and outbox.leased_until > ${now}`;

/**
 * The oldest of each channel that nothing is being sent to, as many as may begin: first of the organizations of which the
 * fewest are under way, so that the many of one never delay the few of another.
 */
async function dueOfChannels(
  trx: Db,
  { now, worthAfter }: Due,
  { atMost, ofOne, running, areOwn }: ChannelLimits & { areOwn: boolean },
): Promise<number[]> {
  if (atMost <= 0) return [];
  const whose = areOwn ? sql`channels.user_id is not null` : sql`channels.user_id is null`;
  // One step in the index for each channel, and one for its next message: in a storm tens of thousands wait.
  const { rows } = await sql<Candidate>`
    with recursive own (id) as (
      select min(outbox.channel_id) from outbox where ${isReleased}
      union all
      select (select min(outbox.channel_id) from outbox where ${isReleased} and outbox.channel_id > own.id)
      from own where own.id is not null
    )
    select id, "organizationId" from (
      select next.id, next."organizationId",
        row_number() over (partition by next."organizationId" order by next.id) as turn
      from (
        select channels.organization_id as "organizationId", (
          select outbox.id from outbox
          where ${isReleased} and outbox.channel_id = own.id and outbox.next_try_at <= ${now}
            and outbox.gives_up_at > ${worthAfter}
            and not exists (select 1 from outbox as earlier where earlier.channel_id = outbox.channel_id
              and earlier.subject = outbox.subject and earlier.state = 'waiting' and earlier.id < outbox.id)
          order by outbox.id limit 1) as id
        from own join channels on channels.id = own.id
        where ${whose} and coalesce(channels.held_until, 0) <= ${now}
          and not exists (select 1 from outbox where outbox.channel_id = own.id and ${isLeased(now)})
      ) as next
      where next.id is not null
    ) as turns
    where turn <= ${ofOne}
    order by turn, id`.execute(trx);
  return fairly(rows, { atMost, ofOne, running });
}

/** As many of these as may begin, in turns. */
function fairly(rows: Candidate[], { atMost, ofOne, running }: ChannelLimits): number[] {
  const underWay = new Map(running);
  const begun: number[] = [];
  while (begun.length < atMost) {
    const next = fewestUnderWay(rows, underWay, ofOne);
    if (!next) break;
    rows.splice(rows.indexOf(next), 1);
    begun.push(Number(next.id));
    const organizationId = Number(next.organizationId);
    underWay.set(organizationId, (underWay.get(organizationId) ?? 0) + 1);
  }
  return begun;
}

/** The first of those whose organization has the fewest under way; none of one that has enough. */
function fewestUnderWay(
  rows: readonly Candidate[],
  underWay: ReadonlyMap<number, number>,
  ofOne: number,
): Candidate | undefined {
  let [found, fewest]: [Candidate | undefined, number] = [undefined, ofOne];
  for (const row of rows) {
    const count = underWay.get(Number(row.organizationId)) ?? 0;
    if (count < fewest) [found, fewest] = [row, count];
  }
  return found;
}

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
 * leads, unless notifications of this one were sent all the same, and once all are up again that of the last.
 */
export const isNotifiedByAnother = sql<SqlBool>`(notifications.event in ('monitor.down', 'monitor.up') and exists (
  select 1 from ${sharedIncident} join affected_services as own on ${ownOutage}
  where about.id = notifications.incident_id and (
    (notifications.event = 'monitor.down' and own.joined = 1 and notifications.together_message is null)
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
