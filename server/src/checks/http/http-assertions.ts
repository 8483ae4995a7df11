import { excerpt, msg } from "../../platform/i18n/message.ts";
import { createThread, ThreadEnded } from "../../platform/worker-pool.ts";
import { bodyText, containsText, indexOfText } from "../contains-text.ts";
import { exactNumber, type FoundJson, findJson, type JsonValue, parseJsonPath } from "../find-json.ts";
import type { Verdict } from "../outcome.ts";
import type { Reason } from "../reasons.ts";
import {
  type Assertion,
  DEFAULT_STATUS_SET,
  type HeaderAssertion,
  type JsonAssertion,
  statusInSet,
} from "./http-assertion-config.ts";

export interface AnswerDetails {
  statusCode: number;
  /** A header's value by its name in lower case; several of a name joined by a comma. */
  header(name: string): string | undefined;
  /** The body as text, null when it was not read. */
  body: string | null;
  /** Whether the body was longer than what was read of it. */
  bodyCut: boolean;
  totalUs: number;
}

export interface Evaluation {
  verdict: Verdict;
  reason: Reason | null;
}

const FINE: Evaluation = { verdict: "ok", reason: null };

const failed = (reason: Reason): Evaluation => ({ verdict: "failed", reason });

export const needsBody = (assertion: Assertion) => assertion.type === "keyword" || assertion.type === "json";

/**
 * The first assertion that fails says why; 200–399 is expected without one on the status code. A limit on the
 * way to `degraded` counts only when nothing failed. Pure.
 */
export function evaluateAssertions(assertions: readonly Assertion[], details: AnswerDetails): Evaluation {
  let degraded = FINE;
  if (!assertions.some((assertion) => assertion.type === "status")) {
    const evaluation = evaluateStatus(DEFAULT_STATUS_SET, details.statusCode);
    if (evaluation !== FINE) return evaluation;
  }
  for (const assertion of assertions) {
    const evaluation = evaluate(assertion, details);
    if (evaluation.verdict === "failed") return evaluation;
    if (evaluation.verdict === "degraded") degraded = evaluation;
  }
  return degraded;
}

function evaluate(assertion: Assertion, details: AnswerDetails): Evaluation {
  switch (assertion.type) {
    case "status":
      return evaluateStatus(assertion.codes, details.statusCode);
    case "keyword":
      return evaluateKeyword(assertion.value, assertion.operator, details);
    case "json":
      return evaluateJsonAssertion(assertion, details);
    case "header":
      return evaluateHeader(assertion, details);
    case "response_time":
      return evaluateTime(assertion.degradedAboveMs, assertion.downAboveMs, details.totalUs);
  }
}

function evaluateStatus(codes: string, code: number): Evaluation {
  if (statusInSet(code, codes)) return FINE;
  return failed(msg("status", { status: code, expected: codes }));
}

function evaluateKeyword(value: string, operator: "present" | "absent", details: AnswerDetails): Evaluation {
  const found = containsText(details.body ?? "", value);
  if (found === (operator === "present")) return FINE;
  const text = { text: excerpt(value) };
  if (found) return failed(msg("assertion.forbidden", text));
  return failed(msg(details.bodyCut ? "assertion.missing_start" : "assertion.missing", text));
}

function evaluateJsonAssertion(assertion: JsonAssertion, details: AnswerDetails): Evaluation {
  if (details.bodyCut) return failed(msg("assertion.json_size"));
  const { path, operator, value = null, compareAs = "json" } = assertion;
  const { holds, actual, isJson } = evaluateJson(assertion, details.body ?? "");
  if (holds) return FINE;
  if (operator === "missing" && isJson) return failed(msg("assertion.present", { path }));
  if (!isJson && (compareAs === "json" || actual === undefined)) return failed(msg("assertion.not_json"));
  if (actual === undefined || operator === "exists" || operator === "missing")
    return failed(msg("assertion.no_value", { path }));
  const expectation = { path, operator, expected: shown(value) };
  if (Array.isArray(actual)) return failed(msg("assertion.array", expectation));
  if (typeof actual === "object" && actual !== null) return failed(msg("assertion.object", expectation));
  const code = compareAs === "length" ? "assertion.length" : "assertion.value";
  return failed(msg(code, { ...expectation, actual: shown(actual) }));
}

