import type { TargetPolicy } from "../checks/guard.ts";
import type { Plan } from "../platform/access/plans.ts";
import type { Location } from "../platform/database/installation.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import type { Report } from "./announce-change.ts";
import type { CommonSettings } from "./queries/monitors.ts";

/** Everything that may be set of a monitor, secrets in the clear. */
export interface MonitorSettings extends CommonSettings {
  /** By the config schema of the check's kind. */
  config: object;
}

/** Any subset of the settings. Bounds of single fields were checked by the API schema. */
export type MonitorInput = Partial<Omit<MonitorSettings, "target" | "displayTarget" | "name" | "config">> & {
  /** Null or absent at creation: made of the target. */
  name?: string | null;
  /** Some fields of it or all, as the kind of monitor has it (kinds.ts). */
  config?: object;
};

/** What settings are measured against. */
export interface SettingsContext {
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
  context: SettingsContext;
  /** Whether it was checked in another way before. */
  isOtherKind: boolean;
  report: Report;
}
