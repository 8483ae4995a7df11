import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { among, isPostgres, isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { ChannelTable } from "../../platform/database/tables/notifications.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";
import type { Language } from "../../platform/i18n/render.ts";
import type { ChannelFilter, Reminder } from "../channels/filter.ts";
import { DISABLED_RETRY_MS } from "../retry-rules.ts";
import { keepConfirmations } from "./outbox.ts";

/** What people set of a channel. Nothing here is decrypted. */
interface ChannelSettings extends ChannelFilter {
  name: string;
  type: string;
  config: object;
  secrets: string | null;
  target: string;
  language: Language;
  timeZone: string;
  /** How often it is reminded of what is down and not acknowledged. */
  reminder: Reminder;
  enabled: boolean;
}

export interface Channel extends ChannelSettings {
  id: number;
  uuid: string;
  organizationId: number;
  /** The one member who is notified by it; null: it is the organization's. */
  userId: number | null;
  /** Why the other side wants nothing more; null unless that is why it is off. */
  disabledReason: MessageDescriptor | null;
  /** Since when the recipient is known to want it; null: consent is requested first. */
  confirmedAt: number | null;
  /** Until when the other side wants nothing; null: it takes what it is sent. */
  heldUntil: number | null;
  /** Consent was not requested, since it is a member's address. */
  confirmedAsMember: boolean;
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
  reminder: row.reminder,
  enabled: row.enabled === 1,
  disabledReason: parseMessage(row.disabled_reason),
  heldUntil: row.held_until,
  confirmedAt: row.confirmed_at,
  confirmedAsMember: row.confirmed_as_member === 1,
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
  reminder: settings.reminder,
  enabled: settings.enabled ? (1 as const) : (0 as const),
});

/** Whether who is written to wants it, and why that is known. */
export type Consent = Pick<Channel, "confirmedAt" | "confirmedAsMember">;

const consentColumns = ({ confirmedAt, confirmedAsMember }: Consent) => ({
  confirmed_at: confirmedAt,
  confirmed_as_member: confirmedAsMember ? (1 as const) : (0 as const),
});

/** Those of the organization, without the personal ones. */
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

/** The organization whose channel it is; undefined when it is unknown, or personal. */
export async function findChannelOwner(db: Db, ref: Ref): Promise<number | undefined> {
  const query = db.selectFrom("channels").select("organization_id as owner").where("user_id", "is", null);
  return (await query.where(isRef("channels", ref)).executeTakeFirst())?.owner;
}

