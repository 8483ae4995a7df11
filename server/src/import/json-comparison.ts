import type { JsonAssertion } from "../check/assertion-config.ts";
import { JSON_PATH_PATTERN } from "../check/json-path.ts";
import { lookUp } from "./plain.ts";

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

/** Whether an operator compares numbers. */
export const isOfNumbers = (operator: string): boolean => /^[gl]te?$/.test(operator);

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** A text as the limit of a comparison of numbers; what is none stays a text, for the API to refuse. */
export const limitOf = (text: string): number | string => (NUMBER.test(text) ? Number(text) : text);

const PATH = new RegExp(JSON_PATH_PATTERN);
const SEGMENT = /^([\p{L}\p{N}_:@ -]{1,200})?((?:\[\d{1,9}\])*)$/u;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `data[0].user-name` as a path of assertions; null where it says more than names and indexes. */
export function pathTo(keys: string): string | null {
  if (keys === "") return "$";
  let path = "$";
  for (const [at, segment] of keys.split(".").entries()) {
    const [whole, name, indexes = ""] = SEGMENT.exec(segment) ?? [];
    if (whole === undefined || (name === undefined && (at > 0 || indexes === ""))) return null;
    const step = name === undefined ? "" : PLAIN_NAME.test(name) ? `.${name}` : `['${name}']`;
    path += step + indexes;
  }
  return PATH.test(path) ? path : null;
}
