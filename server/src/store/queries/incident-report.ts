import { sql } from "kysely";
import type { Impact, Severity } from "../../incident/states.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import { inSlices, takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";
import { readAffectedServices } from "./affected-services.ts";
import { gravestFirst } from "./incident-order.ts";

/** An incident as reports tell of it. Times in milliseconds. */
export interface ReportedIncident {
  id: number;
  uuid: string;
  title: string;
  /** What the title says, where the service itself wrote it. */
  titleFact: Fact | null;
  severity: Severity;
  impact: Impact;
  status: string;
  automatic: boolean;
  startedAt: number;
  acknowledgedAt: number | null;
  resolvedAt: number | null;
  /** What it affected, under the names of that time; a number where it was a monitor. */
  affected: { monitorId: number | null; name: string }[];
}

const ROWS_A_QUERY = 500;

interface Begun {
  organizationId: number;
  /** They began then or later, and before `to`; milliseconds. */
  from: number;
  to: number;
}

/** The incidents that began in that time, newest first, without those merged into others. */
export async function readIncidentsBegun(db: Db, range: Begun): Promise<ReportedIncident[]> {
  const ids = await incidentsBegun(db, range)
    .select("id")
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const found: ReportedIncident[] = [];
  const giveWay = takeTurns();
  await inSlices(
    ids.map(({ id }) => id),
    ROWS_A_QUERY,
    async (some) => void found.push(...(await readSome(db, some))),
    giveWay,
  );
  return found;
}

/** So many of the same incidents, the gravest first and of those the longest, and how many there are. */
export async function readGravestBegun(
  db: Db,
  range: Begun,
  limit: number,
): Promise<{ incidents: ReportedIncident[]; count: number }> {
  const gravest = incidentsBegun(db, range).orderBy(sql.join(gravestFirst(range.to)));
  const ids = await gravest.select("id").limit(limit).execute();
  const { count } = await incidentsBegun(db, range)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const incidents = await readSome(
    db,
    ids.map(({ id }) => id),
  );
  return { incidents, count: Number(count) };
}

const incidentsBegun = (db: Db, { organizationId, from, to }: Begun) =>
  db
    .selectFrom("incidents")
    .where("organization_id", "=", organizationId)
    .where("started_at", ">=", from)
    .where("started_at", "<", to)
    .where("merged_into", "is", null);

async function readSome(db: Db, ids: readonly number[]): Promise<ReportedIncident[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("incidents")
    .select(["id", "uuid", "title", "title_fact as titleFact", "severity", "impact", "status", "automatic"])
    .select(["started_at as startedAt", "acknowledged_at as acknowledgedAt", "resolved_at as resolvedAt"])
    .where("id", "in", ids)
    .execute();
  const affected = await readAffectedServices(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { titleFact, automatic, ...rest } = row;
    const names = (affected.get(id) ?? []).map(({ monitorId, name }) => ({ monitorId, name }));
    return { ...rest, titleFact: parseFact(titleFact), automatic: automatic === 1, affected: names };
  });
}