/** The channel of that number, of any owner. */
export async function readChannel(
  db: Db,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<Channel | null> {
  const query = db.selectFrom("channels").selectAll().where("id", "=", id);
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * All channels of these organizations and of their people, by id. On PostgreSQL none of them can be deleted until the
 * transaction ends: what it writes refers to them.
 */
export async function lockChannelsOf(trx: Db, organizationIds: readonly number[]): Promise<Channel[]> {
  const query = trx
    .selectFrom("channels")
    .selectAll()
    .where(among(trx, "organization_id", organizationIds))
    .orderBy("id");
  return (await (isPostgres(trx) ? query.forKeyShare() : query).execute()).map(fromRow);
}

/** The organization's channels, and that person's own in it; oldest first. */
export async function listChannelsFor(db: Db, organizationId: number, userId: number): Promise<Channel[]> {
  const rows = await db
    .selectFrom("channels")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where((is) => is.or([is("user_id", "is", null), is("user_id", "=", userId)]))
    .orderBy("id")
    .execute();
  return rows.map(fromRow);
}

/** Adds a channel and returns its id. */
export async function insertChannel(
  db: Db,
  channel: ChannelSettings & Consent & Pick<Channel, "uuid" | "organizationId">,
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
      ...consentColumns(channel),
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces what people set; whatever the other side said before is forgotten. */
export async function saveChannel(
  db: Db,
  id: number,
  settings: ChannelSettings & Consent,
  now: number,
): Promise<void> {
  await db
    .updateTable("channels")
    .set({
      ...columnsOf(settings),
      ...consentColumns(settings),
      disabled_reason: null,
      ...{ held_until: null, refused_since: null, refused_at: null, updated_at: now },
    })
    .where("id", "=", id)
    .execute();
}

/** Has it lead elsewhere, as the other side said; nothing else changes. */
export async function moveChannelTo(
  db: Db,
  id: number,
  { config, secrets, target }: Pick<ChannelSettings, "config" | "secrets" | "target">,
  now: number,
): Promise<void> {
  await db
    .updateTable("channels")
    .set({ config: JSON.stringify(config), secrets, target, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** False when it is gone. */
export async function deleteChannel(db: Db, id: number): Promise<boolean> {
  await keepConfirmations(db, [id]);
  const { numDeletedRows } = await db.deleteFrom("channels").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Turns a channel off because the other side wants nothing more; false when it is off or gone already. */
export async function disableChannel(
  db: Db,
  id: number,
  why: MessageDescriptor,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("channels")
    .set({
      ...{
        enabled: 0,
        disabled_reason: messageJson(why),
        updated_at: now,
        held_until: now + DISABLED_RETRY_MS,
      },
      ...{ turned_off_at: now, turned_off_by: null },
    })
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Refusals that are further apart are not in a row: nothing was sent between them. */
const REFUSALS_APART_MS = 3 * 3_600_000;

/** Since when the other side refuses everything, milliseconds; `at` null: it does not. */
export async function noteRefused(db: Db, id: number, at: number | null): Promise<number> {
  const since = sql<number>`case when refused_at > ${(at ?? 0) - REFUSALS_APART_MS}
    then coalesce(refused_since, ${at}) else ${at} end`;
  const row = await db
    .updateTable("channels")
    .set({ refused_since: at === null ? null : since, refused_at: at })
    .where("id", "=", id)
    .returning("refused_since as since")
    .executeTakeFirst();
  return row?.since ?? at ?? 0;
}

/** One that was disabled by what the other side answered has got through: it is on again. */
export async function enableAgain(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ enabled: 1, disabled_reason: null, held_until: null, turned_off_at: null, updated_at: now })
    .where("id", "=", id)
    .where("enabled", "=", 0)
    .where("disabled_reason", "is not", null)
    .execute();
}

/** A channel that the other side's answers disabled, and that has failed once more: the next attempt is a day later. */
export async function holdDisabled(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ held_until: now + DISABLED_RETRY_MS })
    .where("id", "=", id)
    .where("enabled", "=", 0)
    .where("disabled_reason", "is not", null)
    .execute();
}

/** Nothing is sent to a channel before then; a later end is left as it is. */
export async function holdChannel(db: Db, id: number, until: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ held_until: until })
    .where("id", "=", id)
    .where(sql<boolean>`coalesce(held_until, 0) < ${until}`)
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

/**
 * The owner of this address (lower case) wants the organization's messages. Returns its channels that waited for it, without
 * any that leads elsewhere by now.
 */
export async function confirmChannels(
  trx: Db,
  organizationId: number,
  email: string,
  now: number,
): Promise<Channel[]> {
  const confirmed: Channel[] = [];
  for (const channel of await listChannels(trx, organizationId)) {
    if (channel.confirmedAt !== null || normalizeEmail(channel.target) !== email) continue;
    if (await confirmChannel(trx, channel, now)) confirmed.push(channel);
  }
  return confirmed;
}

async function confirmChannel(trx: Db, { id, target }: Channel, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("channels")
    .set({ confirmed_at: now })
    .where("id", "=", id)
    .where("target", "=", target)
    .where("confirmed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * The organization's channels that write to this address (lower case) because it is a member's wait to be confirmed from now
 * on. Returns these as they were.
 */
export async function forgetMembersConsent(
  trx: Db,
  organizationId: number,
  email: string,
): Promise<Channel[]> {
  const channels = await listChannels(trx, organizationId);
  const own = channels.filter(
    ({ confirmedAsMember, target }) => confirmedAsMember && normalizeEmail(target) === email,
  );
  const ids = own.map(({ id }) => id);
  await trx
    .updateTable("channels")
    .set({ confirmed_at: null, confirmed_as_member: 0 })
    .where(among(trx, "id", ids))
    .execute();
  return own;
}

/** Since when a channel is off, milliseconds, and the name of who turned it off; null: Vedette did, or they are gone. */
export interface TurnedOff {
  at: number;
  byName: string | null;
}

/** Records that a person turned a channel off, or on again. */
export async function noteTurnedOff(
  db: Db,
  id: number,
  turnedOff: { at: number; by: number } | null,
): Promise<void> {
  await db
    .updateTable("channels")
    .set({ turned_off_at: turnedOff?.at ?? null, turned_off_by: turnedOff?.by ?? null })
    .where("id", "=", id)
    .execute();
}

/** Those of these channels of which that is known, by id. */
export async function listTurnedOff(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, TurnedOff>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("channels")
    .leftJoin("users", "users.id", "channels.turned_off_by")
    .where(among(db, "channels.id", ids))
    .where("channels.enabled", "=", 0)
    .select(["channels.id", "channels.turned_off_at as at", "users.name as byName"])
    .execute();
  return new Map(rows.flatMap(({ id, at, byName }) => (at === null ? [] : [[id, { at, byName }] as const])));
}
