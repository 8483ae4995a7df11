import type { AgentReport } from "../wire/agent/report.ts";
import { latestOf } from "./report-figures.ts";
import type { SnapshotItem } from "./snapshots.ts";

type Process = SnapshotItem<"processes">;
type Connection = SnapshotItem<"connections">;

/** What went on at one moment: what a past incident is explained with. */
export interface Moment {
  processes: Process[];
  /** Connections and listening sockets that had not been there at the look before; null: nobody looked. */
  newConnections: Connection[] | null;
  figures: Record<string, number>;
}

const BUSIEST = 10;
const LARGEST = 5;
const MOST_CONNECTIONS = 50;
/** What of them is no figure of the agent's. */
export const FULLEST_DISK = "disk.usage";
const KEPT_FIGURES = ["cpu.usage", "cpu.load1", "memory.usage", "memory.swap.usage"];

/** The moment of a report that has processes. `before`: the connections of the look before; null: there was none. */
export function momentOf(
  { processes, connections, metrics = {} }: AgentReport,
  before: readonly Connection[] | null,
): Moment | null {
  if (!processes) return null;
  const byCpu = processes.items.toSorted((a, b) => b.cpuPercent - a.cpuPercent).slice(0, BUSIEST);
  const { disk } = latestOf(metrics);
  const byMemory = processes.items.toSorted((a, b) => b.memoryMB - a.memoryMB).slice(0, LARGEST);
  return {
    processes: [...new Set([...byCpu, ...byMemory])],
    newConnections: connections && before ? newAmong(connections.items, before) : null,
    figures: {
      ...Object.fromEntries(
        KEPT_FIGURES.flatMap((name) => (name in metrics ? [[name, metrics[name] as number]] : [])),
      ),
      ...(disk !== null && { [FULLEST_DISK]: disk }),
    },
  };
}

/** Those that nobody had seen before, whichever port the system gave them. */
function newAmong(connections: readonly Connection[], before: readonly Connection[]): Connection[] {
  const known = new Set(before.map(keyOf));
  const found = new Map<string, Connection>();
  for (const one of connections) {
    const key = keyOf(one);
    if (!known.has(key) && !found.has(key)) found.set(key, one);
    if (found.size === MOST_CONNECTIONS) break;
  }
  return [...found.values()];
}

/** A server's socket is its port; a connection is known by where it leads. */
const keyOf = ({ protocol, localPort, remoteAddress, remotePort, processName }: Connection): string =>
  remoteAddress === null
    ? `${protocol} ${localPort} ${processName ?? ""}`
    : `${protocol} ${remoteAddress} ${remotePort ?? ""} ${processName ?? ""}`;
