import type { Assertion, JsonAssertion } from "../check/assertion-config.ts";
import type { HttpConfig } from "../check/http-config.ts";
import { statusInSet } from "../check/status-set.ts";
import { fact, type ParamsOf } from "../texts/fact.ts";
import type { Report } from "./config-change.ts";

/** Why no response can meet a condition. */
type Never = ParamsOf<"expectation.never">["never"];

const CODES = Array.from({ length: 500 }, (_, at) => at + 100);

/**
 * Reports what the schema of assertions cannot say: a value that is missing or is none to compare with, and conditions that no
 * response can meet, which would be an outage for good.
 */
export function reportAssertions(
  { assertions = [], method = "GET" }: Pick<HttpConfig, "assertions" | "method">,
  report: Report,
): void {
  assertions.forEach((assertion, at) => {
    const field = `assertions.${at}`;
    if (reportValue(assertion, field, report)) return;
    const never = neverAlone(assertion, method) ?? neverWith(assertion, assertions.slice(0, at));
    if (never !== null) report(field, fact("expectation.never", { never }));
  });
}

/** Whether something is wrong with what is compared with. */
function reportValue(assertion: Assertion, field: string, report: Report): boolean {
  if (assertion.type === "response_time") {
    const { degradedAboveMs, downAboveMs } = assertion;
    if (degradedAboveMs !== undefined || downAboveMs !== undefined) return false;
    report(field, fact("expectation.limit"));
    return true;
  }
  if (assertion.type !== "json" && assertion.type !== "header") return false;
  const { operator, value } = assertion;
  if (operator === "exists" || operator === "missing") return false;
  if (value === undefined) report(`${field}.value`, fact("expectation.value", { comparison: operator }));
  else if (/^[gl]te?$/.test(operator) && typeof value !== "number" && !isLargeInteger(value))
    report(`${field}.value`, fact("expectation.number", { comparison: operator }));
  else return false;
  return true;
}

/** An integer that JSON writes as a text, so that every digit of it counts. */
const isLargeInteger = (value: unknown): boolean =>
  typeof value === "string" && /^-?\d{16,400}$/.test(value) && !Number.isSafeInteger(Number(value));

function neverAlone(assertion: Assertion, method: string): Never | null {
  if (assertion.type === "status")
    return CODES.some((code) => statusInSet(code, assertion.codes)) ? null : "codes";
  if (assertion.type === "keyword")
    return method === "HEAD" && assertion.operator === "present" ? "body" : null;
  if (assertion.type === "header") {
    const { operator, value = "", allowMissing = false } = assertion;
    return operator === "eq" && value !== value.trim() && !allowMissing ? "space" : null;
  }
  return assertion.type === "json" ? neverJson(assertion, method) : null;
}

function neverJson(
  { path, operator, value, compareAs = "json", allowMissing = false }: JsonAssertion,
  method: string,
): Never | null {
  if (method === "HEAD" && compareAs === "json") return "body";
  if (path === "$" && operator === "missing") return "root";
  if (operator === "exists" || operator === "missing") return null;
  // The body itself is always there; whatever else is compared may be missing.
  if (allowMissing && path !== "$") return null;
  if (compareAs === "length") return canBeLength(operator, value) ? null : "length";
  const isTrimmed = compareAs === "integer" && path === "$" && operator === "eq";
  return isTrimmed && typeof value === "string" && value !== value.trim() ? "space" : null;
}

/** Whether there is a length that fits: they are compared as JSON writes numbers. */
function canBeLength(operator: JsonAssertion["operator"], value: JsonAssertion["value"]): boolean {
  if (operator === "eq") return /^(?:0|[1-9]\d*)$/.test(String(value));
  if (operator === "lt") return Number(value) > 0;
  return operator !== "lte" || Number(value) >= 0;
}

/** Of conditions that exclude each other the later one is reported. */
function neverWith(assertion: Assertion, before: readonly Assertion[]): Never | null {
  if (assertion.type === "status") {
    const sets = [...before, assertion].flatMap((one) => (one.type === "status" ? [one.codes] : []));
    return CODES.some((code) => sets.every((set) => statusInSet(code, set))) ? null : "codes";
  }
  if (assertion.type === "keyword") {
    const { operator, value } = assertion;
    const isExcluded = before.some((one) => {
      if (one.type !== "keyword" || one.operator === operator) return false;
      const [present, absent] = operator === "present" ? [value, one.value] : [one.value, value];
      return present.includes(absent);
    });
    return isExcluded ? "absent" : null;
  }
  if (assertion.type !== "json" || !["exists", "missing"].includes(assertion.operator)) return null;
  const opposite = assertion.operator === "exists" ? "missing" : "exists";
  const isOpposed = before.some(
    (one) => one.type === "json" && one.path === assertion.path && one.operator === opposite,
  );
  return isOpposed ? "absent" : null;
}
