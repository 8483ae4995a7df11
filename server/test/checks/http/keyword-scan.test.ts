import fc from "fast-check";
import { expect, test } from "vitest";
import { keywordScan } from "../../../src/checks/http/http.ts";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";

const keyword = (value: string, operator: "present" | "absent" = "present"): Assertion => ({
  type: "keyword",
  operator,
  value,
});

test("keywords are seen however the body is cut up, and only when all of them are there", () => {
  const bytes = Buffer.from("hay needle hay pin hay");
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 }), (places) => {
      const scan = keywordScan([keyword("needle"), keyword("pin"), keyword("hay n")], 0);
      const at = [0, ...places.toSorted((a, b) => a - b), bytes.length];
      let enough = false;
      let seen = 0;
      for (let index = 1; index < at.length && !enough; index++) {
        enough = scan?.(bytes.subarray(at[index - 1], at[index])) ?? false;
        seen = at[index] ?? 0;
      }
      expect(enough).toBe(true);
      expect(seen).toBeGreaterThanOrEqual("hay needle hay pin".length);
    }),
  );
});

test("the whole body is needed for JSON, for what must be absent, and for letters beyond ASCII", () => {
  expect(keywordScan([keyword("a", "absent")], 0)).toBeNull();
  expect(keywordScan([keyword("é")], 0)).toBeNull();
  expect(keywordScan([keyword("a"), { type: "json", path: "$", operator: "exists" }], 0)).toBeNull();
});
