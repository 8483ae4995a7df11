import type { Plan } from "../account/plans.ts";
import type { TargetPolicy } from "../check/guard.ts";
import type { Location } from "../store/queries/meta.ts";
import type { Report } from "./config-change.ts";
import type { MonitorKind } from "./monitor-defaults.ts";
import type { MonitorInput, MonitorSettings } from "./settings.ts";

/** What settings are measured against. */
export interface SettingsFacts {
  kind: MonitorKind;
  plan: Plan;
  locations: readonly Location[];
  targets: TargetPolicy;
}

/** A change of a monitor's settings while it is applied, part by part. */
export interface SettingsChange {
  /** What they come to: each part completes its own. */
  settings: MonitorSettings;
  /** Before the change; without a name: the monitor is new. */
  base: MonitorSettings;
  input: MonitorInput;
  facts: SettingsFacts;
  /** Whether it was checked in another way before. */
  isOtherKind: boolean;
  report: Report;
}
