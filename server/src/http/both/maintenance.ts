import {
  createMaintenance,
  deleteMaintenance,
  endMaintenance,
  getMaintenance,
  listMaintenance,
  previewMaintenance,
  skipMaintenance,
  updateMaintenance,
} from "../../maintenance/windows.ts";
import type { DefineBoth } from "../both-families.ts";
import { LONG_TEXTS } from "../long-texts.ts";

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
      "Open ones first, then those to come, then those that are over. With `from` or `to` only those that are open in that time, each with when: what a calendar shows.",
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
      "For everything, tags or single monitors; once or by a rule. While it is open checks go on and are marked, nobody is told of trouble, no incident opens, and uptime leaves it out. Without `startsAt` it begins at once, which mutes a monitor. An organization can have 200 that are not over.",
    message: "Maintenance planned.",
  });
  define({
    ...collection,
    url: `${collection.url}/preview`,
    verb: previewMaintenance,
    ...LONG_TEXTS,
    method: "POST",
    summary: "Say when a maintenance window would be open",
    description: "The next five times, before it is planned. Stores nothing.",
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
      "Any subset of the fields; what is not sent stays. Lists are replaced as a whole. It counts from now on: what was marked before stays so.",
    message: "Maintenance updated.",
  });
  define({
    ...item,
    verb: deleteMaintenance,
    method: "DELETE",
    summary: "Delete a maintenance window",
    description: "What is open of it ends. What was marked stays so.",
    message: "Maintenance deleted.",
  });
  define({
    ...item,
    url: `${item.url}/end`,
    verb: endMaintenance,
    method: "POST",
    failures: [409],
    summary: "End a maintenance window now",
    description: "What is open of it; where it recurs, the next times stay. 409 where it is not open.",
    message: "Maintenance ended.",
  });
  define({
    ...item,
    url: `${item.url}/skip`,
    verb: skipMaintenance,
    method: "POST",
    summary: "Skip one time of a maintenance window",
    description: "By default the next. 422 where none begins at `startsAt`, or where it has begun already.",
    message: "Skipped.",
  });
}
