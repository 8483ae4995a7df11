import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { dumpStore } from "./rows.ts";
import { createTestDatabase, type EngineName } from "./stores.ts";

/** A path in a folder that goes when the test ends. */
export function temporaryFile(name = "backup.gz"): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** A migrated database that goes when the test ends. */
export async function database(engine: EngineName): Promise<StoreLocation> {
  const { location, remove } = await createTestDatabase(engine);
  onTestFinished(remove);
  return location;
}

/** A database without any table that goes when the test ends. */
export async function emptyDatabase(engine: EngineName): Promise<StoreLocation> {
  const { location, remove } = await createTestDatabase(engine, { empty: true });
  onTestFinished(remove);
  return location;
}

/** Runs `use` on a store of the location and closes it. */
export async function withStore<T>(location: StoreLocation, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(location);
  return use(store).finally(() => store.close());
}

/** Everything stored at the location (rows.ts). */
export const dump = (location: StoreLocation) => withStore(location, dumpStore);

/** The tables that are empty after a restore: what ended or was sent since the backup must not come back. */
const NOT_RESTORED = {
  sessions: [],
  invitations: [],
  mailed_tokens: [],
  outbox: [],
  outbox_alerts: [],
  status_page_notifications: [],
  delivery_attempts: [],
  push_subscriptions: [],
  external_mails: [],
  used_link_states: [],
};

/** What a restored store holds of one: neither these tables, nor what belongs to a browser; and what was to be sent is due. */
export function restored(before: Awaited<ReturnType<typeof dump>>): typeof before {
  const { channels = [], alerts = [] } = before;
  const restorable = channels.filter((channel) => valueOf(channel, "push_subscription_id") === null);
  const ids = restorable.map((channel) => valueOf(channel, "id"));
  const known = alerts.filter((alert) => ids.includes(valueOf(alert, "channel_id"))).map(dueAlert);
  return { ...before, ...NOT_RESTORED, channels: restorable, alerts: known };
}

/** An alert that is not resolved is due, and has nothing on its way. */
function dueAlert(row: string): string {
  if (valueOf(row, "resolved_at") !== null) return row;
  const due = { delivery_id: null, next_at: valueOf(row, "next_at") ?? valueOf(row, "updated_at") };
  return JSON.stringify(
    (JSON.parse(row) as [string, unknown][]).map(([name, value]) => [
      name,
      name in due ? due[name as keyof typeof due] : value,
    ]),
  );
}

const valueOf = (row: string, column: string): unknown => new Map(JSON.parse(row)).get(column);
