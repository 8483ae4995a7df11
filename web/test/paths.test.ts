import { expect, test } from "vitest";
import { safeReturnPath } from "../src/paths.ts";

test("after signing in, a path of this app is where to go", () => {
  expect(safeReturnPath("/domains?show=down")).toBe("/domains?show=down");
});

test.each([
  undefined,
  "",
  "domains",
  "//evil.example/",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example/",
])("%s leads to the start page, not to another site", (path) => {
  expect(safeReturnPath(path)).toBe("/");
});
