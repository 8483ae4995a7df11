import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Small enough that no statement holds the thread for long. */
const ROWS_A_STEP = 200;

interface Tagged {
  id: number;
  search_text: string;
  tags: string;
}

/** A search finds tags, too: what it looks in has a line for each. */
export const searchTags: Migration = {
  async up(db) {
    for (let last = 0, rows = await taggedAfter(db, last); rows.length > 0; ) {
      for (const { id, search_text: known, tags } of rows) {
        const lines = (JSON.parse(tags) as string[]).map((tag) => tag.normalize("NFC").toLowerCase());
        const text = [known, ...lines].join("\n");
        await sql`update monitors set search_text = ${text} where id = ${id}`.execute(db);
        last = id;
      }
      rows = await taggedAfter(db, last);
    }
  },
};

async function taggedAfter(db: Kysely<unknown>, id: number): Promise<Tagged[]> {
  const { rows } = await sql<Tagged>`select id, search_text, tags from monitors
    where tags != '[]' and id > ${id} order by id limit ${ROWS_A_STEP}`.execute(db);
  return rows;
}
