import type { AgentConfig } from "../check/agent.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { DEFAULT_THRESHOLDS, type Problem, type Thresholds } from "./rules.ts";

/** A device's thresholds: its own, else the defaults. */
export const thresholdsOf = ({ cpu, memory, disk }: AgentConfig): Thresholds => ({
  cpu: { ...DEFAULT_THRESHOLDS.cpu, ...cpu },
  memory: { ...DEFAULT_THRESHOLDS.memory, ...memory },
  disk: { ...DEFAULT_THRESHOLDS.disk, ...disk },
});

/** So many problems of a device are named; of what is beyond, how many there are. */
const MAX_NAMED = 5;

/** What is wrong with a device, the gravest first, as the reason of a result; null: nothing. */
export function reasonOf(problems: readonly Problem[], thresholds: Thresholds): Fact | null {
  const [first, ...others] = problems.slice(0, MAX_NAMED).map((problem) => factOf(problem, thresholds));
  if (!first) return null;
  const more = problems.length - MAX_NAMED;
  const also = more > 0 ? [...others, fact("health.more", { problems: more })] : others;
  return also.length > 0 ? { ...first, also } : first;
}

function factOf({ measure, path, level, value }: Problem, thresholds: Thresholds): Fact {
  const known = { percent: Math.round(value), limit: thresholds[measure][level], level };
  if (measure === "disk") return fact("health.disk", { ...known, path: path ?? "" });
  return measure === "cpu" ? fact("health.cpu", known) : fact("health.memory", known);
}
