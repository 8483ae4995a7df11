import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { type AnyDb, isPostgres } from "../dialect.ts";

const ROWS_A_STEP = 500;

/** Incidents are searched by their titles, as monitors are by their names: in lower case, in every script. */
export const search: Migration = {
  async up(db) {
    await sql`alter table incidents add column search_text text`.execute(db);
    for (let last = 0, rows = await titlesAfter(db, last); rows.length > 0; ) {
      const folded = rows.map(({ id, title }) => [id, title.normalize("NFC").toLowerCase()]);
      await fill(db, JSON.stringify(Object.fromEntries(folded)));
      last = rows.at(-1)?.id ?? last;
      rows = await titlesAfter(db, last);
    }
  },
};

async function titlesAfter(db: AnyDb, id: number): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`select id, title from incidents
    where id > ${id} order by id limit ${ROWS_A_STEP}`.execute(db);
  return rows;
}

/** `texts`: JSON of texts by the incident's number. */
async function fill(db: AnyDb, texts: string): Promise<void> {
  const each = isPostgres(db) ? sql`json_each_text(${texts}::json)` : sql`json_each(${texts})`;
  await sql`update incidents set search_text = texts.value
    from ${each} as texts where incidents.id = cast(texts.key as bigint)`.execute(db);
}
