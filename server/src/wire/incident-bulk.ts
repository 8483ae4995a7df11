import { Type } from "typebox";
import { BulkIdList, bulkResult } from "./bulk.ts";
import { oneOf } from "./field.ts";

const ACTIONS = ["acknowledge"] as const;

/** POST /api/incidents/bulk: what to do with which incidents. */
export const IncidentBulk = Type.Object(
  { action: oneOf(ACTIONS, { description: "What to do with the incidents." }), ids: BulkIdList },
  { title: "IncidentBulk" },
);

/** What became of each of them. */
export const IncidentBulkResult = bulkResult("incident", ACTIONS);
