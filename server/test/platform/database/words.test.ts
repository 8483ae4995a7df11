import { sql } from "kysely";
import { expect, it } from "vitest";
import { backupStore, restoreStore } from "../../../src/app/backup.ts";
import { baseline } from "../../../src/platform/database/migrations/001-baseline.ts";
import { openStore, type StoreLocation } from "../../../src/platform/database/open.ts";
import type { AnyDb } from "../../../src/platform/database/sql.ts";
import { database, emptyDatabase, temporaryFile, withStore } from "../../harness/databases.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";

/** Each table and column that had another name, as it was and as it is. */
const NAMES = [
  ["certificate_notices.told_at", "certificate_warnings.notified_at"],
  ["delivery_attempts.fact", "delivery_attempts.message"],
  ["deployments.told_at", "deployments.reported_at"],
  ["device_moments.items", "device_process_samples.items"],
  ["device_reports.figures", "device_reports.metrics"],
  ["heartbeat_signals.told_at", "heartbeat_signals.signalled_at"],
  ["incident_updates.fact", "incident_updates.descriptor"],
  ["incidents.title_fact", "incidents.title_message"],
  ["incidents.fact", "incidents.description_message"],
  ["notifications.fact", "notifications.descriptor"],
  ["notifications.together_fact", "notifications.together_message"],
  ["outbox.news_id", "outbox.page_notification_id"],
  ["status_page_news.told_to", "status_page_notifications.notified_up_to"],
  ["status_page_questions.address_hash", "status_page_confirmation_requests.address_hash"],
  ["status_page_subscribers.question_hash", "status_page_subscribers.confirmation_hash"],
  ["status_page_subscribers.asked_at", "status_page_subscribers.confirmation_requested_at"],
  ["status_page_told.told", "status_page_snapshots.snapshot"],
  ["users.email_asked_at", "users.email_confirmation_requested_at"],
].map(([was = "", is = ""]) => ({ was: was.split("."), is: is.split(".") }));

/** Indexes with another name, on the tables as they were. */
const INDEXES: Record<string, [table: string, columns: string]> = {
  certificate_notices_open: ["certificate_notices", "monitor_id"],
  device_moments_by_time: ["device_moments", "minute_at"],
  outbox_questions_waiting: ["outbox", "next_try_at"],
  status_page_news_by_age: ["status_page_news", "at"],
  status_page_questions_at: ["status_page_questions", "at"],
  status_page_subscribers_question: ["status_page_subscribers", "question_hash"],
  status_page_told_look: ["status_page_told", "look_at"],
};
const NEW_INDEXES: Record<string, string> = {
  certificate_notices_open: "certificate_warnings_open",
  device_moments_by_time: "device_process_samples_by_time",
  outbox_questions_waiting: "outbox_subscription_requests_waiting",
  status_page_news_by_age: "status_page_notifications_by_age",
  status_page_questions_at: "status_page_confirmation_requests_at",
  status_page_subscribers_question: "status_page_subscribers_confirmation",
  status_page_told_look: "status_page_snapshots_due",
};

const table = (name = "") => sql.table(name);

/** A database of the baseline alone, with the names and words of then. */
async function formerDatabase(engine: EngineName): Promise<StoreLocation> {
  const location = await emptyDatabase(engine);
  const { db, close } = await openStore(location, { migrations: { "001-baseline": baseline } });
  for (const { was, is } of NAMES) {
    if (was[1] !== is[1]) await renameColumn(db, is[0], is[1], was[1]);
  }
  for (const [was, is] of new Map(NAMES.map(({ was, is }) => [was[0], is[0]]))) {
    if (was !== is) await sql`alter table ${table(is)} rename to ${table(was)}`.execute(db);
  }
  await sql`insert into meta (key, value) values ('listening', '{"heardAt":7,"breaks":[]}')`.execute(db);
  for (const [index, [name, columns]] of Object.entries(INDEXES)) {
    await sql`drop index if exists ${table(NEW_INDEXES[index])}`.execute(db);
    await sql.raw(`create index ${index} on ${name} (${columns})`).execute(db);
  }
  const reason = '{"code":"watch.told","because":{"code":"notice.settled_up"}}';
  await sql`insert into transitions (organization_id, monitor_id, from_status, to_status, at, detected_at, reason, maintenance)
    values (1, 1, 'up', 'down', 5, 5, ${reason}, 0)`.execute(db);
  await close();
  return location;
}

const renameColumn = (db: AnyDb, name: string | undefined, from = "", to = "") =>
  sql`alter table ${table(name)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);

/** Columns and indexes of every table. */
async function shapeOf(location: StoreLocation): Promise<unknown> {
  const { engine, db, close } = await openStore(location);
  const tables = await db.introspection.getTables();
  const indexes = await sql<{ name: string }>`${sql.raw(
    engine === "sqlite"
      ? "select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by name"
      : "select indexname as name from pg_indexes where schemaname = 'public' and indexname !~ '_(pkey|key\\d*)$' order by 1",
  )}`.execute(db);
  await close();
  return {
    tables: tables
      .map(({ name, columns }) => [name, columns.map((column) => column.name).sort()])
      .sort(([a], [b]) => String(a).localeCompare(String(b))),
    indexes: indexes.rows.map(({ name }) => name),
  };
}

/** What the words of the stored messages are now. */
const storedWords = (location: StoreLocation) =>
  withStore(location, async ({ db }) => [
    await db.selectFrom("transitions").select("reason").execute(),
    await db.selectFrom("meta").select("value").where("key", "=", "listening").execute(),
  ]);

const WORDS_NOW = [
  [{ reason: '{"code":"watch.notified","because":{"code":"notification.stable_up"}}' }],
  [{ value: '{"activeAt":7,"breaks":[]}' }],
];

eachEngine("a database with the names of before", (engine) => {
  it("gets those of now, with its indexes and what is stored", async () => {
    const location = await formerDatabase(engine);
    expect(await shapeOf(location)).toEqual(await shapeOf(await database(engine)));
    expect(await storedWords(location)).toEqual(WORDS_NOW);
  });

  it("is backed up as it is, and comes back by those of now", async () => {
    const location = await formerDatabase(engine);
    const file = temporaryFile();
    await backupStore(location, file);
    const target = await database(engine);
    await restoreStore(target, file);
    expect(await shapeOf(target)).toEqual(await shapeOf(await database(engine)));
    expect(await storedWords(target)).toEqual(WORDS_NOW);
  });
});