function evaluateHeader(assertion: HeaderAssertion, details: AnswerDetails): Evaluation {
  const { name, operator, value = "", allowMissing = false } = assertion;
  const actual = details.header(name.toLowerCase());
  if (actual === undefined) return allowMissing ? FINE : failed(msg("assertion.no_header", { name }));
  const holds =
    operator === "exists" ||
    (operator === "contains" ? containsText(actual, value) : (actual === value) === (operator === "eq"));
  if (holds) return FINE;
  const expectation = { operator, expected: shown(value) };
  return failed(msg("assertion.header", { name, actual: shown(actual), ...expectation }));
}

function evaluateTime(
  degradedAboveMs: number | undefined,
  downAboveMs: number | undefined,
  totalUs: number,
): Evaluation {
  const tookMs = totalUs / 1000;
  const tooSlow = (limit: number) => msg("slow", { took: Math.round(tookMs), limit });
  if (downAboveMs !== undefined && tookMs > downAboveMs) return failed(tooSlow(downAboveMs));
  if (degradedAboveMs !== undefined && tookMs > degradedAboveMs)
    return { verdict: "degraded", reason: tooSlow(degradedAboveMs) };
  return FINE;
}

/** A value as it is written in JSON, or the beginning of its text in quotes. */
const shown = (value: unknown): string => (typeof value === "string" ? `"${excerpt(value)}"` : String(value));

interface JsonFinding {
  holds: boolean;
  /** The value as it was compared; undefined: there is none. */
  actual: JsonValue;
  /** Whether the body is JSON, where that had to be known. */
  isJson: boolean;
}

type CompareAs = NonNullable<JsonAssertion["compareAs"]>;
type Expected = NonNullable<JsonAssertion["value"]> | null;

/** On a value at a path by its type, or as text. Takes time linear in body and pattern, whatever is in them. */
function evaluateJson(assertion: JsonAssertion, body: string): JsonFinding {
  const { compareAs = "json", operator, path, value = null, allowMissing = false } = assertion;
  const isListed = compareAs === "json" ? operator === "contains" : compareAs === "length";
  const json = findJson(body, parseJsonPath(path) ?? [], { isListed, isWritten: compareAs === "integer" });
  const isJson = json !== null;
  if (!isJson && compareAs === "json") return { holds: false, actual: undefined, isJson };
  const found = valueAt(compareAs, path, json, body);
  const isNothing = found === undefined || (found === null && compareAs === "integer");
  if (operator === "missing") return { holds: isNothing, actual: found, isJson };
  const actual = operandOf(found, compareAs, json);
  if (operator === "exists") return { holds: !isNothing, actual, isJson };
  if (actual === undefined) {
    // Null is a value to those who compare by type or by text; to the others it is as if there were nothing.
    const isMissing = found === undefined || (found === null && compareAs !== "text");
    return { holds: allowMissing && isMissing, actual, isJson };
  }
  return { holds: compare(operator, actual, value, compareAs), actual, isJson };
}

/** `$` is all of the body, also where it is no JSON: trimmed where whole numbers are compared. */
function valueAt(compareAs: CompareAs, path: string, json: FoundJson, body: string): JsonValue {
  if (path !== "$" || compareAs === "json") return json?.value;
  if (compareAs === "integer") return body.trim();
  if (compareAs === "length") return Array.isArray(json?.value) ? json.value : body;
  return json === null ? body : json.value;
}

/** What is compared of a value; undefined: nothing can be. */
function operandOf(found: JsonValue, compareAs: CompareAs, json: FoundJson): JsonValue {
  if (compareAs === "json" || found === undefined) return found;
  if (found === null) return undefined;
  if (compareAs === "length") return lengthOf(found, json);
  if (typeof found !== "object") return String(found);
  return compareAs === "integer" ? json?.written : undefined;
}

/** Of a list its items, of an object its names, of a text its bytes, as UTF-8. */
function lengthOf(found: JsonValue, json: FoundJson): number {
  if (Array.isArray(found)) return found.length;
  return typeof found === "object" ? (json?.names ?? 0) : Buffer.byteLength(String(found));
}

/** Every comparison there is; those of texts know values by their texts. */
function compare(
  operator: Exclude<JsonAssertion["operator"], "exists" | "missing">,
  actual: JsonValue,
  expected: Expected,
  compareAs: CompareAs,
): boolean {
  if (operator === "eq" || operator === "ne")
    return isSame(actual, expected, compareAs) === (operator === "eq");
  if (operator === "contains") return contains(actual, expected, compareAs);
  if (operator === "matches" || operator === "not_matches") {
    if (typeof actual === "object") return false;
    return fits(String(actual), String(expected)) === (operator === "matches");
  }
  const [number, limit] = [numberOf(actual, compareAs), numberOf(expected, "text")];
  if (Number.isNaN(number) || Number.isNaN(limit)) return false;
  const [one, other] = compareAs === "integer" ? [whole(number), whole(limit)] : [number, limit];
  if (operator === "gt") return one > other;
  if (operator === "gte") return one >= other;
  return operator === "lt" ? one < other : one <= other;
}

