import { Type } from "typebox";
import { BULK_ACTIONS } from "../monitor/bulk-actions.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import { BulkIdList, bulkResult } from "./bulk.ts";
import { settableFields } from "./domain-input.ts";
import { oneOf } from "./field.ts";
import { capital } from "./word.ts";

const tagList = (description: string) => Type.Optional({ ...settableFields.tags, description });

/** POST /api/domains/bulk and /api/services/bulk: what to do with which, and what became of each of them. */
export const bulkShapes = (noun: MonitorKind) => ({
  input: Type.Object(
    {
      action: oneOf(BULK_ACTIONS, { description: `What to do with the ${noun}s.` }),
      ids: BulkIdList,
      tags: Type.Optional(
        Type.Object(
          {
            add: tagList(`Added to each ${noun}.`),
            remove: tagList(`Removed from each ${noun} that has them.`),
          },
          { description: "Required with `tag`, not allowed otherwise." },
        ),
      ),
    },
    { title: `${capital(noun)}Bulk` },
  ),
  output: bulkResult(noun, BULK_ACTIONS),
});
