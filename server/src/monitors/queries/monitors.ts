import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isRef, lockRows, parentUuids, type Ref, uuidsIn } from "../../platform/database/sql.ts";
import type { MonitorTable } from "../../platform/database/tables/monitors.ts";
import type { MonitorKind, Severity } from "../../platform/monitor-defaults.ts";

/** What every monitor has, whatever is checked and how. */
export interface CommonSettings {
  name: string;
  /** What people should know of it; empty: nothing. */
  description: string;
  /** Of its check, from checks/registry.ts. */
  type: string;
  /** What is checked, as its kind of check names it, normalised; `displayTarget` is the same as typed. */
  target: string;
  displayTarget: string;
  intervalSeconds: number;
  timeoutSeconds: number;
  enabled: boolean;
  /** Location codes; null means every location. */
  locations: string[] | null;
  confirmations: number;
  recoveries: number;
  /** Between a check that did not decide the status and its recheck. */
  recheckDelaySeconds: number;
  severity: Severity;
  /** How much of the time it should be up, percent, and of how many days; 0: it has no objective. */
  objective: number;
  objectiveDays: number;
  tags: string[];
  /** Uuids of the monitors that it depends on. */
  parents: string[];
}

/** What people set. Nothing here is decrypted: `secrets` stays sealed. */
export interface StoredSettings extends CommonSettings {
  /** By the check type's config schema, without what `secrets` holds. */
  config: object;
  /** Sealed JSON, or null. */
  secrets: string | null;
}

/** What need not be given: it has none then, or keeps the one it had. */
type Extras = Pick<StoredSettings, "description" | "objective" | "objectiveDays">;

/** What its own row holds; what it depends on is stored apart (saveParents). */
type RowSettings = Omit<StoredSettings, "parents" | keyof Extras> & Partial<Extras>;

/** A monitor among others that are named. */
export type NamedMonitor = Pick<Monitor, "id" | "uuid" | "kind" | "name">;

export interface Monitor extends StoredSettings {
  id: number;
  uuid: string;
  organizationId: number;
  kind: MonitorKind;
  createdAt: number;
  updatedAt: number;
}

/** The organization whose monitor this is; undefined when it is unknown or, unless `isOrWas`, deleted. */
export async function findMonitorOwner(
  db: Db,
  which: { kind: MonitorKind; ref: Ref; isOrWas?: true },
): Promise<number | undefined> {
  const found = db
    .selectFrom("monitors")
    .select("organization_id as owner")
    .where("kind", "=", which.kind)
    .where(isRef("monitors", which.ref));
  const row = await (which.isOrWas ? found : found.where("deleted_at", "is", null)).executeTakeFirst();
  return row?.owner;
}

/** Those of these monitors that the organization has, by their ids. */
export async function findMonitors(
  db: Db,
  { organizationId, refs }: { organizationId: number; refs: readonly Ref[] },
): Promise<(NamedMonitor & Pick<Monitor, "target" | "displayTarget">)[]> {
  const ids = refs.flatMap((ref) => ("id" in ref ? ref.id : []));
  const uuids = refs.flatMap((ref) => ("uuid" in ref ? ref.uuid : []));
  return db
    .selectFrom("monitors")
    .select(["id", "uuid", "kind", "name", "target", "display_target as displayTarget"])
    .where((where) => where.or([idIn("id", ids), idIn("uuid", uuids)]))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
}

