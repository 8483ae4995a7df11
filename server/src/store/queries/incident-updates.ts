import { type Fact, factJson } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";

export interface NewIncidentUpdate {
  organizationId: number;
  incidentId: number;
  /** Null: written by the service itself. */
  userId: number | null;
  status: string;
  message: string;
  /** What the message says, where the service itself wrote it. */
  fact: Fact | null;
  at: number;
}

/** Appends to the incidents' logs. */
export async function insertIncidentUpdates(trx: Db, updates: readonly NewIncidentUpdate[]): Promise<void> {
  await insertMany(
    trx,
    "incident_updates",
    updates.map((each) => ({
      organization_id: each.organizationId,
      incident_id: each.incidentId,
      user_id: each.userId,
      status: each.status,
      message: each.message,
      fact: factJson(each.fact),
      at: each.at,
    })),
  );
}
