import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";
import type { AnyDb } from "../dialect.ts";

/** What each channel was notified of is kept in one row for each incident, instead of threads, their outages and digests. */
export const alerts: Migration = {
  async up(db) {
    await createTables(db);
    // Reasons that there are no more.
    await sql`update outbox set failure = ${JSON.stringify({ code: "delivery.over" })}
      where failure in ('{"code":"delivery.untold"}', '{"code":"delivery.outdated"}', '{"code":"delivery.unwatched"}')`.execute(
      db,
    );
    await sql`alter table channels add column refused_since bigint`.execute(db);
    await carryOver(db);
    for (const index of ["outbox_undecided", "outbox_decided", "outbox_thread", "outbox_digest"])
      await sql`drop index ${sql.ref(index)}`.execute(db);
    await clearWaiting(db);
    for (const column of ["thread_id", "digest_id", "held_until"])
      await sql`alter table outbox drop column ${sql.ref(column)}`.execute(db);
    await createIndex(
      db,
      `index outbox_released on outbox (channel_id, id)
        where state = 'waiting' and channel_id is not null and released_at is not null`,
    );
    await createIndex(
      db,
      `index outbox_held_back on outbox (channel_id, id)
        where state = 'waiting' and channel_id is not null and released_at is null`,
    );
    await sql`drop table thread_outages`.execute(db);
    await sql`drop table channel_threads`.execute(db);
  },
};

/** What waits to say how monitors are is said anew by the alerts; the rest, which people wrote among it, is sent one by one. */
async function clearWaiting(db: AnyDb): Promise<void> {
  const isWaiting = sql`state = 'waiting' and channel_id is not null`;
  await sql`update outbox set digest_id = null, next_try_at = created_at where ${isWaiting} and digest_id is not null`.execute(
    db,
  );
  await sql`delete from outbox where ${isWaiting}
    and (event like 'monitor.%' or event in ('digest', 'reminder', 'acknowledged'))`.execute(db);
  await sql`update outbox set released_at = created_at where ${isWaiting}`.execute(db);
}

async function createTables(db: AnyDb): Promise<void> {
  const ofChannel = references("channel_id", "channels");
  await createTable(
    db,
    "alerts",
    {
      ...{ id: "id", organization_id: "bigint", channel_id: "bigint", subject: "text", state: "text" },
      ...{ reason: "text?", data: "text", next_at: "bigint?", delivery_id: "bigint?", reference: "text?" },
      ...{ created_at: "bigint", updated_at: "bigint", resolved_at: "bigint?" },
    },
    [ofChannel, references("organization_id", "organizations")],
  );
  const indexes = [
    "unique index alerts_open on alerts (subject, channel_id) where resolved_at is null",
    "index alerts_due on alerts (next_at, channel_id) where next_at is not null",
    "index alerts_delivery on alerts (delivery_id) where delivery_id is not null",
    "index alerts_channel on alerts (channel_id, subject)",
    "index alerts_organization on alerts (organization_id)",
    "index alerts_by_age on alerts (resolved_at) where resolved_at is not null",
    "index alerts_subject on alerts (subject, id)",
  ];
  for (const index of indexes) await createIndex(db, index);
  await createTable(
    db,
    "alert_events",
    {
      ...{ id: "id", organization_id: "bigint", monitor_id: "bigint?", incident_id: "bigint?" },
      ...{ channel_id: "bigint?", post: "text?", at: "bigint" },
    },
    [references("organization_id", "organizations")],
  );
  await createIndex(db, "index alert_events_organization on alert_events (organization_id)");
  await createTable(
    db,
    "alert_subjects",
    { monitor_id: "bigint", organization_id: "bigint", subject: "text" },
    ["primary key (monitor_id, subject)", references("monitor_id", "monitors")],
  );
  await createIndex(db, "index alert_subjects_subject on alert_subjects (subject)");
  await createIndex(db, "index alert_subjects_organization on alert_subjects (organization_id)");
  await createTable(db, "outbox_alerts", { delivery_id: "bigint", alert_id: "bigint" }, [
    "primary key (delivery_id, alert_id)",
    references("delivery_id", "outbox"),
    references("alert_id", "alerts"),
  ]);
  await createIndex(db, "index outbox_alerts_alert on outbox_alerts (alert_id)");
}

/** An open thread of the old kind, with an outage that it was about. */
interface Thread {
  id: number;
  organizationId: number;
  channelId: number;
  type: string;
  monitorId: number | null;
  incidentId: number | null;
  certificateOf: number | null;
  objectiveOf: number | null;
  openedAt: number;
  toldAt: number | null;
  reference: string | null;
}

interface Outage {
  threadId: number;
  monitorId: number;
  startedAt: number;
  toldAt: number | null;
  incidentId: number | null;
}

interface Member {
  monitorId: number;
  since: number;
  notified: string | null;
}

interface Carried {
  thread: Thread;
  subject: string;
  isOpen: boolean;
  members: Map<number, Member>;
}

/** Threads with messages that are still to be delivered, and since when the first of them waits: it has notified nobody yet. */
const WAITING = sql`select thread_id, min(created_at) as since from outbox
  where state = 'waiting' and channel_id is not null and thread_id is not null group by thread_id`;

