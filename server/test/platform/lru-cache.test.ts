import { expect, test } from "vitest";
import { keepRecent } from "../../src/platform/lru-cache.ts";

test("what was least recently used makes room, and comes back as something new", () => {
  const recent = keepRecent<string, number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  expect(recent.get("a")).toBe(1);
  recent.set("c", 3);
  expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([1, undefined, 3]);
  recent.set("a", 4);
  expect([recent.get("a"), recent.get("c")]).toEqual([4, 3]);
});
