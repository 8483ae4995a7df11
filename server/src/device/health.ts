import type { AgentConfig } from "../check/agent.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { DEFAULT_THRESHOLDS, type Thresholds, type Trouble } from "./rules.ts";

/** A device's thresholds: its own, else the defaults. */
export const thresholdsOf = ({ cpu, memory, disk }: AgentConfig): Thresholds => ({
  cpu: { ...DEFAULT_THRESHOLDS.cpu, ...cpu },
  memory: { ...DEFAULT_THRESHOLDS.memory, ...memory },
  disk: { ...DEFAULT_THRESHOLDS.disk, ...disk },
});

/** What is wrong with a device, as the reason of a result. */
export function reasonOf({ measure, path, level, value }: Trouble, thresholds: Thresholds): Fact {
  const known = { percent: Math.round(value), limit: thresholds[measure][level], level };
  if (measure === "disk") return fact("health.disk", { ...known, path: path ?? "" });
  return measure === "cpu" ? fact("health.cpu", known) : fact("health.memory", known);
}
