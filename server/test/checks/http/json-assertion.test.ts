import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";
import { evaluateAssertions, fits } from "../../../src/checks/http/http-assertions.ts";
import { readable } from "../../harness/reasons.ts";

type Json = Extract<Assertion, { type: "json" }>;

const evaluate = (assertion: Omit<Json, "type">, body: string, bodyCut = false) =>
  readable(
    evaluateAssertions([{ type: "json", ...assertion }], {
      ...{ statusCode: 200, header: () => undefined, totalUs: 1 },
      ...{ body, bodyCut },
    }),
  );
const holds = (...given: Parameters<typeof evaluate>) => evaluate(...given).verdict === "ok";

const DOCUMENT = JSON.stringify({
  n: 12,
  s: "12",
  v: "2.10",
  f: 5.5,
  t: true,
  z: null,
  a: [1, 2],
  o: { b: 1 },
  e: "",
});

describe("values compared as texts", () => {
  test.each<[string, Json["operator"], string | number, boolean]>([
    ["$.n", "eq", "12", true],
    ["$.s", "eq", "12", true],
    ["$.s", "eq", 12, true],
    ["$.n", "eq", "12.0", false],
    ["$.v", "eq", "2.1", false],
    ["$.v", "eq", "2.10", true],
    ["$.t", "eq", "true", true],
    ["$.n", "ne", "13", true],
    ["$.s", "ne", "12", false],
    ["$.z", "eq", "null", false],
    ["$.z", "ne", "x", false],
    ["$.gone", "ne", "x", false],
    ["$.a", "ne", "x", false],
    ["$.o", "eq", "x", false],
    ["$.s", "gt", 11, true],
    ["$.v", "lte", 2.1, true],
    ["$.t", "gt", 0, false],
    ["$.n", "contains", "1", true],
    ["$.v", "matches", "2.*", true],
    ["$.v", "not_matches", "2.*", false],
    ["$.gone", "not_matches", "2.*", false],
  ])("%s %s %s: %s", (path, operator, value, expected) => {
    expect(holds({ path, operator, value, compareAs: "text" }, DOCUMENT)).toBe(expected);
  });

  test("take the whole body for a text where it is no JSON", () => {
    const is = { path: "$", operator: "eq", compareAs: "text" } as const;
    expect(holds({ ...is, value: "OK" }, "OK")).toBe(true);
    expect(holds({ ...is, value: "OK" }, "OK\n")).toBe(false);
    expect(holds({ ...is, value: "OK" }, '"OK"')).toBe(true);
    expect(evaluate({ ...is, path: "$.a", value: "OK" }, "OK").reason).toBe("The body is not valid JSON.");
  });
});

describe("values compared as whole numbers", () => {
  test.each<[string, Json["operator"], string | number | boolean, boolean]>([
    ["$.n", "eq", 12, true],
    ["$.s", "eq", "12", true],
    ["$.s", "eq", "+12", true],
    ["$.f", "gt", 5, false],
    ["$.f", "eq", 5, false],
    ["$.o", "eq", '{"b":1}', true],
    ["$.f", "gte", 5, true],
    ["$.s", "lt", 13, true],
    ["$.t", "eq", "true", true],
    ["$.t", "eq", true, true],
    ["$.v", "eq", "2.1", false],
    ["$.gone", "ne", "x", false],
    ["$.gone", "eq", "x", false],
    ["$.gone", "lt", 5, false],
    ["$.e", "eq", "", true],
    ["$.a", "eq", "[1,2]", true],
    ["$.gone", "not_matches", "x*", false],
  ])("%s %s %s: %s", (path, operator, value, expected) => {
    expect(holds({ path, operator, value, compareAs: "integer" }, DOCUMENT)).toBe(expected);
  });

  test("hold of what is missing only where that is allowed", () => {
    const ne = { path: "$.gone", operator: "ne", value: "x", compareAs: "integer" } as const;
    for (const [body, holding] of [
      [DOCUMENT, true],
      ["<html>", true],
      ['{"gone": "x"}', false],
    ] as const)
      expect(holds({ ...ne, allowMissing: true }, body)).toBe(holding);
    expect(holds({ ...ne, operator: "eq", allowMissing: true }, DOCUMENT)).toBe(true);
  });

  test("have every digit of large integers", () => {
    const is = { path: "$.n", operator: "eq", compareAs: "integer" } as const;
    expect(holds({ ...is, value: "9007199254740993" }, '{"n": 9007199254740993}')).toBe(true);
    expect(holds({ ...is, value: "9007199254740992" }, '{"n": 9007199254740993}')).toBe(false);
    expect(holds({ ...is, compareAs: "text", value: "9007199254740993" }, '{"n": 9007199254740993}')).toBe(
      true,
    );
  });

  test("take the whole body as it is, trimmed", () => {
    const body = { path: "$", compareAs: "integer" } as const;
    expect(holds({ ...body, operator: "eq", value: "OK" }, " OK\n")).toBe(true);
    expect(holds({ ...body, operator: "eq", value: "OK" }, '"OK"')).toBe(false);
    expect(holds({ ...body, operator: "matches", value: "OK*" }, "OK: 5 s")).toBe(true);
    expect(holds({ ...body, operator: "matches", value: "OK*" }, "not OK")).toBe(false);
    expect(holds({ ...body, operator: "eq", value: "" }, "\n")).toBe(true);
    expect(holds({ ...body, operator: "eq", value: "+12" }, "12\n")).toBe(true);
    expect(holds({ ...body, operator: "gt", value: 5 }, "5.5")).toBe(false);
  });
});

