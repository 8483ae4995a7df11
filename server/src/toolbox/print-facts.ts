import { textTable } from "./text-table.ts";

/** Names and values for a terminal, a line each; what has no value is left out. */
export const printFacts = (facts: readonly (readonly [name: string, value: string | null])[]): string =>
  textTable(
    ["", ""],
    facts.filter(([, value]) => value !== null && value !== ""),
  ).replace(/^\s*\n/, "");
