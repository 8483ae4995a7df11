import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { type AnyDb, isPostgres } from "../dialect.ts";

const ROWS_A_STEP = 500;

/** Incidents are found by the names of what they affect, too: in lower case, in every script. */
export const affectedSearch: Migration = {
  async up(db) {
    await sql`alter table affected_services add column search_text text`.execute(db);
    for (let last = 0, rows = await namesAfter(db, last); rows.length > 0; ) {
      const folded = rows.map(({ id, name }) => [id, name.normalize("NFC").toLowerCase()]);
      await fill(db, JSON.stringify(Object.fromEntries(folded)));
      last = rows.at(-1)?.id ?? last;
      rows = await namesAfter(db, last);
    }
  },
};

async function namesAfter(db: AnyDb, id: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`select id, name from affected_services
    where id > ${id} order by id limit ${ROWS_A_STEP}`.execute(db);
  return rows;
}

/** `texts`: JSON of texts by the row's number. */
async function fill(db: AnyDb, texts: string): Promise<void> {
  const each = isPostgres(db) ? sql`json_each_text(${texts}::json)` : sql`json_each(${texts})`;
  await sql`update affected_services set search_text = texts.value
    from ${each} as texts where affected_services.id = cast(texts.key as bigint)`.execute(db);
}
