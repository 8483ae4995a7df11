import type { CommonSettings } from "../store/queries/monitors.ts";

/** Everything that may be set of a monitor, secrets in the clear. */
export interface MonitorSettings extends CommonSettings {
  /** By the config schema of the check's kind. */
  config: object;
}

/** What was sent: any subset. Bounds of single fields are the wire schema's and hold already. */
export type MonitorInput = Partial<Omit<MonitorSettings, "target" | "displayTarget" | "name" | "config">> & {
  /** Null or absent at creation: made of the target. */
  name?: string | null;
  /** Some fields of it or all, as the kind of monitor has it (kinds.ts). */
  config?: object;
};
