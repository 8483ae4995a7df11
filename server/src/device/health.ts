import type { AgentConfig } from "../check/agent.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { DEFAULT_THRESHOLDS, MEASURES, type Thresholds, type Trouble } from "./rules.ts";

/** A device's thresholds: its own, else the usual. */
export const thresholdsOf = (config: AgentConfig): Thresholds =>
  Object.fromEntries(
    MEASURES.map((measure) => [measure, { ...DEFAULT_THRESHOLDS[measure], ...config[measure] }]),
  ) as Record<(typeof MEASURES)[number], Thresholds[keyof Thresholds]>;

/** What is wrong with a device, as the reason of a result. */
export function reasonOf({ measure, path, level, value }: Trouble, thresholds: Thresholds): Fact {
  const known = { percent: Math.round(value), limit: thresholds[measure][level], level };
  if (measure === "disk") return fact("health.disk", { ...known, path: path ?? "" });
  return measure === "cpu" ? fact("health.cpu", known) : fact("health.memory", known);
}
