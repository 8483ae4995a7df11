import { expect, onTestFinished, test, vi } from "vitest";
import { writerOf } from "../../../src/platform/http/answer.ts";

test("answers of several shapes are written without a word about formats of ours", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const tagged = { type: "object", properties: { tag: { type: "string", format: "tag" } } };
  const write = writerOf({ anyOf: [tagged, { type: "null" }] });
  expect([write({ tag: "shop" }), write(null)]).toEqual(['{"tag":"shop"}', "null"]);
  expect(warn).not.toHaveBeenCalled();
});
