import type { Alert } from "../../src/alerts/alert.ts";
import type { TestServer } from "../harness/server.ts";

/** The monitors of which some channel was notified that something is wrong, and not yet that it is over; ascending. */
export async function openAlerts({ ctx }: TestServer): Promise<number[]> {
  const rows = await ctx.store.db
    .selectFrom("alerts")
    .select("data")
    .where("resolved_at", "is", null)
    .execute();
  const members = rows.flatMap(({ data }) => (JSON.parse(data) as Alert).members);
  const open = members.filter(({ notified }) => (notified ?? "ok") !== "ok");
  return [...new Set(open.map(({ monitorId }) => monitorId))].toSorted((a, b) => a - b);
}
