import { getDashboardStats } from "../../report/get-dashboard-stats.ts";
import { listRecentActivity } from "../../report/list-recent-activity.ts";
import type { DefineBoth } from "../both-families.ts";

/** The first look: figures, and what happened last. */
export function describeDashboard(define: DefineBoth): void {
  define({
    verb: getDashboardStats,
    method: "GET",
    url: "/api/dashboard/stats",
    summary: "Figures of everything together",
    description: "Counts of domains, devices, services and open incidents.",
  });
  define({
    verb: listRecentActivity,
    method: "GET",
    url: "/api/dashboard/recent-activity",
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
  });
}