function contains(actual: unknown, expected: Expected, compareAs: CompareAs): boolean {
  if (Array.isArray(actual)) return actual.some((one) => isSame(one, expected, compareAs));
  return typeof actual === "string" && containsText(actual, String(expected));
}

const WHOLE = /^[+-]?\d{1,40}$/;
const toBigInt = (text: string): bigint => BigInt(text.replace(/^\+/, ""));

/** By type, a large integer equals a text of its digits too: JSON has no other way to write it without loss. */
function isSame(actual: unknown, expected: Expected, compareAs: CompareAs): boolean {
  if (compareAs === "json") {
    if (typeof actual !== "bigint") return actual === expected;
    const limit = exactNumber(expected);
    return typeof limit === "bigint" ? actual === limit : Number.isInteger(limit) && actual === BigInt(limit);
  }
  const [one, other] = [String(actual), String(expected)];
  if (one === other) return true;
  return compareAs === "integer" && WHOLE.test(one) && WHOLE.test(other) && toBigInt(one) === toBigInt(other);
}

const NUMBER = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[Ee][+-]?\d{1,3})?$/;

/** With every digit; NaN for what is no number: numbers in texts are some only where texts are compared. */
function numberOf(value: unknown, compareAs: CompareAs): number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (compareAs === "json" || typeof value !== "string" || !NUMBER.test(value)) return Number.NaN;
  return exactNumber(value.replace(/^\+/, ""));
}

const whole = (number: number | bigint): number | bigint =>
  typeof number === "bigint" ? number : Math.trunc(number);

/** `*` matches any characters, or none. */
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

/** An answer as far as assertions need it, in a form that can be handed to a thread. */
export interface EvaluationRequest {
  assertions: readonly Assertion[];
  statusCode: number;
  /** Those that assertions need, by their names in lower case. */
  headers: ReadonlyMap<string, string | undefined>;
  contentType: string | undefined;
  body: Uint8Array;
  bodyCut: boolean;
  totalUs: number;
}

/** Reading so much takes less than a millisecond, whatever is in it. */
export const AT_ONCE_BYTES = 16 * 1024;
/** Who took longer than this last time waits in a line of their own. */
const SLOW_MS = 5;
const IDLE_MS = 30_000;
const STUCK_MS = 30_000;
const HEAP_MB = 128;
const YOUNG_MB = 16;

/** Started by the first large body that this thread of the server is to evaluate. */
const thread = createThread<EvaluationRequest>({
  entry: new URL("./body-thread.ts", import.meta.url),
  name: "vedette-assertions",
  workerData: null,
  limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  idleMs: IDLE_MS,
  stuckMs: STUCK_MS,
});

/** What is being evaluated, one at a time, and who waits: those that were quick last time do not wait for all the others. */
const lines = { isBusy: false, isSlowTurn: false, quick: [] as (() => void)[], slow: [] as (() => void)[] };
const tookMs = new WeakMap<object, number>();

/**
 * In a thread, so that a large page does not delay other checks. `owner`: on whose behalf, the same object
 * each time. Never throws for what is in the body.
 */
export async function evaluateLargeBody(owner: object, request: EvaluationRequest): Promise<Evaluation> {
  await enterLine((tookMs.get(owner) ?? 0) > SLOW_MS);
  const begun = performance.now();
  try {
    return (await thread.run(request)) as Evaluation;
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return evaluateBody(request);
  } finally {
    tookMs.set(owner, performance.now() - begun);
    leaveLine();
  }
}

export function evaluateBody({
  assertions,
  headers,
  contentType,
  body,
  ...details
}: EvaluationRequest): Evaluation {
  const text = bodyText(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType);
  const answer: AnswerDetails = { ...details, header: (name) => headers.get(name), body: text };
  return evaluateAssertions(assertions, answer);
}

function enterLine(isSlow: boolean): Promise<void> | undefined {
  if (!lines.isBusy) {
    lines.isBusy = true;
    return undefined;
  }
  return new Promise((resolve) => lines[isSlow ? "slow" : "quick"].push(resolve));
}

function leaveLine(): void {
  const { quick, slow } = lines;
  const isSlow = slow.length > 0 && (lines.isSlowTurn || quick.length === 0);
  lines.isSlowTurn = !isSlow;
  const next = isSlow ? slow.shift() : quick.shift();
  if (next) next();
  else lines.isBusy = false;
}
