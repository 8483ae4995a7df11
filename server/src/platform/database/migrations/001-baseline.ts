import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { TABLE_NAMES, TABLES } from "../schema.ts";
import { createTable, isPostgres } from "../sql.ts";

/** Every table as schema/ describes it. Until the first release a change is made there; from then on it is a migration of its own. */
export const baseline: Migration = {
  async up(db) {
    for (const name of TABLE_NAMES) await createTable(db, name, TABLES[name]);
    for (const trigger of isPostgres(db) ? POSTGRES_TRIGGERS : SQLITE_TRIGGERS) {
      await sql.raw(trigger).execute(db);
    }
  },
};

const ADD_ONE = `insert into monitor_counts (organization_id, kind, count) values (new.organization_id, new.kind, 1)
  on conflict (organization_id, kind) do update set count = monitor_counts.count + 1;`;

/** An organization that is being removed takes its monitors along: there may be no count left to change. */
const TAKE_ONE = `update monitor_counts set count = count - 1
  where organization_id = old.organization_id and kind = old.kind;`;

/**
 * Every page of a list shows the number of monitors of each kind, and counting ten thousand took longer
 * than the rest of the page. Triggers, so that no writer can forget it.
 */
const SQLITE_TRIGGERS = [
  `create trigger monitors_added after insert on monitors when new.deleted_at is null begin ${ADD_ONE} end`,
  `create trigger monitors_restored after update of deleted_at on monitors
    when old.deleted_at is not null and new.deleted_at is null begin ${ADD_ONE} end`,
  `create trigger monitors_marked after update of deleted_at on monitors
    when old.deleted_at is null and new.deleted_at is not null begin ${TAKE_ONE} end`,
  `create trigger monitors_removed after delete on monitors when old.deleted_at is null begin ${TAKE_ONE} end`,
];

/** New ones are counted by the statement: a backup brings thousands at once, and a row a time would be slow. */
const POSTGRES_TRIGGERS = [
  `create or replace function count_added_monitors() returns trigger language plpgsql as $$ begin
    insert into monitor_counts (organization_id, kind, count)
      select organization_id, kind, count(*) from added where deleted_at is null
      group by organization_id, kind order by organization_id, kind
      on conflict (organization_id, kind) do update set count = monitor_counts.count + excluded.count;
    return null; end $$`,
  `create or replace function count_restored_monitor() returns trigger language plpgsql as $$ begin
    ${ADD_ONE} return null; end $$`,
  `create or replace function count_removed_monitor() returns trigger language plpgsql as $$ begin
    ${TAKE_ONE} return null; end $$`,
  `create trigger monitors_added after insert on monitors referencing new table as added
    for each statement execute function count_added_monitors()`,
  `create trigger monitors_restored after update on monitors for each row
    when (old.deleted_at is not null and new.deleted_at is null) execute function count_restored_monitor()`,
  `create trigger monitors_marked after update on monitors for each row
    when (old.deleted_at is null and new.deleted_at is not null) execute function count_removed_monitor()`,
  `create trigger monitors_removed after delete on monitors for each row
    when (old.deleted_at is null) execute function count_removed_monitor()`,
];
