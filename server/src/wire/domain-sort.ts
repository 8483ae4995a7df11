import { type Static, Type } from "typebox";
import { oneOf } from "./field.ts";

/** What a list of domains can be sorted by. */
const SORTS = ["name", "status", "statusSince", "responseTime", "uptime", "certificate"] as const;
const V2_SORTS = ["name", "status", "status_since", "response_time", "uptime", "certificate"] as const;

const description =
  "Default: newest first. A leading `-` reverses. `status` puts what is down first and what is paused last; what has no figure stands last either way; equals stand by name.";

const bothWays = <const Names extends readonly string[]>(names: Names) =>
  names.flatMap((name: Names[number]) => [name, `-${name}` as const]);

export const SortQuery = Type.Optional(oneOf(bothWays(SORTS), { description }));
export const V2SortQuery = Type.Optional(oneOf(bothWays(V2_SORTS), { description }));

type SortText = Static<typeof SortQuery> | Static<typeof V2SortQuery>;

/** `-responseTime` (legacy) or `-response_time` (v2): what to sort by, and which way; null for no wish. */
export function readSort(
  sort: SortText | undefined,
): { by: (typeof SORTS)[number]; descending: boolean } | null {
  if (sort === undefined) return null;
  const name = sort.replace("-", "").replace("_since", "Since").replace("_time", "Time");
  return { by: name as (typeof SORTS)[number], descending: sort.startsWith("-") };
}
