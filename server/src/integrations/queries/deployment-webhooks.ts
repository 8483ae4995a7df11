import type { Selectable } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { DeploymentWebhookTable } from "../../platform/database/tables/integrations.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";

/** Nothing here is decrypted. */
interface WebhookSettings {
  name: string;
  secret: string;
  monitors: number[];
  tags: string[];
  environments: string[];
}

/** Milliseconds. */
export interface DeploymentWebhook extends WebhookSettings {
  id: number;
  uuid: string;
  organizationId: number;
  provider: string;
  lastReceivedAt: number | null;
  lastFailure: MessageDescriptor | null;
  createdAt: number;
  updatedAt: number;
}

const fromRow = (row: Selectable<DeploymentWebhookTable>): DeploymentWebhook => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  provider: row.provider,
  name: row.name,
  secret: row.secret,
  monitors: JSON.parse(row.monitors),
  tags: JSON.parse(row.tags),
  environments: JSON.parse(row.environments),
  lastReceivedAt: row.last_received_at,
  lastFailure: parseMessage(row.last_failure),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columnsOf = ({ name, secret, monitors, tags, environments }: WebhookSettings) => ({
  name,
  secret,
  monitors: JSON.stringify(monitors),
  tags: JSON.stringify(tags),
  environments: JSON.stringify(environments),
});

export async function listWebhooks(db: Db, organizationId: number): Promise<DeploymentWebhook[]> {
  const query = db
    .selectFrom("deployment_webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId);
  return (await query.orderBy("id").execute()).map(fromRow);
}

export async function findWebhook(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false } = {},
): Promise<DeploymentWebhook | null> {
  const query = db
    .selectFrom("deployment_webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isRef("deployment_webhooks", ref));
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Of any organization. */
export async function readWebhook(db: Db, uuid: string): Promise<DeploymentWebhook | null> {
  const row = await db
    .selectFrom("deployment_webhooks")
    .selectAll()
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function insertWebhook(
  trx: Db,
  one: WebhookSettings & Pick<DeploymentWebhook, "uuid" | "organizationId" | "provider">,
  now: number,
): Promise<number> {
  const { id } = await trx
    .insertInto("deployment_webhooks")
    .values({
      ...columnsOf(one),
      uuid: one.uuid,
      organization_id: one.organizationId,
      provider: one.provider,
      last_received_at: null,
      last_failure: null,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveWebhook(
  trx: Db,
  id: number,
  settings: WebhookSettings,
  now: number,
): Promise<void> {
  const query = trx.updateTable("deployment_webhooks").set({ ...columnsOf(settings), updated_at: now });
  await query.where("id", "=", id).execute();
}

/** False when it is gone already. */
export async function deleteWebhook(trx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("deployment_webhooks")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function noteReceived(
  db: Db,
  id: number,
  failure: MessageDescriptor | null,
  now: number,
): Promise<void> {
  const query = db.updateTable("deployment_webhooks");
  await query
    .set({ last_received_at: now, last_failure: messageJson(failure) })
    .where("id", "=", id)
    .execute();
}

/** By its hash; false when it was used before. */
export async function claimLinkState(
  db: Db,
  { organizationId, stateHash }: { organizationId: number; stateHash: string },
  at: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("used_link_states")
    .values({ organization_id: organizationId, state_hash: stateHash, at })
    .onConflict((conflict) => conflict.column("state_hash").doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
