import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";

export interface NewIncidentUpdate {
  organizationId: number;
  incidentId: number;
  /** Null: written by the service itself. */
  userId: number | null;
  status: string;
  message: string;
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
      at: each.at,
    })),
  );
}
