import type { JsonAssertion } from "../check/assertion-config.ts";
import { lookUp, numberOf } from "./plain.ts";

const OPERATORS: Readonly<Record<string, JsonAssertion["operator"]>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

/** The operator of an assertion on JSON that means the same as one of a file; undefined where there is none. */
export const jsonOperator = (written: string): JsonAssertion["operator"] | undefined =>
  lookUp(OPERATORS, written);

/** Files compare texts; what a JSON document has there is most probably no text where it looks like something else. */
export function comparedValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const number = numberOf(text) ?? text;
  // With more digits than a number can hold it stays a text, which is compared exactly.
  return Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER ? text : number;
}
