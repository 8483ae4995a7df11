import { describe, expect, test } from "vitest";
import { parseJsonPath } from "../../../src/checks/find-json.ts";
import { type Assertion, statusInSet } from "../../../src/checks/http/http-assertion-config.ts";
import {
  type AnswerDetails,
  evaluateAssertions as evaluate,
} from "../../../src/checks/http/http-assertions.ts";
import { readable } from "../../harness/reasons.ts";

const details = (more: Partial<AnswerDetails> = {}): AnswerDetails => ({
  statusCode: 200,
  header: (name) => ({ "content-type": "text/html", server: "x" })[name],
  body: "hello",
  bodyCut: false,
  totalUs: 100_000,
  ...more,
});

const evaluateAssertions = (...given: Parameters<typeof evaluate>) => readable(evaluate(...given));

const verdict = (assertion: Assertion, more?: Partial<AnswerDetails>) =>
  evaluateAssertions([assertion], details(more)).verdict;

const json = (
  path: string,
  operator: Extract<Assertion, { type: "json" }>["operator"],
  value?: string | number | boolean | null,
): Assertion =>
  value === undefined ? { type: "json", path, operator } : { type: "json", path, operator, value };

describe("assertions", () => {
  test.each([
    ["200-399", 200, true],
    ["200-399", 399, true],
    ["200-399", 400, false],
    ["200-299,401, 500-599", 401, true],
    ["200-299,401, 500-599", 599, true],
    ["200-299,401", 402, false],
    ["299-200", 250, false],
  ])("the set %s and the code %d", (set, code, inside) => {
    expect(statusInSet(code, set)).toBe(inside);
  });

  test("an assertion on the status replaces the usual expectation", () => {
    expect(verdict({ type: "status", codes: "503" }, { statusCode: 503 })).toBe("ok");
    expect(verdict({ type: "status", codes: "503" }, { statusCode: 200 })).toBe("failed");
    expect(evaluateAssertions([], details({ statusCode: 404 }))).toMatchObject({
      verdict: "failed",
      reasonCode: "status",
    });
  });

  const document = JSON.stringify({
    a: { b: [{ c: 5 }, "x"] },
    s: "text",
    n: null,
    t: true,
    "x y": 1,
    "": 2,
  });
  const evaluations: [Assertion, boolean][] = [
    [json("$.a.b[0].c", "eq", 5), true],
    [json("$.a.b[0].c", "eq", "5"), false],
    [json("$.a.b[0].c", "ne", 6), true],
    [json("$.a.b[0].c", "gt", 4), true],
    [json("$.a.b[0].c", "gt", 5), false],
    [json("$.a.b[0].c", "gte", 5), true],
    [json("$.a.b[0].c", "lt", "6"), true],
    [json("$.a.b[0].c", "lt", "many"), false],
    [json("$.a.b[0].c", "lte", 4), false],
    [json("$.a.b", "contains", "x"), true],
    [json("$.s", "contains", "ex"), true],
    [json("$.s", "gt", 1), false],
    [json("$.n", "exists"), true],
    [json("$.n", "eq", null), true],
    [json("$.missing", "exists"), false],
    [json("$.missing", "ne", 1), false],
    [{ ...json("$.missing", "ne", 1), allowMissing: true } as Assertion, true],
    [{ ...json("$.missing", "gt", 1), allowMissing: true } as Assertion, true],
    [{ ...json("$.s", "eq", "other"), allowMissing: true } as Assertion, false],
    [{ ...json("$.n", "ne", null), allowMissing: true } as Assertion, false],
    [json("$.missing", "eq", null), false],
    [json("$.a.b[2]", "exists"), false],
    [json("$.a.b.length", "exists"), false],
    [json("$.constructor", "exists"), false],
    [json("$['x y']", "eq", 1), true],
    [json('$["x y"]', "eq", 1), true],
    [json("$.t", "eq", true), true],
    [json("$", "exists"), true],
  ];
  test.each(evaluations)("%j holds: %s", (assertion, holds) => {
    expect(verdict(assertion, { body: document })).toBe(holds ? "ok" : "failed");
  });

  const LARGE = "9007199254740993";
  const large = `{"id": ${LARGE}, "ids": [1, -${LARGE}, 2], "text": "${LARGE}", "f": 0.${LARGE}, "e": ${LARGE}e2,
    "quote": "\\" ${LARGE}, \\\\", "more": ${LARGE}${LARGE}${LARGE}, "long": ${"9".repeat(500)}}`;
  test.each<[Assertion, boolean]>([
    [json("$.id", "eq", LARGE), true],
    [json("$.id", "eq", "9007199254740992"), false],
    [json("$.id", "ne", "9007199254740992"), true],
    [json("$.id", "eq", 9007199254740991), false],
    [json("$.id", "gt", "9007199254740992"), true],
    [json("$.id", "gt", LARGE), false],
    [json("$.id", "gte", LARGE), true],
    [json("$.id", "lt", "9007199254740994"), true],
    [json("$.id", "gt", 12), true],
    [json("$.ids", "contains", `-${LARGE}`), true],
    [json("$.ids", "contains", LARGE), false],
    [json("$.ids", "contains", 2), true],
    [json("$.ids[0]", "eq", 1), true],
    [json("$.text", "eq", LARGE), true],
    [json("$.text", "contains", "0993"), true],
    [json("$.text", "gt", 1), false],
    [json("$.f", "lt", 1), true],
    [json("$.e", "gt", 900719925474099300), false],
    [json("$.quote", "contains", `" ${LARGE}, `), true],
    [json("$.more", "eq", `${LARGE}${LARGE}${LARGE}`), true],
    [json("$.more", "eq", `${LARGE}${LARGE}${LARGE.slice(0, -1)}4`), false],
    [json("$.long", "gt", 1), true],
    [json("$.none", "eq", LARGE), false],
  ])("digits beyond those of a number count: %j holds: %s", (assertion, holds) => {
    expect(verdict(assertion, { body: large })).toBe(holds ? "ok" : "failed");
  });

  test("a large integer is quoted with all its digits, and is no JSON where it has leading zeros", () => {
    expect(evaluateAssertions([json("$.id", "eq", 1)], details({ body: large })).reason).toBe(
      `$.id is ${LARGE}; expected exactly 1.`,
    );
    const zeros = details({ body: `{"id": 00${LARGE}}` });
    expect(evaluateAssertions([json("$.id", "exists")], zeros).reason).toBe("The body is not valid JSON.");
  });

  test("header names are compared in any case, values exactly", () => {
    const header = { type: "header", name: "Content-Type" } as const;
    expect(verdict({ ...header, operator: "eq", value: "text/html" })).toBe("ok");
    expect(verdict({ ...header, operator: "contains", value: "html" })).toBe("ok");
    expect(verdict({ ...header, operator: "ne", value: "text/html" })).toBe("failed");
    expect(verdict({ ...header, operator: "exists" })).toBe("ok");
    expect(verdict({ type: "header", name: "x-none", operator: "exists" })).toBe("failed");
    expect(verdict({ type: "header", name: "x-none", operator: "ne", value: "1" })).toBe("failed");
    expect(verdict({ type: "header", name: "x-none", operator: "ne", value: "1", allowMissing: true })).toBe(
      "ok",
    );
  });

  test("slow is degraded, too slow is down, and a failure outweighs slowness", () => {
    const slow: Assertion = { type: "response_time", degradedAboveMs: 100, downAboveMs: 500 };
    expect(verdict(slow, { totalUs: 100_000 })).toBe("ok");
    expect(evaluateAssertions([slow], details({ totalUs: 100_001 }))).toMatchObject({
      verdict: "degraded",
      reasonCode: "slow",
    });
    expect(evaluateAssertions([slow], details({ totalUs: 600_000 }))).toEqual({
      verdict: "failed",
      reasonCode: "slow",
      reason: "The answer took 600 ms, more than the limit of 500 ms.",
    });
    const missing: Assertion = { type: "keyword", operator: "present", value: "bye" };
    expect(evaluateAssertions([slow, missing], details({ totalUs: 200_000 }))).toMatchObject({
      reasonCode: "assertion",
    });
  });

  test("a body too large for JSON says so", () => {
    expect(evaluateAssertions([json("$.a", "exists")], details({ bodyCut: true })).reason).toContain(
      "larger than one megabyte",
    );
  });
});

describe("JSON paths", () => {
  test("what is not of the subset is no path", () => {
    for (const path of [
      "",
      "a",
      "$.",
      "$..a",
      "$[*]",
      "$[-1]",
      "$[01]",
      "$[?(@.a)]",
      "$.a b",
      "$['a]",
      "$x",
    ]) {
      expect(parseJsonPath(path)).toBeNull();
    }
  });
});