/** Nobody hears again what they know, and everybody hears what they do not: monitors are looked at anew after the start. */
async function carryOver(db: AnyDb): Promise<void> {
  const { rows: threads } = await sql<Thread>`
    select thread.id, thread.organization_id as "organizationId", thread.channel_id as "channelId", channels.type,
      thread.monitor_id as "monitorId", thread.incident_id as "incidentId", thread.certificate_of as "certificateOf",
      thread.objective_of as "objectiveOf", thread.opened_at as "openedAt", thread.told_at as "toldAt", thread.reference
    from channel_threads as thread join channels on channels.id = thread.channel_id
    left join (${WAITING}) as waiting on waiting.thread_id = thread.id
    where thread.closed_at is null or waiting.since is not null order by thread.id`.execute(db);
  const { rows: outages } = await sql<Outage>`
    select own.thread_id as "threadId", own.monitor_id as "monitorId", own.started_at as "startedAt",
      case when own.told_at < coalesce(waiting.since, own.told_at + 1) then own.told_at end as "toldAt",
      affected.incident_id as "incidentId"
    from thread_outages as own join channel_threads as thread on thread.id = own.thread_id
    left join (${WAITING}) as waiting on waiting.thread_id = thread.id
    left join affected_services as affected on affected.monitor_id = own.monitor_id
      and affected.outage_started_at = own.started_at and affected.outage_ended_at is null
    where (own.end_told_at is null and thread.closed_at is null) or own.end_told_at >= waiting.since
    order by own.id`.execute(db);
  const { rows: states } = await sql<{ monitorId: number; status: string; flapping: number }>`
    select monitor_id as "monitorId", status, flapping from monitor_states`.execute(db);
  const conditions = new Map(states.map((state) => [Number(state.monitorId), conditionOf(state)]));
  const carried = new Map<string, Carried>();
  const place = (thread: Thread, subject: string): Carried => {
    const key = `${thread.channelId} ${subject}`;
    const found = carried.get(key) ?? { thread, subject, isOpen: false, members: new Map<number, Member>() };
    carried.set(key, found);
    return found;
  };
  const byThread = Map.groupBy(outages, ({ threadId }) => Number(threadId));
  for (const thread of threads) {
    const own = byThread.get(Number(thread.id)) ?? [];
    const { incidentId, certificateOf, objectiveOf, monitorId, toldAt, openedAt } = thread;
    if (incidentId !== null) place(thread, `incident ${incidentId}`).isOpen = toldAt !== null;
    if (certificateOf !== null) place(thread, `certificate ${certificateOf}`).isOpen = true;
    if (objectiveOf !== null) place(thread, `objective ${objectiveOf}`).isOpen = true;
    if (own.length === 0 && monitorId !== null) {
      const notified = toldAt === null ? null : (conditions.get(Number(monitorId)) ?? "degraded");
      const member = { monitorId: Number(monitorId), since: Number(openedAt), notified };
      place(thread, `monitor ${monitorId}`).members.set(Number(monitorId), member);
    }
    for (const outage of own) {
      const isOne = thread.type === "webhook" || outage.incidentId === null;
      const subject = isOne ? `monitor ${outage.monitorId}` : `incident ${outage.incidentId}`;
      const notified = toldAt === null || outage.toldAt === null ? null : "down";
      const member = { monitorId: Number(outage.monitorId), since: Number(outage.startedAt), notified };
      place(thread, subject).members.set(member.monitorId, member);
    }
  }
  for (const one of carried.values()) await insertCarried(db, one);
  await sql`insert into alert_events (organization_id, monitor_id, at)
    select monitors.organization_id, monitors.id, monitor_states.status_since from monitors
    join monitor_states on monitor_states.monitor_id = monitors.id
    where monitors.deleted_at is null and (monitor_states.status in ('down', 'degraded')
      or monitor_states.flapping = 1 or monitor_states.suppressed_by is not null
      or monitors.id in (select monitor_id from alert_subjects))`.execute(db);
}

const conditionOf = ({ status, flapping }: { status: string; flapping: number }): string => {
  if (flapping === 1) return "flapping";
  if (status === "unknown") return "stopped";
  return status === "down" ? "down" : "degraded";
};

async function insertCarried(db: AnyDb, { thread, subject, isOpen, members }: Carried): Promise<void> {
  const at = Number(thread.toldAt ?? thread.openedAt);
  const known = [...members.values()].map((member) => ({
    ...{
      ...member,
      condition: member.notified ?? "down",
      severity: "high",
      isWanted: true,
      isFollowed: true,
    },
    ...{ isEndWanted: true, heldBy: null, isUnwatched: false, notifiedAt: at, missed: null },
    queued: thread.type === "webhook" ? member.notified : null,
  }));
  const isKnown = isOpen || known.some(({ notified }) => notified !== null);
  if (!isKnown) return;
  const data = JSON.stringify({
    ...{
      members: known,
      posts: [],
      isOpen,
      acknowledgedAt: null,
      lastSentAt: at,
      dueSince: null,
      wasHeld: false,
    },
    ...{ retryAt: null, failures: 0, sending: null },
  });
  await sql`insert into alerts
    (organization_id, channel_id, subject, state, reason, data, reference, created_at, updated_at) values
    (${thread.organizationId}, ${thread.channelId}, ${subject}, 'firing', 'delivered', ${data},
      ${thread.reference}, ${thread.openedAt}, ${at})`.execute(db);
  for (const { monitorId } of known) {
    await sql`insert into alert_subjects (monitor_id, organization_id, subject)
      select id, organization_id, ${subject} from monitors where id = ${monitorId} on conflict do nothing`.execute(
      db,
    );
  }
}
