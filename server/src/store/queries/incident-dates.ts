import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

/** Dates the start of open automatic incidents of these monitors that is later than `limit` to `now`. */
export async function correctIncidentDates(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await trx
    .updateTable("incidents")
    .set({ started_at: now, detected_at: now, updated_at: now })
    .where(idIn("monitor_id", monitorIds))
    .where("automatic", "=", 1)
    .where("resolved_at", "is", null)
    .where("started_at", ">", limit)
    .execute();
}
