import type { Assertion, HeaderAssertion, JsonAssertion } from "./assertion-config.ts";
import type { ReasonCode, Verdict } from "./check.ts";
import { containsText } from "./contains-text.ts";
import { readJsonPath } from "./json-path.ts";
import { quoted } from "./reasons.ts";
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
  reasonCode: ReasonCode | null;
  reason: string | null;
}

const FINE: Judgement = { verdict: "ok", reasonCode: null, reason: null };

const failed = (reason: string, reasonCode: ReasonCode = "assertion"): Judgement => ({
  verdict: "failed",
  reasonCode,
  reason,
});

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
  return failed(`The server answered ${code}; expected ${codes}.`, "status");
}

function judgeKeyword(value: string, operator: "present" | "absent", facts: AnswerFacts): Judgement {
  const found = containsText(facts.body ?? "", value);
  if (found === (operator === "present")) return FINE;
  if (found) return failed(`The body contains ${quoted(value)}, which it must not.`);
  const where = facts.bodyCut ? "The first megabyte of the body" : "The body";
  return failed(`${where} does not contain ${quoted(value)}.`);
}

function judgeJson(assertion: JsonAssertion, facts: AnswerFacts): Judgement {
  if (facts.bodyCut) return failed("The body is larger than one megabyte, too large to be read as JSON.");
  const document = documentOf(facts);
  if (document === undefined) return failed("The body is not valid JSON.");
  const { path, operator, value = null } = assertion;
  const actual = readJsonPath(document, path);
  if (actual === undefined) {
    return operator === "ne" ? FINE : failed(`The JSON body has nothing at ${path}.`);
  }
  if (operator === "exists" || compare(operator, actual, value)) return FINE;
  return failed(`${path} is ${shown(actual)}; expected ${WORDS[operator]} ${shown(value)}.`);
}

/** Read once, however many assertions ask about it. */
const documents = new WeakMap<AnswerFacts, unknown>();

/** The body as JSON; undefined if it is not JSON. */
function documentOf(facts: AnswerFacts): unknown {
  if (!documents.has(facts)) {
    let document: unknown;
    try {
      document = JSON.parse(facts.body ?? "");
    } catch {
      // Stays undefined, which no JSON value is.
    }
    documents.set(facts, document);
  }
  return documents.get(facts);
}

type Comparison = Exclude<JsonAssertion["operator"], "exists">;

const WORDS: Record<Comparison, string> = {
  eq: "exactly",
  ne: "anything but",
  gt: "more than",
  gte: "at least",
  lt: "less than",
  lte: "at most",
  contains: "something containing",
};

function compare(operator: Comparison, actual: unknown, value: string | number | boolean | null): boolean {
  if (operator === "eq") return actual === value;
  if (operator === "ne") return actual !== value;
  if (operator === "contains") {
    return Array.isArray(actual)
      ? actual.includes(value)
      : typeof actual === "string" && containsText(actual, String(value));
  }
  if (typeof actual !== "number" || value === null || value === "" || !Number.isFinite(Number(value)))
    return false;
  const limit = Number(value);
  if (operator === "gt") return actual > limit;
  if (operator === "gte") return actual >= limit;
  return operator === "lt" ? actual < limit : actual <= limit;
}

function judgeHeader(assertion: HeaderAssertion, facts: AnswerFacts): Judgement {
  const { name, operator, value = "" } = assertion;
  const actual = facts.header(name.toLowerCase());
  if (actual === undefined) {
    return operator === "ne" ? FINE : failed(`The answer has no header ${name}.`);
  }
  const holds =
    operator === "exists" ||
    (operator === "contains" ? containsText(actual, value) : (actual === value) === (operator === "eq"));
  if (holds) return FINE;
  return failed(`The header ${name} is ${quoted(actual)}; expected ${WORDS[operator]} ${quoted(value)}.`);
}

function judgeTime(
  degradedAboveMs: number | undefined,
  downAboveMs: number | undefined,
  totalUs: number,
): Judgement {
  const tookMs = totalUs / 1000;
  const sentence = (limitMs: number) =>
    `The answer took ${Math.round(tookMs)} ms, more than the limit of ${limitMs} ms.`;
  if (downAboveMs !== undefined && tookMs > downAboveMs) return failed(sentence(downAboveMs), "slow");
  if (degradedAboveMs !== undefined && tookMs > degradedAboveMs) {
    return { verdict: "degraded", reasonCode: "slow", reason: sentence(degradedAboveMs) };
  }
  return FINE;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? quoted(value) : String(value);
}
