import { LONG_TEXTS } from "../../platform/http/answer.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import {
  createMaintenance,
  deleteMaintenance,
  endMaintenance,
  getMaintenance,
  listMaintenance,
  previewMaintenance,
  skipMaintenance,
  updateMaintenance,
} from "../maintenance/windows.ts";

const collection = { url: "/api/maintenance", tag: "maintenance" };
const item = { url: "/api/maintenance/:id", tag: "maintenance" };

/** When monitors are worked on. */
export function describeMaintenance(define: DefineBoth): void {
  define({
    ...collection,
    verb: listMaintenance,
    method: "GET",
    summary: "List maintenance windows",
    description:
      "Open ones first, then upcoming ones, then past ones. With `from` or `to`: only those that are open in that time, each with when, as for a calendar.",
  });
  define({
    ...collection,
    verb: createMaintenance,
    ...LONG_TEXTS,
    method: "POST",
    status: 201,
    failures: [409],
    summary: "Plan a maintenance window",
    description:
      "For everything, tags or single monitors; once or by a recurrence rule. While it is open, checks go on and are marked, no notifications of problems are sent, no incident opens, and uptime leaves it out. Without `startsAt` it begins at once, which mutes a monitor. An organization can have 200 that are not over.",
    message: "Maintenance planned.",
  });
  define({
    ...collection,
    url: `${collection.url}/preview`,
    verb: previewMaintenance,
    ...LONG_TEXTS,
    // Forms send requests while people type.
    limit: { group: "maintenance-preview", perMinute: 120 },
    method: "POST",
    summary: "Preview when a maintenance window would be open",
    description: "The next five times. Stores nothing.",
  });
  define({
    ...item,
    verb: getMaintenance,
    method: "GET",
    summary: "Get a maintenance window",
    description: "Its settings, its state, and the next five times.",
  });
  define({
    ...item,
    verb: updateMaintenance,
    ...LONG_TEXTS,
    method: "PUT",
    summary: "Change a maintenance window",
    description:
      "Any subset of the fields; what is not sent stays. Lists are replaced as a whole. It applies from now on: results that were marked before stay marked.",
    message: "Maintenance updated.",
  });
  define({
    ...item,
    verb: deleteMaintenance,
    method: "DELETE",
    summary: "Delete a maintenance window",
    description: "If it is open, it ends. Results that were marked stay marked.",
    message: "Maintenance deleted.",
  });
  define({
    ...item,
    url: `${item.url}/end`,
    verb: endMaintenance,
    method: "POST",
    failures: [409],
    summary: "End a maintenance window now",
    description:
      "Only the occurrence that is open now; those of a recurring window that are still to come stay. 409 if it is not open.",
    message: "Maintenance ended.",
  });
  define({
    ...item,
    url: `${item.url}/skip`,
    verb: skipMaintenance,
    method: "POST",
    summary: "Skip one occurrence of a maintenance window",
    description: "By default the next one. 422 if none begins at `startsAt`, or if it has begun already.",
    message: "Skipped.",
  });
}
