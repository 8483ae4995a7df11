import { PublicError } from "../errors.ts";
import { msg } from "../i18n/message.ts";

/** What a plan may have or lack. Every route names the one it needs. */
export type Feature = "basic" | "team" | "full" | "reports";

export interface Plan {
  name: "free" | "pro" | "expert";
  features: readonly Feature[];
  /** Domains and services together; null: unlimited. */
  monitors: number | null;
  minIntervalSeconds: number;
  devices: number | null;
  /** Locations one monitor may be checked from; null: all. */
  locationsPerMonitor: number | null;
  rawResultDays: number;
  /** Requests a minute, a person and an endpoint group. */
  requestsPerMinute: { read: number; write: number; toolbox: number };
}

/** Decisions §5. Reports are bought apart, so no plan lists them. Nothing else tests a plan's name. */
export const PLANS = {
  free: {
    name: "free",
    features: ["basic"],
    monitors: 10,
    minIntervalSeconds: 300,
    devices: 1,
    locationsPerMonitor: 1,
    rawResultDays: 7,
    requestsPerMinute: { read: 60, write: 20, toolbox: 5 },
  },
  pro: {
    name: "pro",
    features: ["basic", "team"],
    monitors: 100,
    minIntervalSeconds: 60,
    devices: 10,
    locationsPerMonitor: 3,
    rawResultDays: 30,
    requestsPerMinute: { read: 300, write: 60, toolbox: 20 },
  },
  expert: {
    name: "expert",
    features: ["basic", "team", "full"],
    monitors: null,
    minIntervalSeconds: 10,
    devices: null,
    locationsPerMonitor: null,
    rawResultDays: 90,
    requestsPerMinute: { read: 1200, write: 300, toolbox: 60 },
  },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;

/** The plan of that name; an unknown name (a newer version's database) counts as the smallest plan. */
export function planOf(name: string): Plan {
  return Object.hasOwn(PLANS, name) ? PLANS[name as PlanName] : PLANS.free;
}

interface Subscription {
  plan: string;
  reports: boolean;
}

export function hasFeature(subscription: Subscription, feature: Feature): boolean {
  return feature === "reports" ? subscription.reports : planOf(subscription.plan).features.includes(feature);
}

/** Throws 403, naming the smallest plan that has the feature. */
export function assertFeature(subscription: Subscription, feature: Feature): void {
  if (hasFeature(subscription, feature)) return;
  const smallest = Object.values(PLANS).find((plan: Plan) => plan.features.includes(feature)) ?? PLANS.expert;
  const needs = feature === "reports" ? feature : smallest.name;
  throw new PublicError("plan_required", msg("access.plan", { needs }));
}

export type Counted = "monitors" | "devices";

/** Throws 403 when one more would be too many; `limit` null: unlimited. */
export function assertQuota(what: Counted, count: number, limit: number | null): void {
  if (limit === null || count < limit) return;
  throw new PublicError("quota_reached", msg(`quota.${what}`, { limit, count }));
}
