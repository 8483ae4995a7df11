import type { Impact, Severity } from "../../incident/states.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import { inSlices, takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";
import { readAffectedServices } from "./affected-services.ts";

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

/** The incidents that began from `from` to before `to` (milliseconds), newest first, without those merged into others. */
export async function readIncidentsBegun(
  db: Db,
  { organizationId, from, to }: { organizationId: number; from: number; to: number },
): Promise<ReportedIncident[]> {
  const ids = await db
    .selectFrom("incidents")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("started_at", ">=", from)
    .where("started_at", "<", to)
    .where("merged_into", "is", null)
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

async function readSome(db: Db, ids: readonly number[]): Promise<ReportedIncident[]> {
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
