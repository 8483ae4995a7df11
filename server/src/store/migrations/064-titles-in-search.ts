import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { parseFact } from "../../texts/fact.ts";
import { type AnyDb, isPostgres } from "../dialect.ts";
import { incidentSearchText } from "../queries/incident-search-text.ts";

const ROWS_A_STEP = 500;

interface Outage {
  id: number;
  title: string;
  fact: string;
}

/** Incidents of outages from before are found by what their readers see, in each language, as new ones are. */
export const titlesInSearch: Migration = {
  async up(db) {
    for (let last = 0, rows = await outagesAfter(db, last); rows.length > 0; ) {
      const texts = rows.map(({ id, title, fact }) => [
        id,
        incidentSearchText({ title, titleFact: parseFact(fact) }),
      ]);
      await fill(db, JSON.stringify(Object.fromEntries(texts)));
      last = rows.at(-1)?.id ?? last;
      rows = await outagesAfter(db, last);
    }
  },
};

async function outagesAfter(db: AnyDb, id: number): Promise<Outage[]> {
  const { rows } = await sql<Outage>`select id, title, title_fact as fact from incidents
    where id > ${id} and title_fact is not null order by id limit ${ROWS_A_STEP}`.execute(db);
  return rows;
}

/** `texts`: JSON of texts by the incident's number. */
async function fill(db: AnyDb, texts: string): Promise<void> {
  const each = isPostgres(db) ? sql`json_each_text(${texts}::json)` : sql`json_each(${texts})`;
  await sql`update incidents set search_text = texts.value
    from ${each} as texts where incidents.id = cast(texts.key as bigint)`.execute(db);
}
