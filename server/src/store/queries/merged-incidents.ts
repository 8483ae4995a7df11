import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

/**
 * The id of what has all of an incident now, which the statement calls `about`: of itself, or of the last in the line of those that
 * were merged one into the other; null: that was deleted.
 */
export const idOfMerged = sql<number | null>`case when about.merged_into is null then about.id else (
  with recursive line (id, merged_into) as (
    select next.id, next.merged_into from incidents as next where next.id = about.merged_into
    union select next.id, next.merged_into from incidents as next join line on next.id = line.merged_into)
  select line.id from line where line.merged_into is null) end`;

/** That the number in `column` is an incident's, or that of one which was merged into it. */
export const isAboutMerged = (column: RawBuilder<unknown>, incidentId: number): RawBuilder<SqlBool> =>
  sql`${column} in (
    with recursive merged (id) as (
      select cast(${incidentId} as bigint)
      union select incidents.id from incidents join merged on incidents.merged_into = merged.id)
    select id from merged)`;

/** These incidents, or those that they were merged into by now; ids, in order. */
export async function mergedOf(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("incidents as about")
    .select(idOfMerged.as("id"))
    .distinct()
    .where(idIn("about.id", ids))
    .execute();
  return rows.flatMap(({ id }) => (id === null ? [] : Number(id))).sort((a, b) => a - b);
}
