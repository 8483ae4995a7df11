import type { Feature } from "../account/plans.ts";
import type { Resource } from "../account/scopes.ts";
import type { CheckType } from "../check/registry.ts";
import type { MonitorKind } from "./monitor-defaults.ts";

/** What sets one kind of monitor apart from the other. */
export interface MonitorKindFacts {
  /** Of its scope, and in the audit. */
  resource: Extract<Resource, "domains" | "services">;
  /** Of the plan, which includes them. */
  feature: Feature;
  /** The check that all of them are; null: each its own. */
  type: CheckType | null;
  /**
   * The field under which the API has the check's configuration, and which a change replaces as a whole; null: its
   * fields stand among the others, and a change may name some of them.
   */
  configField: string | null;
}

/** Both kinds of monitor. What follows from the check is its kind's instead (check/registry.ts, check-rules.ts). */
export const MONITOR_KIND_FACTS: Readonly<Record<MonitorKind, MonitorKindFacts>> = {
  domain: { resource: "domains", feature: "basic", type: "http", configField: null },
  service: { resource: "services", feature: "team", type: null, configField: "protocolConfig" },
};
