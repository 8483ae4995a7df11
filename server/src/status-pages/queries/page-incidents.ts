import { type SqlBool, sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isPostgres } from "../../platform/database/sql.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import type { Impact, IncidentStatus, Status } from "../../platform/monitor-defaults.ts";
import { inSlices } from "../../platform/turns.ts";

const READ_AT_ONCE = 300;

/** Milliseconds. */
export interface PageIncident {
  id: number;
  uuid: string;
  automatic: boolean;
  title: string;
  /** Null where a person wrote the title. */
  titleMessage: MessageDescriptor | null;
  status: IncidentStatus;
  impact: Impact;
  startedAt: number;
  resolvedAt: number | null;
}

interface Which {
  page: { id: number; organizationId: number; showAutomatic: boolean };
  monitorIds: readonly number[];
  since: number;
}

/**
 * Published incidents of these monitors: open ones first, newest first, then those that ended last; at most
 * `limit`. Without merged ones.
 */
export async function listPageIncidents(
  db: Db,
  { limit, ...which }: Which & { limit: number },
): Promise<PageIncident[]> {
  const found: PageIncident[] = [];
  await inSlices(await listIds(db, which), READ_AT_ONCE, async (ids) => {
    if (found.length < limit) found.push(...(await readPublished(db, which, ids)));
  });
  return found.slice(0, limit);
}

/** Without a limit. */
export async function findPageIncidents(
  db: Db,
  { uuids, ...which }: Which & { uuids: readonly string[] },
): Promise<PageIncident[]> {
  if (uuids.length === 0) return [];
  return readPublished(db, which, await listIds(db, which, idIn("uuid", uuids)));
}

async function listIds(
  db: Db,
  { page, monitorIds, since }: Which,
  are = sql<SqlBool>`1 = 1`,
): Promise<number[]> {
  const rows = await db
    .selectFrom("incidents")
    .select("id")
    .where("organization_id", "=", page.organizationId)
    .where("merged_into", "is", null)
    .where((where) => where.or([where("resolved_at", "is", null), where("resolved_at", ">=", since)]))
    .where("id", "in", (select) =>
      select.selectFrom("affected_services").select("incident_id").where(idIn("monitor_id", monitorIds)),
    )
    .where(are)
    .orderBy(sql`case when resolved_at is null then 0 else 1 end`)
    .orderBy("resolved_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

/** In the order of the numbers. */
async function readPublished(db: Db, { page }: Which, ids: readonly number[]): Promise<PageIncident[]> {
  const rows = await db
    .selectFrom("incidents")
    .select(["id", "uuid", "automatic", "title", "status", "impact"])
    .select(["title_message as titleMessage", "started_at as startedAt", "resolved_at as resolvedAt"])
    .where(idIn("id", ids))
    .where((where) =>
      where.or([
        ...(page.showAutomatic ? [where("automatic", "=", 1)] : []),
        where.exists((select) =>
          select
            .selectFrom("incident_updates")
            .select("incident_updates.id")
            .whereRef("incident_updates.incident_id", "=", "incidents.id")
            .where(publishes(page.id)),
        ),
      ]),
    )
    .execute();
  const read = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = read.get(id);
    if (!row) return [];
    const { automatic, titleMessage, status, ...own } = row;
    const details = { automatic: automatic === 1, titleMessage: parseMessage(titleMessage) };
    return [{ ...own, ...details, status: status as IncidentStatus }];
  });
}

/* For the public document: nothing here reads a target, a reason, or a person's name. */

export interface ComponentState {
  monitorId: number;
  status: Status;
  /** Milliseconds; null: never checked. */
  statusSince: number | null;
  enabled: boolean;
  flapping: boolean;
  isMaintained: boolean;
  /** JSON array, by which windows select monitors. */
  tags: string;
}

/** By number. */
export async function readComponentStates(
  db: Db,
  monitorIds: readonly number[],
): Promise<Map<number, ComponentState>> {
  const rows = await db
    .selectFrom("monitors")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["monitors.id as monitorId", "status", "status_since as statusSince", "enabled", "tags"])
    .select(["maintenance_until as maintenanceUntil", "flapping"])
    .where(idIn("monitors.id", monitorIds))
    .execute();
  return new Map(
    rows.map(({ status, enabled, maintenanceUntil, ...row }) => [
      row.monitorId,
      {
        ...row,
        status: status ?? "unknown",
        enabled: enabled === 1,
        flapping: row.flapping === 1,
        isMaintained: maintenanceUntil !== null,
      },
    ]),
  );
}

/** A monitor as it was named then, with its outage where that is the reason. */
export interface PageAffected {
  incidentId: number;
  monitorId: number | null;
  name: string;
  outageStartedAt: number | null;
  outageEndedAt: number | null;
  /**
   * For a health outage of a device, when it was offline besides; no end: as long as the outage. Null: never.
   */
  offline: readonly (readonly [from: number, to: number | null])[] | null;
}

/** In the order in which it was recorded. */
export async function listPageAffected(db: Db, incidentIds: readonly number[]): Promise<PageAffected[]> {
  const rows = await db
    .selectFrom("affected_services")
    .select(["incident_id as incidentId", "monitor_id as monitorId", "name", "offline"])
    .select(["outage_started_at as outageStartedAt", "outage_ended_at as outageEndedAt"])
    .where(idIn("incident_id", incidentIds))
    .orderBy("id")
    .execute();
  return rows.map(({ offline, ...row }) => ({
    ...row,
    offline: offline === null ? null : (JSON.parse(offline) as PageAffected["offline"]),
  }));
}

