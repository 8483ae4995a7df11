import type { IncidentStatus } from "../../incident/states.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";

/** So many of an incident are read, the newest. */
const MAX_ENTRIES = 1_000;

/** An entry of an incident's log without its words. */
export interface LogOutline {
  id: number;
  /** False: the service wrote it itself. */
  isByPerson: boolean;
  status: IncidentStatus;
  fact: Fact | null;
  isOpening: boolean;
  /** Milliseconds. */
  at: number;
}

/** What an incident's log has, oldest first. */
export async function readLogOutline(db: Db, incidentId: number): Promise<LogOutline[]> {
  const rows = await db
    .selectFrom("incident_updates")
    .select(["id", "user_id", "status", "fact", "is_opening", "at"])
    .where("incident_id", "=", incidentId)
    .orderBy("id", "desc")
    .limit(MAX_ENTRIES)
    .execute();
  return rows.reverse().map(({ user_id, status, fact, is_opening, ...row }) => ({
    ...row,
    isByPerson: user_id !== null,
    status: status as IncidentStatus,
    fact: parseFact(fact),
    isOpening: is_opening === 1,
  }));
}
