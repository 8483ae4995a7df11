import { Type } from "typebox";
import { oneOf } from "./field.ts";

/** What a list is sorted by, and which way. */
export interface Order<Name extends string> {
  by: Name;
  descending: boolean;
}

const bothWays = <const Names extends readonly string[]>(names: Names) =>
  names.flatMap((name: Names[number]) => [name, `-${name}` as const]);

/** The `sort` of a list that is newest first otherwise. `words`: what its names put first. */
export const sortQuery = <const Names extends readonly string[]>(names: Names, words: string) =>
  Type.Optional(
    oneOf(bothWays(names), { description: `Default: newest first. A leading \`-\` reverses. ${words}` }),
  );

/** `-responseTime`: what to sort by, and which way; null for no wish. */
export function readSort<Name extends string>(sort: Name | `-${Name}` | undefined): Order<Name> | null {
  if (sort === undefined) return null;
  return { by: sort.replace("-", "") as Name, descending: sort.startsWith("-") };
}
