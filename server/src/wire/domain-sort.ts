import { type Static, Type } from "typebox";
import { oneOf } from "./field.ts";

/** What a list of domains can be sorted by. */
const SORTS = ["name", "status", "statusSince", "responseTime", "uptime", "certificate"] as const;

const description =
  "Default: newest first. A leading `-` reverses. `status` puts what is down first and what is paused last; what has no figure comes last either way; ties are in the order of their names.";

const bothWays = <const Names extends readonly string[]>(names: Names) =>
  names.flatMap((name: Names[number]) => [name, `-${name}` as const]);

export const SortQuery = Type.Optional(oneOf(bothWays(SORTS), { description }));

/** `-responseTime`: what to sort by, and which way; null for no wish. */
export function readSort(
  sort: Static<typeof SortQuery> | undefined,
): { by: (typeof SORTS)[number]; descending: boolean } | null {
  if (sort === undefined) return null;
  return { by: sort.replace("-", "") as (typeof SORTS)[number], descending: sort.startsWith("-") };
}
