import { expect, test } from "vitest";
import { pathOf } from "../src/settings/profile/TwoFactorRow.tsx";

const rowOf = (text: string) => [...text].map((module) => module === "#");

test.each([
  ["nothing where nothing is dark", ["...", "..."], ""],
  ["a run at either edge", ["##.", ".##"], "M0 0h2v1h-2zM1 1h2v1h-2z"],
  ["several runs of a row", ["#.##"], "M0 0h1v1h-1zM2 0h2v1h-2z"],
])("a code is drawn as %s", (_case, rows, path) => {
  expect(pathOf(rows.map(rowOf))).toBe(path);
});