/** Limits per incident, in all, and in characters. */
const MAX_OF_INCIDENT = 100;
const MAX_UPDATES = 2_000;
const MAX_CHARACTERS = 256 * 1024;
const UPDATES_AT_ONCE = 100;
const INCIDENTS_AT_ONCE = 20;

export interface PageUpdate {
  id: number;
  incidentId: number;
  status: IncidentStatus;
  /** Null: no text for visitors. */
  message: string | null;
  descriptor: MessageDescriptor | null;
  at: number;
}

export interface PageUpdates {
  /** Oldest first. */
  newest: PageUpdate[];
  /**
   * The number of the first entry with text, or that opened the incident, also where it is too old to be
   * listed; null: none.
   */
  publishedFrom: number | null;
  hasOlder: boolean;
}

const isFor = (pageId: number) => sql<SqlBool>`user_id is not null
  and (pages is null or replace(replace(pages, '[', ','), ']', ',') like ${`%,${pageId},%`})`;

/** Those with text, or that opened the incident. */
const publishes = (pageId: number) => sql<SqlBool>`(${isFor(pageId)}
  and (incident_updates.descriptor is null or is_opening = 1))`;

type Found = Omit<PageUpdates, "newest"> & { id: number; incidentId: number };

/**
 * By incident. Limited: the newest update of each incident, then the one before of each, until the limits are
 * reached.
 */
export async function readPageUpdates(
  db: Db,
  which: { pageId: number; incidentIds: readonly number[] },
): Promise<Map<number, PageUpdates>> {
  const found = await findNewest(db, which);
  const read = new Map<number, PageUpdate>();
  let characters = 0;
  await inSlices(found, UPDATES_AT_ONCE, async (slice) => {
    if (characters > MAX_CHARACTERS) return;
    const updates = new Map((await readThese(db, slice)).map((update) => [update.id, update]));
    for (const { id } of slice) {
      const update = updates.get(id);
      characters += update?.message?.length ?? 0;
      if (update && characters <= MAX_CHARACTERS) read.set(id, update);
    }
  });
  const byIncident = Map.groupBy(found, ({ incidentId }) => incidentId);
  return new Map([...byIncident].map(([id, own]) => [id, updatesOf(own, read)]));
}

function updatesOf(found: readonly Found[], read: ReadonlyMap<number, PageUpdate>): PageUpdates {
  const newest = found.flatMap(({ id }) => read.get(id) ?? []).reverse();
  const [{ publishedFrom, hasOlder } = { publishedFrom: null, hasOlder: false }] = found;
  return { newest, publishedFrom, hasOlder: hasOlder || newest.length < found.length };
}

/** By size alone, without reading texts; the newest of every incident first. */
async function findNewest(
  db: Db,
  { pageId, incidentIds }: { pageId: number; incidentIds: readonly number[] },
): Promise<Found[]> {
  const known: { incidentId: number; publishedFrom: number | null; ids: number[] }[] = [];
  await inSlices(incidentIds, INCIDENTS_AT_ONCE, async (slice) => {
    known.push(...(await findNewestOf(db, pageId, slice)));
  });
  known.sort((a, b) => b.incidentId - a.incidentId);
  const found = Array.from({ length: MAX_OF_INCIDENT }, (_, place) =>
    known.flatMap(({ ids, ...own }) => {
      const id = ids[place];
      return id === undefined ? [] : [{ ...own, id, hasOlder: ids.length > MAX_OF_INCIDENT }];
    }),
  ).flat();
  const read = found.slice(0, MAX_UPDATES);
  const isCut = new Set(found.slice(MAX_UPDATES).map(({ incidentId }) => incidentId));
  return read.map((one) => ({ ...one, hasOlder: one.hasOlder || isCut.has(one.incidentId) }));
}

/** One more than the limit where there is one: uses the index, however many there are. */
async function findNewestOf(db: Db, pageId: number, incidentIds: readonly number[]) {
  const joined = isPostgres(db) ? sql`string_agg(id::text, ',')` : sql`group_concat(id)`;
  const { rows } = await sql<{ incidentId: number; publishedFrom: number | null; ids: string | null }>`
    select incidents.id as "incidentId",
      (select id from incident_updates where incident_id = incidents.id and ${publishes(pageId)}
        order by id limit 1) as "publishedFrom",
      (select ${joined} from (
        select id from incident_updates where incident_id = incidents.id and ${isFor(pageId)}
        order by id desc limit ${MAX_OF_INCIDENT + 1}) as newest) as ids
    from incidents where ${idIn("incidents.id", incidentIds)}`.execute(db);
  return rows.map(({ ids, ...own }) => ({
    ...own,
    ids: (ids?.split(",") ?? []).map(Number).toSorted((a, b) => b - a),
  }));
}

async function readThese(db: Db, found: readonly Found[]): Promise<PageUpdate[]> {
  const rows = await db
    .selectFrom("incident_updates")
    .select(["id", "incident_id as incidentId", "status", "message", "descriptor", "at"])
    .select("is_opening as isOpening")
    .where(
      idIn(
        "id",
        found.map(({ id }) => id),
      ),
    )
    .execute();
  return rows.map(({ isOpening, status, message, descriptor, ...row }) => ({
    ...row,
    status: status as IncidentStatus,
    message: isOpening === 1 || descriptor !== null ? null : message,
    descriptor: parseMessage(descriptor),
  }));
}
