import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { TABLES } from "../schema.ts";
import { type AnyDb, createIndex, isPostgres } from "../sql.ts";

/** Tables, sequences and indexes of before, by what they are called now. */
const TABLE_WORDS = {
  certificate_notices: "certificate_warnings",
  device_moments: "device_process_samples",
  status_page_news: "status_page_notifications",
  status_page_questions: "status_page_confirmation_requests",
  status_page_told: "status_page_snapshots",
} as const;

/** By the table as it is called now. */
const COLUMN_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  certificate_warnings: { told_at: "notified_at" },
  delivery_attempts: { fact: "message" },
  deployments: { told_at: "reported_at" },
  device_reports: { figures: "metrics" },
  heartbeat_signals: { told_at: "signalled_at" },
  incident_updates: { fact: "descriptor" },
  incidents: { title_fact: "title_message", fact: "description_message" },
  notifications: { fact: "descriptor", together_fact: "together_message" },
  outbox: { news_id: "page_notification_id" },
  status_page_notifications: { told_to: "notified_up_to" },
  status_page_snapshots: { told: "snapshot" },
  status_page_subscribers: { question_hash: "confirmation_hash", asked_at: "confirmation_requested_at" },
  users: { email_asked_at: "email_confirmation_requested_at" },
};

/** Indexes whose name has changed, by their table. */
const FORMER_INDEXES = {
  certificate_notices_open: ["certificate_warnings", "certificate_warnings_open"],
  device_moments_by_time: ["device_process_samples", "device_process_samples_by_time"],
  outbox_questions_waiting: ["outbox", "outbox_subscription_requests_waiting"],
  status_page_news_by_age: ["status_page_notifications", "status_page_notifications_by_age"],
  status_page_news_open: ["status_page_notifications", "status_page_notifications_open"],
  status_page_news_subject: ["status_page_notifications", "status_page_notifications_subject"],
  status_page_questions_address: [
    "status_page_confirmation_requests",
    "status_page_confirmation_requests_address",
  ],
  status_page_questions_at: ["status_page_confirmation_requests", "status_page_confirmation_requests_at"],
  status_page_questions_page: ["status_page_confirmation_requests", "status_page_confirmation_requests_page"],
  status_page_subscribers_question: ["status_page_subscribers", "status_page_subscribers_confirmation"],
  status_page_told_look: ["status_page_snapshots", "status_page_snapshots_due"],
} as const;

/** In stored messages, one after another. */
const MESSAGE_WORDS = [
  ['"code":"notice.', '"code":"notification.'],
  ['"code":"notification.settled_', '"code":"notification.stable_'],
  ['"code":"notification.incident_fact"', '"code":"notification.incident_log"'],
  ['"code":"watch.told"', '"code":"watch.notified"'],
  ['"by":"nobody"', '"by":"unknown"'],
  ['"by":"somebody"', '"by":"author"'],
] as const;

/** What a message to a channel called its descriptor, and where such are stored. */
const DESCRIPTOR = ['"fact":{"code":', '"descriptor":{"code":'] as const;
const DESCRIBED: readonly string[] = ["alert_events.post", "alerts.data", "outbox.message"];

/** The columns with stored messages, by table. */
const MESSAGES = {
  alert_events: ["post"],
  alerts: ["data"],
  channels: ["disabled_reason"],
  delivery_attempts: ["message"],
  incident_updates: ["descriptor"],
  incidents: ["title_message", "description_message"],
  notifications: ["descriptor", "together_message"],
  outbox: ["message", "failure"],
  monitor_states: ["rules", "last_result"],
  transitions: ["reason"],
} as const;

/** Where else a stored word is another now: table, column, what it was, what it is. */
const VALUES = [
  ["audit_log", "action", "ask channels", "request channel confirmation"],
  ["audit_log", "action", "ask for email change", "request email change"],
] as const;

/** Names of tables, columns, indexes and codes by the field's words. Where they have them already, it changes nothing. */
export const words: Migration = {
  async up(db) {
    const tables = (await db.introspection.getTables()).filter(({ name }) => name !== "migrations");
    for (const { name, columns } of tables) {
      const table = tableInWords(name);
      if (table !== name) await sql`alter table ${sql.table(name)} rename to ${sql.table(table)}`.execute(db);
      for (const column of columns) {
        const to = COLUMN_WORDS[table]?.[column.name];
        if (to === undefined) continue;
        await sql`alter table ${sql.table(table)} rename column ${sql.ref(column.name)} to ${sql.ref(to)}`.execute(
          db,
        );
      }
    }
    for (const [former, [table, index]] of Object.entries(FORMER_INDEXES)) {
      if (!(await hasIndex(db, former))) continue;
      await sql`drop index ${sql.table(former)}`.execute(db);
      await createIndex(db, { table, index, details: indexesOf(table)[index] ?? "" });
    }
    for (const [table, columns] of Object.entries(MESSAGES)) {
      for (const column of columns) await replaceWords(db, table, column);
    }
    for (const [table, column, from, to] of VALUES) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(
        db,
      );
    }
    await sql`update meta set value = replace(value, '"heardAt":', '"activeAt":') where key = 'listening'`.execute(
      db,
    );
  },
};

async function hasIndex(db: AnyDb, name: string): Promise<boolean> {
  const query = isPostgres(db)
    ? sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = ${name}`
    : sql`select 1 from sqlite_master where type = 'index' and name = ${name}`;
  return (await query.execute(db)).rows.length > 0;
}

const indexesOf = (table: keyof typeof TABLES): Readonly<Record<string, string>> =>
  (TABLES[table] as { indexes?: Readonly<Record<string, string>> }).indexes ?? {};

async function replaceWords(db: AnyDb, table: string, column: string): Promise<void> {
  const own = sql.ref(column);
  const words = DESCRIBED.includes(`${table}.${column}`) ? [...MESSAGE_WORDS, DESCRIPTOR] : MESSAGE_WORDS;
  const value = words.reduce(
    (inner, [from, to]) => sql`replace(${inner}, ${sql.lit(from)}, ${sql.lit(to)})`,
    sql`${own}`,
  );
  await sql`update ${sql.table(table)} set ${own} = ${value} where ${own} like ${'%"code":"%'}`.execute(db);
}

interface BackupRows {
  table: string;
  rows: Record<string, unknown>[];
}

/** Rows of a backup from before this migration, by the names of now. */
export function rowsInWords({ table, rows }: BackupRows): BackupRows {
  const now = tableInWords(table);
  const words = COLUMN_WORDS[now];
  if (words === undefined) return { table: now, rows };
  const renamed = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [words[name] ?? name, value]));
  return { table: now, rows: rows.map(renamed) };
}

export const tableInWords = (table: string): string =>
  (TABLE_WORDS as Readonly<Record<string, string>>)[table] ?? table;

/** What the table was called before. */
export const formerTable = (table: string): string =>
  Object.entries(TABLE_WORDS).find(([, now]) => now === table)?.[0] ?? table;
