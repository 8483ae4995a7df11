import { type Static, Type } from "typebox";
import { AGENT_TYPE } from "../platform/signalled-types.ts";
import type { PassiveKind } from "./check.ts";

/** What is measured against thresholds; of several disks the fullest. */
export const MEASURES = ["cpu", "memory", "disk"] as const;
export type Measure = (typeof MEASURES)[number];

/** In percent. */
export interface Threshold {
  warning: number;
  critical: number;
}
export type Thresholds = Readonly<Record<Measure, Threshold>>;

const USUAL: Threshold = { warning: 85, critical: 95 };
export const DEFAULT_THRESHOLDS: Thresholds = { cpu: USUAL, memory: USUAL, disk: USUAL };

const percent = (description: string, usual: number) =>
  Type.Number({ minimum: 1, maximum: 100, description, "x-usual": usual });

const measured = {
  cpu: "The mean of five minutes, of all cores together.",
  memory: "What is in use and cannot be given back at once, for a minute.",
  disk: "The fullest of the real file systems, for a minute.",
} as const;

const thresholdsOf = (name: Measure) => {
  const { warning, critical } = DEFAULT_THRESHOLDS[name];
  return Type.Optional(
    Type.Object(
      {
        warning: Type.Optional(
          percent(`Percent from which on it is a warning. Default: ${warning}.`, warning),
        ),
        critical: Type.Optional(
          percent(
            `Percent from which on it is critical, not below \`warning\`. Default: ${critical}.`,
            critical,
          ),
        ),
      },
      { additionalProperties: false, description: measured[name] },
    ),
  );
};

export const agentConfigSchema = Type.Object(
  { cpu: thresholdsOf("cpu"), memory: thresholdsOf("memory"), disk: thresholdsOf("disk") },
  {
    additionalProperties: false,
    title: "DeviceThresholds",
    description: "From which load on a device is not healthy. It is healthy again five points below.",
  },
);

export type AgentConfig = Static<typeof agentConfigSchema>;

/** The target of every device: a device is identified by its token. */
export const AGENT_TARGET = "agent";

/** So many intervals a device counts as online after its last report. */
const ONLINE_INTERVALS = 3;

/** How long after its last report a device is offline, seconds. */
export const offlineAfterSeconds = (intervalSeconds: number): number => ONLINE_INTERVALS * intervalSeconds;

export const checkAgent: PassiveKind<AgentConfig> = {
  type: AGENT_TYPE,
  phases: [],
  configSchema: agentConfigSchema,
  target: () => AGENT_TARGET,
  defaults: { confirmations: 1, recoveries: 1 },
  passive: {
    // A report is awaited an interval after the one before.
    graceSeconds: (_, intervalSeconds) => offlineAfterSeconds(intervalSeconds) - intervalSeconds,
    // Its token is not one of its settings, and is good for reports only.
    token: () => null,
    cron: () => null,
    maxRunSeconds: () => 0,
  },
};
