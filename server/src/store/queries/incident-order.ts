import { type RawBuilder, sql } from "kysely";
import { INCIDENT_STATUSES, type IncidentSort, SEVERITIES } from "../../incident/states.ts";

const RANKS: Record<"severity" | "status", RawBuilder<number>> = {
  severity: rankOf("severity", SEVERITIES.toReversed()),
  status: rankOf("status", INCIDENT_STATUSES),
};

/**
 * Terms of an ORDER BY over incidents: equals stand newest first either way, so that pages never overlap. `now`: until
 * when those that go on have lasted; milliseconds.
 */
export function incidentOrderTerms(
  { by, descending }: { by: IncidentSort; descending: boolean },
  now: number,
): RawBuilder<unknown>[] {
  const value = {
    startedAt: sql`incidents.started_at`,
    duration: sql`coalesce(incidents.resolved_at, cast(${now} as bigint)) - incidents.started_at`,
    createdAt: sql`incidents.id`,
    ...RANKS,
  }[by];
  return [descending ? sql`${value} desc` : sql`${value} asc`, sql`incidents.id desc`];
}

/** The gravest first, of those the longest until `now` (milliseconds), and of those the newest. */
export const gravestFirst = (now: number): RawBuilder<unknown>[] => [
  sql`${RANKS.severity} asc`,
  ...incidentOrderTerms({ by: "duration", descending: true }, now),
];

/** The place of a column's value in this list. */
function rankOf(column: string, values: readonly string[]): RawBuilder<number> {
  const places = values.map((value, at) => sql`when ${sql.lit(value)} then ${sql.lit(at)}`);
  return sql<number>`case ${sql.ref(`incidents.${column}`)} ${sql.join(places, sql` `)} end`;
}
