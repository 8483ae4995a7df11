import type { JsonAssertion } from "./assertion-config.ts";
import { containsText, indexOfText } from "./contains-text.ts";
import type { FoundJson } from "./find-json.ts";

/** Whether an assertion compares by another way than JSON's own types, or by an operator of texts. */
export const isLoose = ({ compareAs = "json", operator }: JsonAssertion): boolean =>
  compareAs !== "json" || operator === "missing" || operator === "matches" || operator === "not_matches";

/** What an assertion found. */
export interface LooseFinding {
  holds: boolean;
  /** The value as it was compared; undefined: there is none. */
  actual: string | undefined;
}

/**
 * Judges an assertion that takes values for what they say rather than for their types. `json`: what the body has at the
 * path, null where it is no JSON; `body` as text. Takes time that grows with the body and the pattern alone.
 */
export function judgeLoosely(assertion: JsonAssertion, json: FoundJson, body: string): LooseFinding {
  const { compareAs = "json", operator, path, value = null, allowMissing = false } = assertion;
  const found = valueAt(assertion, json, body);
  if (operator === "missing")
    return { holds: found === undefined, actual: found === undefined ? found : textOf(found) };
  const actual = compareAs === "length" ? lengthOf(found) : comparable(found, compareAs);
  if (operator === "exists") return { holds: found !== undefined, actual };
  if (actual === undefined) return { holds: allowMissing && (found === undefined || found === null), actual };
  const wanted = value === null ? "null" : String(value);
  return { holds: compare(operator, actual, wanted, compareAs === "integer" && path !== "$"), actual };
}

/** `$` is all of the body, also where it is no JSON: trimmed where it is compared by whole numbers. */
function valueAt({ compareAs = "json", path }: JsonAssertion, json: FoundJson, body: string): unknown {
  if (path !== "$" || compareAs === "json") return json?.value;
  if (compareAs === "integer") return body.trim();
  if (compareAs === "length") return Array.isArray(json?.value) ? json.value : body;
  return json === null ? body : json.value;
}

/** Large integers with every digit; a list or an object as JSON. */
function textOf(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Undefined for what no text stands for: null, and in comparisons of texts also lists and objects. */
function comparable(value: unknown, compareAs: "json" | "text" | "integer"): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object" && compareAs !== "integer") return undefined;
  return textOf(value);
}

/** Of a list its items, of an object its names, of a text its bytes, as UTF-8. */
function lengthOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === "object") return String(Object.keys(value).length);
  return String(Buffer.byteLength(textOf(value)));
}

function compare(
  operator: Exclude<JsonAssertion["operator"], "exists" | "missing">,
  actual: string,
  wanted: string,
  byWhole: boolean,
): boolean {
  if (operator === "eq" || operator === "ne") return isSame(actual, wanted, byWhole) === (operator === "eq");
  if (operator === "contains") return containsText(actual, wanted);
  if (operator === "matches" || operator === "not_matches")
    return fits(actual, wanted) === (operator === "matches");
  return compareNumbers(operator, numberOf(actual, byWhole), numberOf(wanted, byWhole));
}

const WHOLE = /^[+-]?\d{1,40}$/;

const isSame = (one: string, other: string, byWhole: boolean): boolean =>
  one === other || (byWhole && WHOLE.test(one) && WHOLE.test(other) && toBigInt(one) === toBigInt(other));

const toBigInt = (text: string): bigint => BigInt(text.replace(/^\+/, ""));

const NUMBER = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[Ee][+-]?\d{1,3})?$/;

/** NaN for a text that is no number, and no comparison holds. */
function numberOf(text: string, byWhole: boolean): number {
  if (!NUMBER.test(text)) return Number.NaN;
  return byWhole ? Math.trunc(Number(text)) : Number(text);
}

function compareNumbers(operator: "gt" | "gte" | "lt" | "lte", actual: number, limit: number): boolean {
  if (operator === "gt") return actual > limit;
  if (operator === "gte") return actual >= limit;
  return operator === "lt" ? actual < limit : actual <= limit;
}

/** Whether all of a text fits a pattern in which `*` stands for any characters, or none. */
export function fits(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let from = first.length;
  // The first place for each part leaves the most room for those after it.
  for (const part of rest) {
    const at = indexOfText(text, part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
