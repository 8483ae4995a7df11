import { type RawBuilder, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { type AnyDb, isPostgres } from "../dialect.ts";

/** What the rules said of a monitor when they still said it in English. */
const OF_MONITOR = {
  paused: { code: "watch.paused" },
  deleted: { code: "watch.deleted" },
  "Maintenance began.": { code: "watch.maintenance_began" },
  "Maintenance ended.": { code: "watch.maintenance_ended" },
  "No result came in for two intervals.": { code: "watch.silent" },
};

/**
 * Reasons are facts: a code and its parameters, as JSON. A sentence that was kept becomes a fact whose only parameter it
 * is, of the class that stood beside it. Packs and states stay as they are: their readers know both forms.
 */
export const facts: Migration = {
  async up(db) {
    for (const [sentence, fact] of Object.entries(OF_MONITOR)) {
      await sql`update transitions set reason = ${JSON.stringify(fact)} where reason = ${sentence}`.execute(
        db,
      );
    }
    const others = sql`reason is not null and reason not like '{"code":"watch.%'`;
    await sql`update transitions set reason = ${factOf(db, sql`'text'`)} where ${others}`.execute(db);
    const code = sql`coalesce(reason_code || '.text', 'text')`;
    await sql`update results set reason = ${factOf(db, code)} where reason is not null`.execute(db);
    await sql`alter table results drop column reason_code`.execute(db);
    await sql`alter table results add column message text`.execute(db);
    for (const table of ["incidents", "incident_updates", "notifications"])
      await sql`alter table ${sql.table(table)} add column fact text`.execute(db);
  },
};

const factOf = (db: AnyDb, code: RawBuilder<unknown>) =>
  isPostgres(db)
    ? sql`json_build_object('code', ${code}, 'params', json_build_object('text', reason))::text`
    : sql`json_object('code', ${code}, 'params', json_object('text', reason))`;
