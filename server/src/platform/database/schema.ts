import type { Kysely } from "kysely";
import type { RowOf, TableDetails } from "./table.ts";
import { ACCOUNT_TABLES } from "./tables/accounts.ts";
import { ASSISTANT_TABLES, CHAT_TABLES } from "./tables/assistant.ts";
import { DEVICE_METRIC_TABLES, DEVICE_TABLES } from "./tables/devices.ts";
import { INCIDENT_TABLES } from "./tables/incidents.ts";
import { INSTALLATION_TABLES } from "./tables/installation.ts";
import { INTEGRATION_TABLES } from "./tables/integrations.ts";
import { MAINTENANCE_TABLES } from "./tables/maintenance.ts";
import { MONITOR_TABLES } from "./tables/monitors.ts";
import { NOTIFICATION_TABLES } from "./tables/notifications.ts";
import { OUTBOX_TABLES } from "./tables/outbox.ts";
import { RESULT_TABLES } from "./tables/results.ts";
import { PAGE_TABLES } from "./tables/status-pages.ts";

/**
 * Those before others that refer to them. Query types, backup, restore, retention and the isolation tests
 * read this list; until the first release the database is made of it (migrations/001-baseline.ts).
 */
export const TABLES = {
  ...INSTALLATION_TABLES,
  ...ACCOUNT_TABLES,
  ...ASSISTANT_TABLES,
  ...MONITOR_TABLES,
  ...DEVICE_TABLES,
  ...MAINTENANCE_TABLES,
  ...RESULT_TABLES,
  ...DEVICE_METRIC_TABLES,
  ...INCIDENT_TABLES,
  ...NOTIFICATION_TABLES,
  ...OUTBOX_TABLES,
  ...PAGE_TABLES,
  ...CHAT_TABLES,
  ...INTEGRATION_TABLES,
};

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];
export type TableName = keyof typeof TABLES;

export const isTableName = (name: string): name is TableName => Object.hasOwn(TABLES, name);

export const detailsOf = (name: TableName): TableDetails => TABLES[name];

/**
 * docs/adr/0002: times are integer milliseconds, durations of checks microseconds (`…_us`), booleans 0/1,
 * JSON and uuids text. Rows never leave the queries.
 */
export type Schema = { [Name in TableName]: RowOf<(typeof TABLES)[Name]> };

/** A connection or a transaction: every query function takes one as its first argument. */
export type Db = Kysely<Schema>;
