import type { Day } from "../api/monitor.ts";

/** Below this share of a day in percent, a day counts as down: more than an hour and twelve minutes. */
const downBelow = 95;

/** How a day looks at a glance: any downtime shows, much of it more so. */
export function dayTone({
  uptimePercentage,
}: Pick<Day, "uptimePercentage">): "unknown" | "up" | "dented" | "down" {
  if (uptimePercentage === null) return "unknown";
  if (uptimePercentage < downBelow) return "down";
  return uptimePercentage < 100 ? "dented" : "up";
}
