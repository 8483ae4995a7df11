import { MAX_ITEMS } from "../../server/src/monitors/schemas/agent-report.ts";

const MOST = MAX_ITEMS.processes;

/** Which of many processes are reported: those that use the most processor time, and those that hold the most memory. */
export function mostTelling<P extends { pid: number; cpu: number; memory: number }>(all: readonly P[]): P[] {
  if (all.length <= MOST) return all.toSorted(byCpu);
  const chosen = new Map(
    all
      .toSorted(byCpu)
      .slice(0, MOST / 2)
      .map((one) => [one.pid, one]),
  );
  for (const one of all.toSorted((a, b) => b.memory - a.memory)) {
    if (chosen.size === MOST) break;
    chosen.set(one.pid, one);
  }
  return [...chosen.values()].sort(byCpu);
}

const byCpu = (a: { cpu: number; memory: number }, b: { cpu: number; memory: number }) =>
  b.cpu - a.cpu || b.memory - a.memory;
