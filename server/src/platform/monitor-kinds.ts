import type { Counted, Feature, Plan } from "./access/plans.ts";
import type { Resource } from "./access/roles-and-scopes.ts";
import {
  MIN_INTERVAL_SECONDS,
  MONITOR_DEFAULTS,
  MONITOR_KINDS,
  type MonitorKind,
} from "./monitor-defaults.ts";
import { AGENT_TYPE } from "./signalled-types.ts";

interface MonitorKindTraits {
  resource: Extract<Resource, "domains" | "services" | "devices">;
  feature: Feature;
  /** The check that all of them are; null: each its own. */
  type: "http" | typeof AGENT_TYPE | null;
  /** The API field with the check's configuration, changed as a whole; null: its fields are the monitor's own. */
  configField: string | null;
  quota: Counted;
  /** Seconds; the default. */
  interval: number;
  /** Seconds; what the plan allows. */
  leastInterval(plan: Plan): number;
}

const byPlan = (plan: Plan) => plan.minIntervalSeconds;
const checked = {
  quota: "monitors",
  interval: MONITOR_DEFAULTS.intervalSeconds,
  leastInterval: byPlan,
} as const;

/** Every kind of monitor. What follows from the check is its kind's instead (checks/registry.ts, create-monitor.ts). */
export const MONITOR_KIND_TRAITS: Readonly<Record<MonitorKind, MonitorKindTraits>> = {
  domain: { resource: "domains", feature: "basic", type: "http", configField: null, ...checked },
  device: {
    resource: "devices",
    feature: "basic",
    type: AGENT_TYPE,
    configField: "thresholds",
    quota: "devices",
    // A device costs the same however small the plan is: what it says of itself in ten seconds.
    interval: MIN_INTERVAL_SECONDS,
    leastInterval: () => MIN_INTERVAL_SECONDS,
  },
  service: { resource: "services", feature: "team", type: null, configField: "protocolConfig", ...checked },
};

/** The kinds that count towards the same number of the plan. */
export const kindsOf = (quota: Counted): MonitorKind[] =>
  MONITOR_KINDS.filter((kind) => MONITOR_KIND_TRAITS[kind].quota === quota);
