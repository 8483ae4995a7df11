import { Type } from "typebox";
import { MAX_TAG_LENGTH } from "../monitor/tags.ts";
import { oneOf } from "./field.ts";
import { FULL_STATES, MONITOR_STATUSES } from "./monitor-fields.ts";
import { sortQuery } from "./sort.ts";

/** What a list of monitors can be narrowed by. */
export const monitorFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: "^[^\\u0000]*$",
      description: "Part of the name, of what is checked or of a tag, upper or lower case.",
    }),
  ),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TAG_LENGTH,
      pattern: "^[^\\u0000]*$",
      description: "Only what has this tag, exactly as it is written.",
      examples: ["production"],
    }),
  ),
  status: Type.Optional(oneOf(MONITOR_STATUSES, { description: "`up` finds degraded ones too." })),
  state: Type.Optional(
    oneOf(FULL_STATES, {
      description: "The full state: here `up` is without degraded ones and `unknown` without paused ones.",
    }),
  ),
  maintenance: Type.Optional(
    Type.Boolean({ description: "Only what is in maintenance now (true), or what is not (false)." }),
  ),
};

/** What it can be sorted by. */
const SORTS = [
  "name",
  "status",
  "statusSince",
  "responseTime",
  "uptime",
  "certificate",
  "createdAt",
] as const;
export type MonitorSortName = (typeof SORTS)[number];

export const SortQuery = sortQuery(
  SORTS,
  "`status` puts what is down first and what is paused last; what has no figure comes last either way; ties are in the order of their names; `createdAt`: the oldest first, so that pages do not shift while others are added.",
);
