import type { AgentConfig } from "../check/agent.ts";
import { keysOfCauses } from "../status/health-causes.ts";
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

/**
 * What is wrong with a device, the gravest first, as the reason of a result; null: nothing. Which of many are named changes with
 * their percentages: so that this is no change of its health, the reason has the keys of all.
 */
export function reasonOf(problems: readonly Problem[], thresholds: Thresholds): Fact | null {
  const all = problems.map((problem) => factOf(problem, thresholds));
  const [first, ...others] = all;
  if (!first) return null;
  const more = all.length - MAX_NAMED;
  if (more <= 0) return others.length > 0 ? { ...first, also: others } : first;
  const counted = { code: "health.more", params: { problems: more, ...keysOfCauses(all) } };
  return { ...first, also: [...others.slice(0, MAX_NAMED - 1), counted] };
}

function factOf({ measure, path, level, value }: Problem, thresholds: Thresholds): Fact {
  const known = { percent: Math.round(value), limit: thresholds[measure][level], level };
  if (measure === "disk") return fact("health.disk", { ...known, path: path ?? "" });
  return measure === "cpu" ? fact("health.cpu", known) : fact("health.memory", known);
}
