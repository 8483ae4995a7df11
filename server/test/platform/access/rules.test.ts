import { expect, test } from "vitest";
import { slugOf } from "../../../src/accounts/organizations.ts";
import {
  assertFeature,
  assertQuota,
  type Feature,
  hasFeature,
  PLANS,
  planOf,
} from "../../../src/platform/access/plans.ts";
import {
  isScope,
  RESOURCES,
  type Role,
  roleAllows,
  scopesAllow,
  scopesCover,
} from "../../../src/platform/access/roles-and-scopes.ts";

test.each<[string[], "read" | "write", (typeof RESOURCES)[number], boolean]>([
  [["read:domains"], "read", "domains", true],
  [["read:domains"], "write", "domains", false],
  [["read:domains"], "read", "devices", false],
  [["write:domains"], "read", "domains", true],
  [["write:domains"], "write", "domains", true],
  [["*:domains"], "write", "domains", true],
  [["*:domains"], "write", "devices", false],
  [["read:*"], "read", "api-keys", true],
  [["read:*"], "write", "api-keys", false],
  [["write:*"], "read", "reports", true],
  [["*:*"], "write", "organization", true],
  [["read:chat", "write:incidents"], "write", "incidents", true],
  [[], "read", "domains", false],
])("%j permits %s:%s: %s", (scopes, action, resource, permitted) => {
  expect(scopesAllow(scopes, action, resource)).toBe(permitted);
});

test.each<[string[], string, boolean]>([
  [["read:domains"], "read:domains", true],
  [["read:domains"], "write:domains", false],
  [["read:domains"], "*:domains", false],
  [["write:domains"], "*:domains", true],
  [["write:domains"], "read:domains", true],
  [["read:*"], "read:*", true],
  [["read:*"], "*:*", false],
  [["write:*"], "*:*", true],
  [["*:*"], "*:*", true],
  [RESOURCES.map((name) => `write:${name}`), "write:*", false],
  [["read:*", ...RESOURCES.map((name) => `write:${name}`)], "write:*", false],
  [["read:domains", "write:*"], "*:*", true],
])("a key with %j may grant %s: %s", (own, wanted, covered) => {
  expect(scopesCover(own, wanted)).toBe(covered);
});

test.each([
  ["read:domains", true],
  ["*:*", true],
  ["write:status-pages", true],
  ["delete:domains", false],
  ["read:nothing", false],
  ["read", false],
  ["read:domains:more", false],
  ["", false],
])("%s is a scope: %s", (text, known) => {
  expect(isScope(text)).toBe(known);
});

test.each<[Role, boolean, boolean, boolean]>([
  ["owner", true, true, true],
  ["admin", true, true, true],
  ["member", true, true, false],
  ["viewer", true, false, false],
])("a %s may read: %s, write domains: %s, run the organization: %s", (role, reads, writes, runs) => {
  expect(roleAllows(role, "read", "domains")).toBe(reads);
  expect(roleAllows(role, "write", "domains")).toBe(writes);
  expect(roleAllows(role, "write", "api-keys")).toBe(writes);
  expect(roleAllows(role, "write", "organization")).toBe(runs);
});

test.each<[string, boolean, Feature, string | null]>([
  ["free", false, "basic", null],
  ["free", false, "team", "This feature requires a Pro Plan subscription."],
  ["free", false, "full", "This feature requires an Expert Plan subscription."],
  ["pro", false, "team", null],
  ["pro", true, "full", "This feature requires an Expert Plan subscription."],
  ["expert", false, "full", null],
  ["expert", false, "reports", "This feature requires a Reports Plan subscription."],
  ["free", true, "reports", null],
])("plan %s (reports: %s) and feature %s: %s", (plan, reports, feature, message) => {
  expect(hasFeature({ plan, reports }, feature)).toBe(message === null);
  if (message !== null) expect(() => assertFeature({ plan, reports }, feature)).toThrow(message);
});

test("the plans are those of the decisions", () => {
  const table = Object.values(PLANS).map((plan) => [
    ...[plan.name, plan.monitors, plan.minIntervalSeconds, plan.devices, plan.locationsPerMonitor],
    ...[plan.rawResultDays, ...Object.values(plan.requestsPerMinute)],
  ]);
  expect(table).toEqual([
    ["free", 10, 300, 1, 1, 7, 60, 20, 5],
    ["pro", 100, 60, 10, 3, 30, 300, 60, 20],
    ["expert", null, 10, null, null, 90, 1200, 300, 60],
  ]);
});

test("an unknown plan counts as the smallest", () => {
  expect(planOf("platinum").name).toBe("free");
  expect(planOf("toString").name).toBe("free");
});

test("a quota refuses the one too many and says which and how large", () => {
  expect(() => assertQuota("monitors", 9, 10)).not.toThrow();
  expect(() => assertQuota("monitors", 1e6, null)).not.toThrow();
  expect(() => assertQuota("monitors", 10, 10)).toThrow(
    "Your plan allows 10 monitors (domains and services), and you have 10.",
  );
});

test.each([
  ["Größe & Co.", "grosse-co"],
  ["Café Zürich", "cafe-zurich"],
  ["   ", "organization"],
  ["2026", "organization-2026"],
  ["日本", "organization"],
  ["a".repeat(80), "a".repeat(48)],
])("%j becomes the slug %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
