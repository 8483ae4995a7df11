import { expect, test } from "vitest";
import { slugProblem } from "../../../src/platform/formats/name.ts";
import { revealsTarget } from "../../../src/status-pages/contents/contents.ts";

test.each(["abc", "a-1", "---", "0".repeat(64), "statuspage", "v2x"])("%s is a slug", (slug) => {
  expect(slugProblem(slug)).toBeNull();
});

test.each(["", "ab", "0".repeat(65), "Shop", "shöp", "a b c", "shop/", "shop_1", "a.b.c", "shop\n", "../x"])(
  "%o is none",
  (slug) => {
    expect(slugProblem(slug)).toEqual({ code: "page.slug" });
  },
);

test.each(["api", "admin", "app", "status", "static", "assets", "login", "www", "status-pages", "subscribe"])(
  "%s is reserved",
  (slug) => {
    // Two letters are no slug anyway.
    expect(slugProblem(slug)).toEqual({ code: "page.slug_reserved", params: { slug } });
  },
);

const shop = { target: "https://shop.example.org/status", displayTarget: "shop.example.org/status" };

test.each([
  ["Shop", shop, false],
  ["Shop 2.0 (EU)", shop, false],
  ["Node.js workers", shop, false],
  ["Opening hours 12:30", shop, false],
  ["shop.example.org", shop, true],
  ["Our SHOP.example.org!", shop, true],
  ["https://elsewhere", shop, true],
  ["elsewhere.com is up", shop, true],
  ["10.0.0.12", shop, true],
  ["fe80::1:2", shop, true],
  ["Redis redis:6379", shop, true],
  ["db.internal", shop, true],
  ["Host db-01", { target: "db-01:5432", displayTarget: "db-01:5432" }, true],
  ["Redis", { target: "redis:6379", displayTarget: "redis:6379" }, false],
])("%s of %o reveals what is checked: %o", (name, target, expected) => {
  expect(revealsTarget(name, { targets: Object.values(target) })).toBe(expected);
});

test.each([
  ["web-01", "web-01", true],
  ["Our WEB-01 (2)", "web-01.corp", true],
  ["web-011", "web-01", false],
  ["Art", "art", true],
  ["Start page", "art", false],
  ["Agents room", "agent-7", false],
  ["Machine", "", false],
  ["10.0.0.12", "", true],
])("%s of the machine %s reveals what is checked: %o", (name, host, expected) => {
  expect(revealsTarget(name, { host })).toBe(expected);
});

test("a long target is looked through once, not from each of its characters", () => {
  const target = `https://shop.test/${"a-".repeat(50_000)}`;
  expect(revealsTarget("Shop", { targets: [target] })).toBe(false);
  expect(revealsTarget("Our shop.test", { targets: [target] })).toBe(true);
}, 10_000);
