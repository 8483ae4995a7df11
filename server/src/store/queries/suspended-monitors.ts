import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Db } from "../db.ts";
import { among, lockRows } from "../dialect.ts";

export interface OwnMonitor {
  id: number;
  kind: MonitorKind;
}

/** An organization's monitors that are watched, or those that are not until it stays; locked in the order of their ids. */
export async function lockOwnMonitors(
  trx: Db,
  organizationId: number,
  which: "watched" | "suspended",
): Promise<OwnMonitor[]> {
  const own = trx
    .selectFrom("monitors")
    .select(["id", "kind"])
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(which === "watched" ? "enabled" : "suspended", "=", 1)
    .orderBy("id");
  return lockRows(trx, own).execute();
}

/** Notes which are watched again if their organization stays. */
export async function setSuspended(trx: Db, ids: readonly number[], suspended: boolean): Promise<void> {
  await trx
    .updateTable("monitors")
    .set({ suspended: suspended ? 1 : 0 })
    .where(among(trx, "id", ids))
    .execute();
}
