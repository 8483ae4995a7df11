import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Db } from "../db.ts";

/** How many of these kinds there are together, as the plan counts them. */
export async function countOwnedMonitors(
  db: Db,
  organizationId: number,
  kinds: readonly MonitorKind[],
): Promise<number> {
  const { count } = await db
    .selectFrom("monitor_counts")
    .select((select) => select.fn.sum<number | null>("count").as("count"))
    .where("organization_id", "=", organizationId)
    .where("kind", "in", kinds)
    .executeTakeFirstOrThrow();
  return Number(count);
}