describe("lengths", () => {
  test.each<[string, Json["operator"], number, boolean]>([
    ["$.a", "eq", 2, true],
    ["$.o", "gt", 0, true],
    ["$.v", "lt", 4, false],
    ["$.e", "eq", 0, true],
    ["$.gone", "gte", 0, false],
    ["$", "gt", 10, true],
  ])("%s %s %s: %s", (path, operator, value, expected) => {
    expect(holds({ path, operator, value, compareAs: "length" }, DOCUMENT)).toBe(expected);
  });

  test("are of the items of a body that is a list, and else of its bytes", () => {
    const length = { path: "$", operator: "eq", compareAs: "length" } as const;
    expect(holds({ ...length, value: 2 }, "[1, [2, 3]]")).toBe(true);
    expect(holds({ ...length, value: 3 }, "€")).toBe(true);
    expect(evaluate({ ...length, value: 5 }, "[1]").reason).toBe("$ has the length 1; expected exactly 5.");
  });
});

describe("large integers", () => {
  const BODY = '{"n": 9007199254740993, "s": "9007199254740993"}';
  test.each<[string, Json["operator"], string, boolean]>([
    ["$.n", "gt", "9007199254740992", true],
    ["$.n", "gt", "9007199254740993", false],
    ["$.n", "gte", "9007199254740993", true],
    ["$.n", "lt", "9007199254740994", true],
    ["$.n", "lte", "9007199254740992", false],
  ])("%s %s %s: %s, however they are compared", (path, operator, value, expected) => {
    expect(holds({ path, operator, value }, BODY)).toBe(expected);
    for (const compareAs of ["text", "integer"] as const)
      for (const at of [path, "$.s"])
        expect(holds({ path: at, operator, value, compareAs }, BODY)).toBe(expected);
  });

  test("of texts are no numbers to those who compare by type", () => {
    expect(holds({ path: "$.s", operator: "gt", value: "1" }, BODY)).toBe(false);
  });
});

describe("null", () => {
  test("is a value where types or texts are compared, and nothing where whole numbers or lengths are", () => {
    const ne = { path: "$.z", operator: "ne", value: "x", allowMissing: true } as const;
    expect(holds(ne, DOCUMENT)).toBe(true);
    expect(holds({ ...ne, operator: "eq" }, DOCUMENT)).toBe(false);
    expect(holds({ ...ne, compareAs: "text" }, DOCUMENT)).toBe(false);
    expect(holds({ ...ne, compareAs: "integer" }, DOCUMENT)).toBe(true);
    expect(holds({ ...ne, operator: "gt", value: 1, compareAs: "length" }, DOCUMENT)).toBe(true);
  });
});

describe("what must not be there", () => {
  test("is missing where the path leads nowhere", () => {
    expect(holds({ path: "$.gone", operator: "missing" }, DOCUMENT)).toBe(true);
    expect(evaluate({ path: "$.z", operator: "missing" }, DOCUMENT).reason).toBe(
      "There is something at $.z, where nothing must be.",
    );
    expect(holds({ path: "$.gone", operator: "missing" }, "<html>")).toBe(false);
    expect(holds({ path: "$.gone", operator: "missing", compareAs: "integer" }, "<html>")).toBe(true);
  });

  test("is there as null, unless null is as if there were nothing", () => {
    for (const [compareAs, isThere] of [
      ["json", true],
      ["text", true],
      ["integer", false],
    ] as const) {
      expect(holds({ path: "$.e", operator: "exists", compareAs }, '{"e": null}')).toBe(isThere);
      expect(holds({ path: "$.e", operator: "missing", compareAs }, '{"e": null}')).toBe(!isThere);
    }
  });

  test("is not evaluated of a body that was cut", () => {
    expect(evaluate({ path: "$", operator: "ne", value: "x", compareAs: "integer" }, "y", true).verdict).toBe(
      "failed",
    );
  });
});

describe("a pattern", () => {
  test("fits what a regular expression of it fits", () => {
    const piece = fc.stringMatching(/^[ab*]{0,8}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab]{0,12}$/), piece, (text, pattern) => {
        expect(fits(text, pattern)).toBe(new RegExp(`^${pattern.replaceAll("*", "[^]*")}$`).test(text));
      }),
      { numRuns: 2000 },
    );
  });
});
