import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { IntegrationTable } from "../../platform/database/tables/integrations.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";

export interface SyncCounts {
  added: number;
  removed: number;
  renamed: number;
  changed: number;
}

/** Nothing here is decrypted. Times in milliseconds. */
export interface Integration {
  id: number;
  uuid: string;
  organizationId: number;
  provider: string;
  name: string;
  config: object;
  secrets: string | null;
  account: string;
  version: number;
  renewingUntil: number;
  syncAt: number | null;
  syncedAt: number | null;
  lastSync: SyncCounts | null;
  failure: MessageDescriptor | null;
  failingSince: number | null;
  needsLink: boolean;
  deploymentsSince: number;
  createdAt: number;
  updatedAt: number;
}

const fromRow = (row: Selectable<IntegrationTable>): Integration => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  provider: row.provider,
  name: row.name,
  config: JSON.parse(row.config),
  secrets: row.secrets,
  account: row.account,
  version: row.version,
  renewingUntil: row.renewing_until,
  syncAt: row.sync_at,
  syncedAt: row.synced_at,
  lastSync: row.last_sync === null ? null : JSON.parse(row.last_sync),
  failure: parseMessage(row.failure),
  failingSince: row.failing_since,
  needsLink: row.needs_link === 1,
  deploymentsSince: row.deployments_since,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

type LinkedAccount = Pick<Integration, "name" | "config" | "secrets" | "account">;

const columnsOf = ({ name, config, secrets, account }: LinkedAccount) => ({
  name,
  config: JSON.stringify(config),
  secrets,
  account,
});

const WELL = { failure: null, failing_since: null, needs_link: 0 } as const;

/** Of one provider or of all, oldest first. */
export async function listIntegrations(
  db: Db,
  { organizationId, provider }: { organizationId: number; provider?: string },
): Promise<Integration[]> {
  const query = db
    .selectFrom("integrations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .$if(provider !== undefined, (all) => all.where("provider", "=", provider as string))
    .orderBy("id");
  return (await query.execute()).map(fromRow);
}

export async function findIntegration(
  db: Db,
  which: { organizationId: number; provider: string; ref: Ref; lock?: boolean },
): Promise<Integration | null> {
  const query = db
    .selectFrom("integrations")
    .selectAll()
    .where("organization_id", "=", which.organizationId)
    .where("provider", "=", which.provider)
    .where(isRef("integrations", which.ref));
  const row = await (which.lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Of any organization; null: it is gone. */
export async function readIntegration(
  db: Db,
  id: number,
  { lock = false } = {},
): Promise<Integration | null> {
  const query = db.selectFrom("integrations").selectAll().where("id", "=", id);
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Due at once; returns its number. */
export async function insertIntegration(
  trx: Db,
  linked: LinkedAccount & Pick<Integration, "uuid" | "organizationId" | "provider">,
  now: number,
): Promise<number> {
  const { id } = await trx
    .insertInto("integrations")
    .values({
      ...columnsOf(linked),
      ...WELL,
      uuid: linked.uuid,
      organization_id: linked.organizationId,
      provider: linked.provider,
      version: 1,
      renewing_until: 0,
      sync_at: now,
      synced_at: null,
      last_sync: null,
      deployments_since: now,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Due at once. */
export async function saveIntegration(
  trx: Db,
  id: number,
  linked: LinkedAccount,
  now: number,
): Promise<void> {
  await trx
    .updateTable("integrations")
    .set({ ...columnsOf(linked), ...WELL, sync_at: now, updated_at: now })
    .set((set) => ({ version: set("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

export async function renameIntegration(trx: Db, id: number, name: string, now: number): Promise<void> {
  await trx.updateTable("integrations").set({ name, updated_at: now }).where("id", "=", id).execute();
}

/** Its resources go with it, monitors stay. False when it is gone already. */
export async function deleteIntegration(trx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("integrations")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function countIntegrations(db: Db, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("integrations")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Attempts, since other processes take accounts, too. */
const TRIED = 20;

/**
 * A due account, or one scheduled after `latest` by a wrong clock; reserved until `until`. `without`: these
 * organizations'. Null: none.
 */
export async function takeDueIntegration(
  db: Db,
  due: { now: number; latest: number; until: number; without: readonly number[] },
): Promise<Integration | null> {
  const { now, latest, until, without } = due;
  const rows = await db
    .selectFrom("integrations")
    .selectAll()
    .where(({ or, eb }) => or([eb("sync_at", "<=", now), eb("sync_at", ">", latest)]))
    .$if(without.length > 0, (all) => all.where("organization_id", "not in", without))
    .orderBy("sync_at")
    .limit(TRIED)
    .execute();
  for (const row of rows) {
    const { numUpdatedRows } = await db
      .updateTable("integrations")
      .set({ sync_at: until })
      .where("id", "=", row.id)
      .where("sync_at", "=", row.sync_at)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return fromRow({ ...row, sync_at: until });
  }
  return null;
}

export async function syncSoon(db: Db, id: number, now: number): Promise<void> {
  await db.updateTable("integrations").set({ sync_at: now }).where("id", "=", id).execute();
}

/** `version`: of the configuration used; the result for an older one is dropped. */
export async function noteSync(
  trx: Db,
  { id, version }: Pick<Integration, "id" | "version">,
  outcome: { syncAt: number | null; now: number } & (
    | { failure: MessageDescriptor; needsLink: boolean }
    | { counts: SyncCounts; deploymentsSince: number }
  ),
): Promise<void> {
  const { syncAt, now } = outcome;
  const found =
    "failure" in outcome
      ? {
          failure: messageJson(outcome.failure),
          failing_since: sql<number>`coalesce(failing_since, ${now})`,
          needs_link: outcome.needsLink ? (1 as const) : (0 as const),
        }
      : {
          ...WELL,
          synced_at: now,
          deployments_since: outcome.deploymentsSince,
          ...(Object.values(outcome.counts).some((count) => count > 0) && {
            last_sync: JSON.stringify(outcome.counts),
          }),
        };
  await trx
    .updateTable("integrations")
    .set({ ...found, sync_at: syncAt })
    .where("id", "=", id)
    .where("version", "=", version)
    .execute();
}

/**
 * Reserves the exchange of credentials for one process, and of that version only. A lease beyond `latest` is
 * a wrong clock's.
 */
export async function claimRenewal(
  db: Db,
  { id, version }: Pick<Integration, "id" | "version">,
  { now, until, latest }: { now: number; until: number; latest: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("integrations")
    .set({ renewing_until: until })
    .where("id", "=", id)
    .where("version", "=", version)
    .where(({ or, eb }) => or([eb("renewing_until", "<=", now), eb("renewing_until", ">", latest)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** False: the account was linked again meanwhile, or is gone. */
export async function saveRenewed(
  db: Db,
  { id, version }: Pick<Integration, "id" | "version">,
  { config, secrets }: Pick<Integration, "config" | "secrets">,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("integrations")
    .set({ config: JSON.stringify(config), secrets, renewing_until: 0, version: version + 1 })
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function releaseRenewal(db: Db, { id, version }: Pick<Integration, "id" | "version">) {
  const query = db.updateTable("integrations").set({ renewing_until: 0 });
  await query.where("id", "=", id).where("version", "=", version).execute();
}