/** The monitor, unless it is deleted, of another kind or of another organization. `lock`: for changing it. */
export async function findMonitor(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; ref: Ref; lock?: boolean },
): Promise<Monitor | null> {
  const query = withParents(db)
    .where("organization_id", "=", which.organizationId)
    .where("kind", "=", which.kind)
    .where("deleted_at", "is", null)
    .where(isRef("monitors", which.ref));
  const row = await (which.lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? monitorOf(row) : null;
}

/** Monitors with all that `monitorOf` needs. */
export const withParents = (db: Db) =>
  db.selectFrom("monitors").selectAll().select(parentUuids.as("parent_uuids"));

/** A row as it is used; its secrets stay sealed. */
export const monitorOf = (row: Selectable<MonitorTable> & { parent_uuids: string | null }): Monitor => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  kind: row.kind,
  name: row.name,
  description: row.description,
  type: row.type,
  target: row.target,
  displayTarget: row.display_target,
  config: JSON.parse(row.config),
  secrets: row.secrets,
  intervalSeconds: row.interval_seconds,
  timeoutSeconds: row.timeout_seconds,
  enabled: row.enabled === 1,
  locations: row.locations === null ? null : JSON.parse(row.locations),
  confirmations: row.confirmations,
  recoveries: row.recoveries,
  recheckDelaySeconds: row.recheck_delay_seconds,
  severity: row.severity,
  objective: row.objective,
  objectiveDays: row.objective_days,
  tags: JSON.parse(row.tags),
  parents: uuidsIn(row.parent_uuids),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Writes a new monitor and answers its number. Throws the engine's error when target and name are taken. */
export async function insertMonitor(
  trx: Db,
  monitor: RowSettings & { uuid: string; organizationId: number; kind: MonitorKind },
  now: number,
): Promise<number> {
  const row: Insertable<MonitorTable> = {
    ...columns(monitor),
    uuid: monitor.uuid,
    organization_id: monitor.organizationId,
    kind: monitor.kind,
    revision: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  const { id } = await trx.insertInto("monitors").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Replaces the settings and raises the revision, so that probes take the new ones. Returns the new revision. */
export async function saveSettings(trx: Db, id: number, settings: RowSettings, now: number): Promise<number> {
  const row: Updateable<MonitorTable> = { ...columns(settings), updated_at: now };
  const { revision } = await trx
    .updateTable("monitors")
    .set(row)
    .set((set) => ({ revision: set("revision", "+", 1) }))
    .where("id", "=", id)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}

/** Another target: the certificate and icon of the old one are not its own. */
export async function forgetTarget(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom("certificates").where("monitor_id", "=", id).execute();
  await trx.deleteFrom("icons").where("monitor_id", "=", id).execute();
}

/** Whether another monitor (than `exceptId`) of the organization has this very target and name. */
export async function isMonitorNameTaken(
  db: Db,
  wanted: {
    organizationId: number;
    kind: MonitorKind;
    target: string;
    name: string;
    exceptId: number | null;
  },
): Promise<boolean> {
  const row = await db
    .selectFrom("monitors")
    .select("id")
    .where("organization_id", "=", wanted.organizationId)
    .where("kind", "=", wanted.kind)
    .where("target", "=", wanted.target)
    .where("name", "=", wanted.name)
    .where("deleted_at", "is", null)
    .where("id", "!=", wanted.exceptId ?? 0)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lower case in every script, for comparing with a search term. */
export const foldForSearch = (text: string): string => text.normalize("NFC").toLowerCase();

/** What a search looks for its words in: a line each for the name, the target in both forms, and every tag; then the description. */
export const searchText = ({
  name,
  target,
  displayTarget,
  tags,
  description = "",
}: Pick<CommonSettings, "name" | "target" | "displayTarget" | "tags"> &
  Partial<Pick<CommonSettings, "description">>): string =>
  foldForSearch([name, target, displayTarget, ...tags, ...(description && [description])].join("\n"));

function columns(settings: RowSettings) {
  return {
    name: settings.name,
    type: settings.type,
    target: settings.target,
    display_target: settings.displayTarget,
    config: JSON.stringify(settings.config),
    secrets: settings.secrets,
    interval_seconds: settings.intervalSeconds,
    timeout_seconds: settings.timeoutSeconds,
    enabled: settings.enabled ? 1 : 0,
    locations: settings.locations === null ? null : JSON.stringify(settings.locations),
    confirmations: settings.confirmations,
    recoveries: settings.recoveries,
    recheck_delay_seconds: settings.recheckDelaySeconds,
    severity: settings.severity,
    ...(settings.description !== undefined && { description: settings.description }),
    ...(settings.objective !== undefined && { objective: settings.objective }),
    ...(settings.objectiveDays !== undefined && { objective_days: settings.objectiveDays }),
    tags: JSON.stringify(settings.tags),
    search_text: searchText(settings),
  } as const;
}

/** The names of an organization's monitors, whatever their kind; deleted ones and others' are not there. */
export const findMonitorNames = (
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom("monitors")
    .select(["id", "name"])
    .where(idIn("id", ids))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .execute();

export interface StoredIcon {
  monitorId: number;
  /** What its public address ends with: random, so that it cannot be guessed. */
  token: string;
  /** Empty when the site has none. */
  contentType: string;
  data: Uint8Array;
  fetchedAt: number;
}

/** The cached icon of a monitor, or null when none was looked for yet. */
export async function readIcon(db: Db, monitorId: number): Promise<StoredIcon | null> {
  const row = await db.selectFrom("icons").selectAll().where("monitor_id", "=", monitorId).executeTakeFirst();
  return row ? iconOf(row) : null;
}

/** The same by its token, for the public icon address, with the monitor's name. */
export async function readIconByToken(
  db: Db,
  token: string,
): Promise<(StoredIcon & { monitorName: string }) | null> {
  const row = await db
    .selectFrom("icons")
    .innerJoin("monitors", "monitors.id", "icons.monitor_id")
    .selectAll("icons")
    .select("monitors.name")
    .where("icons.token", "=", token)
    .where("monitors.deleted_at", "is", null)
    .executeTakeFirst();
  return row ? { ...iconOf(row), monitorName: row.name } : null;
}

/** Keeps what was found last, also that nothing was. An icon known already keeps its token, the one returned. */
export async function writeIcon(db: Db, icon: StoredIcon): Promise<string> {
  const row = { content_type: icon.contentType, data: icon.data, fetched_at: icon.fetchedAt };
  const { token } = await db
    .insertInto("icons")
    .values({ monitor_id: icon.monitorId, token: icon.token, ...row })
    .onConflict((conflict) => conflict.column("monitor_id").doUpdateSet(row))
    .returning("token")
    .executeTakeFirstOrThrow();
  return token;
}

const iconOf = (row: {
  monitor_id: number;
  token: string;
  content_type: string;
  data: Uint8Array;
  fetched_at: number;
}): StoredIcon => ({
  monitorId: row.monitor_id,
  token: row.token,
  contentType: row.content_type,
  data: row.data,
  fetchedAt: row.fetched_at,
});
