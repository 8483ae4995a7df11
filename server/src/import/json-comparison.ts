import type { JsonAssertion } from "../check/assertion-config.ts";
import { numberOf } from "./plain.ts";

/** What a comparison in a file is as an assertion on JSON. */
export const JSON_OPERATORS: Readonly<Record<string, JsonAssertion["operator"]>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

/** Files compare texts; what a JSON document has there is most probably no text where it looks like something else. */
export function comparedValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return numberOf(text) ?? text;
}
