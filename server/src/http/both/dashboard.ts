import { getDashboardStats } from "../../report/get-dashboard-stats.ts";
import { listRecentActivity } from "../../report/list-recent-activity.ts";
import { search } from "../../report/search.ts";
import type { DefineBoth } from "../both-families.ts";

/** The first look: figures, and what happened last. */
export function describeDashboard(define: DefineBoth): void {
  define({
    verb: getDashboardStats,
    method: "GET",
    url: "/api/dashboard/stats",
    summary: "Figures of everything together",
    description:
      "Counts of domains, devices, services and open incidents, and the open incidents that nobody has been notified of.",
  });
  define({
    verb: listRecentActivity,
    method: "GET",
    url: "/api/dashboard/recent-activity",
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
  });
  define({
    verb: search,
    method: "GET",
    url: "/api/search",
    summary: "Find something by its name",
    description:
      "Domains, services and incidents by name, tag, URL or other address, number or uuid; of these what you may read (`read:domains`, `read:services`, `read:incidents`). The best first: that very number or uuid, names that start with the words, a word of theirs that does, other names, tags, addresses.",
  });
}
