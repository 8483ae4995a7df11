import { excerpt, fact } from "../texts/fact.ts";
import type { Assertion, HeaderAssertion, JsonAssertion } from "./assertion-config.ts";
import { containsText } from "./contains-text.ts";
import { evaluateJson } from "./json-assertion.ts";
import type { Verdict } from "./outcome.ts";
import type { Reason } from "./reasons.ts";
import { DEFAULT_STATUS_SET, statusInSet } from "./status-set.ts";

/** What an answer was like, as far as assertions ask. */
export interface AnswerFacts {
  statusCode: number;
  /** A header's value by its name in lower case; several of a name joined by a comma. */
  header(name: string): string | undefined;
  /** The body as text, null when it was not read. */
  body: string | null;
  /** Whether the body was longer than what was read of it. */
  bodyCut: boolean;
  totalUs: number;
}

export interface Judgement {
  verdict: Verdict;
  reason: Reason | null;
}

const FINE: Judgement = { verdict: "ok", reason: null };

const failed = (reason: Reason): Judgement => ({ verdict: "failed", reason });

/** Whether the body must be read to judge. */
export const needsBody = (assertion: Assertion) => assertion.type === "keyword" || assertion.type === "json";

/**
 * Judges an answer: the first assertion that does not hold says why; without one on the status code
 * 200–399 is expected. A limit passed on the way to `degraded` counts only when nothing failed. Pure.
 */
export function evaluateAssertions(assertions: readonly Assertion[], facts: AnswerFacts): Judgement {
  let degraded = FINE;
  if (!assertions.some((assertion) => assertion.type === "status")) {
    const judged = judgeStatus(DEFAULT_STATUS_SET, facts.statusCode);
    if (judged !== FINE) return judged;
  }
  for (const assertion of assertions) {
    const judged = judge(assertion, facts);
    if (judged.verdict === "failed") return judged;
    if (judged.verdict === "degraded") degraded = judged;
  }
  return degraded;
}

function judge(assertion: Assertion, facts: AnswerFacts): Judgement {
  switch (assertion.type) {
    case "status":
      return judgeStatus(assertion.codes, facts.statusCode);
    case "keyword":
      return judgeKeyword(assertion.value, assertion.operator, facts);
    case "json":
      return judgeJson(assertion, facts);
    case "header":
      return judgeHeader(assertion, facts);
    case "response_time":
      return judgeTime(assertion.degradedAboveMs, assertion.downAboveMs, facts.totalUs);
  }
}

function judgeStatus(codes: string, code: number): Judgement {
  if (statusInSet(code, codes)) return FINE;
  return failed(fact("status", { status: code, expected: codes }));
}

function judgeKeyword(value: string, operator: "present" | "absent", facts: AnswerFacts): Judgement {
  const found = containsText(facts.body ?? "", value);
  if (found === (operator === "present")) return FINE;
  const text = { text: excerpt(value) };
  if (found) return failed(fact("assertion.forbidden", text));
  return failed(fact(facts.bodyCut ? "assertion.missing_start" : "assertion.missing", text));
}

function judgeJson(assertion: JsonAssertion, facts: AnswerFacts): Judgement {
  if (facts.bodyCut) return failed(fact("assertion.json_size"));
  const { path, operator, value = null, compareAs = "json" } = assertion;
  const { holds, actual, isJson } = evaluateJson(assertion, facts.body ?? "");
  if (holds) return FINE;
  if (operator === "missing" && isJson) return failed(fact("assertion.present", { path }));
  if (!isJson && (compareAs === "json" || actual === undefined)) return failed(fact("assertion.not_json"));
  if (actual === undefined || operator === "exists" || operator === "missing")
    return failed(fact("assertion.no_value", { path }));
  const expectation = { path, operator, expected: shown(value) };
  if (Array.isArray(actual)) return failed(fact("assertion.array", expectation));
  if (typeof actual === "object" && actual !== null) return failed(fact("assertion.object", expectation));
  const code = compareAs === "length" ? "assertion.length" : "assertion.value";
  return failed(fact(code, { ...expectation, actual: shown(actual) }));
}

function judgeHeader(assertion: HeaderAssertion, facts: AnswerFacts): Judgement {
  const { name, operator, value = "", allowMissing = false } = assertion;
  const actual = facts.header(name.toLowerCase());
  if (actual === undefined) return allowMissing ? FINE : failed(fact("assertion.no_header", { name }));
  const holds =
    operator === "exists" ||
    (operator === "contains" ? containsText(actual, value) : (actual === value) === (operator === "eq"));
  if (holds) return FINE;
  const expectation = { operator, expected: shown(value) };
  return failed(fact("assertion.header", { name, actual: shown(actual), ...expectation }));
}

function judgeTime(
  degradedAboveMs: number | undefined,
  downAboveMs: number | undefined,
  totalUs: number,
): Judgement {
  const tookMs = totalUs / 1000;
  const tooSlow = (limit: number) => fact("slow", { took: Math.round(tookMs), limit });
  if (downAboveMs !== undefined && tookMs > downAboveMs) return failed(tooSlow(downAboveMs));
  if (degradedAboveMs !== undefined && tookMs > degradedAboveMs)
    return { verdict: "degraded", reason: tooSlow(degradedAboveMs) };
  return FINE;
}

/** A value as it is written in JSON, or the beginning of its text in quotes. */
const shown = (value: unknown): string => (typeof value === "string" ? `"${excerpt(value)}"` : String(value));
