import { type Selectable, sql } from "kysely";
import type { ChannelFilter } from "../../notification/channel/filter.ts";
import { type Fact, factJson, parseFact } from "../../texts/fact.ts";
import type { Language } from "../../texts/languages.ts";
import type { Db } from "../db.ts";
import { among, isPostgres, lockRows } from "../dialect.ts";
import type { ChannelTable } from "../schema/notices.ts";
import { waiting } from "./outbox.ts";
import { isRef, type Ref } from "./ref.ts";

/** What people set of a channel. Nothing here is decrypted. */
export interface ChannelSettings extends ChannelFilter {
  name: string;
  type: string;
  config: object;
  secrets: string | null;
  target: string;
  language: Language;
  timeZone: string;
  /** While nobody acknowledges: how long until a trouble is told again; 0: it is not. */
  reminderMinutes: number;
  enabled: boolean;
}

export interface Channel extends ChannelSettings {
  id: number;
  uuid: string;
  organizationId: number;
  /** Who alone is told by it; null: it is the organization's. */
  userId: number | null;
  /** Why the other side wants nothing more; null unless that is why it is off. */
  disabledReason: Fact | null;
  createdAt: number;
  updatedAt: number;
}

type Row = Selectable<ChannelTable>;

const fromRow = (row: Row): Channel => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  userId: row.user_id,
  name: row.name,
  type: row.type,
  config: JSON.parse(row.config),
  secrets: row.secrets,
  target: row.target,
  events: JSON.parse(row.events),
  severities: JSON.parse(row.severities),
  tags: JSON.parse(row.tags),
  hours: row.hours === null ? null : JSON.parse(row.hours),
  language: row.language,
  timeZone: row.time_zone,
  reminderMinutes: row.reminder_minutes,
  enabled: row.enabled === 1,
  disabledReason: parseFact(row.disabled_reason),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columnsOf = (settings: ChannelSettings) => ({
  name: settings.name,
  type: settings.type,
  config: JSON.stringify(settings.config),
  secrets: settings.secrets,
  target: settings.target,
  events: JSON.stringify(settings.events),
  severities: JSON.stringify(settings.severities),
  tags: JSON.stringify(settings.tags),
  hours: settings.hours === null ? null : JSON.stringify(settings.hours),
  language: settings.language,
  time_zone: settings.timeZone,
  reminder_minutes: settings.reminderMinutes,
  enabled: settings.enabled ? (1 as const) : (0 as const),
});

/** Those that are nobody's own. */
const organizations = (db: Db, organizationId: number) =>
  db.selectFrom("channels").where("organization_id", "=", organizationId).where("user_id", "is", null);

/** The organization's channels, oldest first. */
export async function listChannels(db: Db, organizationId: number): Promise<Channel[]> {
  const query = organizations(db, organizationId).selectAll();
  return (await query.orderBy("id").execute()).map(fromRow);
}

export async function findChannel(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false }: { lock?: boolean } = {},
): Promise<Channel | null> {
  const query = organizations(db, organizationId).selectAll().where(isRef("channels", ref));
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** The channel of that number, whoever's it is. */
export async function readChannel(db: Db, id: number): Promise<Channel | null> {
  const row = await db.selectFrom("channels").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * The channels of these organizations and of their people that are on, by id; mailboxes only where `mails` are sent. On PostgreSQL none of them can be deleted until the transaction
 * ends: what it writes refers to them.
 */
export async function listChannelsToTell(
  trx: Db,
  organizationIds: readonly number[],
  { mails }: { mails: boolean },
): Promise<Channel[]> {
  const query = trx
    .selectFrom("channels")
    .selectAll()
    .where(among(trx, "organization_id", organizationIds))
    .where("enabled", "=", 1)
    .$if(!mails, (all) => all.where((is) => is.or([is("user_id", "is", null), is("type", "!=", "email")])))
    .orderBy("id");
  return (await (isPostgres(trx) ? query.forKeyShare() : query).execute()).map(fromRow);
}

/** Adds a channel and returns its id. */
export async function insertChannel(
  db: Db,
  channel: ChannelSettings & { uuid: string; organizationId: number },
  now: number,
): Promise<number> {
  const { id } = await db
    .insertInto("channels")
    .values({
      uuid: channel.uuid,
      organization_id: channel.organizationId,
      ...columnsOf(channel),
      disabled_reason: null,
      held_until: null,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces what people set; whatever the other side said before is forgotten. */
export async function saveChannel(db: Db, id: number, settings: ChannelSettings, now: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ ...columnsOf(settings), disabled_reason: null, held_until: null, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** False when it is gone. */
export async function deleteChannel(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("channels").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Turns a channel off because the other side wants nothing more; false when it is off or gone already. */
export async function disableChannel(db: Db, id: number, why: Fact, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("channels")
    .set({ enabled: 0, disabled_reason: factJson(why), updated_at: now })
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Nothing is sent to a channel before then; a later end stands. */
export async function holdChannel(db: Db, id: number, until: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ held_until: until })
    .where("id", "=", id)
    .where(sql<boolean>`coalesce(held_until, 0) < ${until}`)
    .execute();
}

/** What decides when a channel is told something. */
export interface PacedChannel extends Pick<Channel, "id" | "type" | "hours" | "timeZone"> {
  /** When its two newest messages got there. */
  sentAt: number[];
}

export async function listPacedChannels(db: Db, ids: readonly number[]): Promise<PacedChannel[]> {
  const rows = await db
    .selectFrom("channels")
    .select(["id", "type", "hours", "time_zone as timeZone", "last_sent_at", "previous_sent_at"])
    .where(among(db, "id", ids))
    .orderBy("id")
    .execute();
  return rows.map(({ last_sent_at: last, previous_sent_at: previous, hours, ...same }) => ({
    ...same,
    hours: hours === null ? null : JSON.parse(hours),
    sentAt: [last, previous].filter((at) => at !== null),
  }));
}

/** A message got there. */
export async function noteSent(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable("channels")
    .set((set) => ({ previous_sent_at: set.ref("last_sent_at"), last_sent_at: now }))
    .where("id", "=", id)
    .execute();
}

/** What waits for the channel's hours is looked at again: they may be others now. */
export async function releaseHeld(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ next_try_at: now })
    .where("channel_id", "=", id)
    .where("state", "=", waiting)
    .where("attempts", "=", 0)
    .where("held_until", "is not", null)
    .execute();
}

/** How many the organization has. */
export async function countChannels(db: Db, organizationId: number): Promise<number> {
  const { count } = await organizations(db, organizationId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether one of them has that name. */
export async function isChannelNameTaken(
  db: Db,
  { organizationId, name, exceptId }: { organizationId: number; name: string; exceptId: number | null },
): Promise<boolean> {
  const query = organizations(db, organizationId)
    .select("id")
    .where("name", "=", name)
    .where("id", "!=", exceptId ?? 0);
  return (await query.executeTakeFirst()) !== undefined;
}
