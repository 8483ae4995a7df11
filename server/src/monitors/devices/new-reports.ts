import type { AgentConfig } from "../../checks/agent.ts";
import { NOTHING_SEEN } from "../../checks/check.ts";
import type { ProbeResult } from "../../engine/probe/link.ts";
import { LOCAL } from "../../engine/probe/location-probe.ts";
import { isDatedAhead } from "../../platform/clock.ts";
import type { Device, LatestMetrics, TokenHolder } from "../queries/devices.ts";
import type { AgentReport, AgentReports } from "../schemas/agent-report.ts";
import type { ReportMetrics } from "./metrics/report-metrics.ts";
import { type NewSnapshot, reportedAt, type SnapshotItem } from "./pack-snapshots.ts";
import {
  evaluateHealth,
  type HealthState,
  NEW_HEALTH,
  problemsOf,
  reasonOf,
  type Sample,
  thresholdsOf,
} from "./rules.ts";

/** New ones, in the order of their sequences. `now` in milliseconds. */
export interface NewReports {
  reports: readonly AgentReport[];
  body: AgentReports;
  now: number;
}

/** By the server's clock. */
interface Measured {
  at: number;
  metrics: ReportMetrics;
  unresponsiveMounts: readonly string[];
}

export const measuredOf = ({ reports, body, now }: NewReports): Measured[] =>
  reports.flatMap((report) => {
    const { metrics: measured, unresponsiveMounts = [] } = report;
    const mounts = [...new Set(unresponsiveMounts)];
    return measured
      ? [{ at: reportedAt(report, body, now), metrics: measured, unresponsiveMounts: mounts }]
      : [];
  });

/**
 * `silenceMs`: after that long without a report its health is evaluated anew. Older reports, held while the
 * server was unreachable, do not show the present state.
 */
export function withReports(
  device: Device,
  received: NewReports,
  { config, silenceMs }: { config: AgentConfig; silenceMs: number },
): Device {
  const { reports, body, now } = received;
  const measured = measuredOf(received);
  const thresholds = thresholdsOf(config);
  const fresh = measured.filter(({ at }) => at > now - silenceMs);
  const healthState = fresh.reduce(
    (state, one) => evaluateHealth(state, sampleOf(one), { thresholds, maxGapMs: silenceMs }),
    healthBefore(device, now),
  );
  const last = measured.at(-1);
  return {
    ...device,
    sequence: reports.at(-1)?.sequence ?? device.sequence,
    reportedAt: now,
    agentVersion: body.agent.version,
    clockAheadMs: body.sentAt - now,
    dropped: body.dropped,
    system: reports.findLast(({ system }) => system)?.system ?? device.system,
    latest: last ? { ...latestOf(last.metrics), unresponsiveMounts: last.unresponsiveMounts } : device.latest,
    health: problemsOf(healthState)[0]?.level ?? "healthy",
    healthState,
  };
}

/** A time of evaluation in the future, from a clock that was ahead, is corrected. */
function healthBefore({ healthState }: Device, now: number): HealthState {
  const known = healthState ?? NEW_HEALTH;
  return isDatedAhead(known.lastAt, now) ? { ...known, lastAt: NEW_HEALTH.lastAt } : known;
}

/** Reachable, and its health. */
export function resultOf(
  { id, healthState }: Device,
  { holder, address, at }: ReportRequest,
  config: AgentConfig,
): ProbeResult {
  const problems = healthState ? problemsOf(healthState) : [];
  return {
    monitorId: id,
    revision: holder.revision,
    location: LOCAL.code,
    scheduledAt: at,
    verdict: problems.length > 0 ? "degraded" : "ok",
    reason: reasonOf(problems, thresholdsOf(config)),
    ...NOTHING_SEEN,
    address,
  };
}

const DISK_USAGE = /^disk\.(\/.*|[A-Za-z]:.*)\.usage$/;

/** `at`: milliseconds. */
function sampleOf({
  at,
  metrics: measured,
  unresponsiveMounts: unresponsive,
}: {
  at: number;
  metrics: ReportMetrics;
  unresponsiveMounts: readonly string[];
}): Sample {
  const { "cpu.usage": cpu, "memory.usage": memory } = measured;
  return {
    ...{ at, unresponsive, disks: disksOf(measured) },
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
}

function latestOf(measured: ReportMetrics): Omit<LatestMetrics, "unresponsiveMounts"> {
  const disks = Object.values(disksOf(measured));
  return {
    cpu: measured["cpu.usage"] ?? null,
    memory: measured["memory.usage"] ?? null,
    disk: disks.length === 0 ? null : Math.max(...disks),
  };
}

/** Percent, by mount. */
function disksOf(measured: ReportMetrics): Record<string, number> {
  const disks: Record<string, number> = {};
  for (const [name, value] of Object.entries(measured)) {
    const mount = DISK_USAGE.exec(name)?.[1];
    if (mount !== undefined) disks[mount] = value;
  }
  return disks;
}

type Process = SnapshotItem<"processes">;
type Connection = SnapshotItem<"connections">;

/** For the explanation of past incidents. */
export interface SampleItems {
  processes: Process[];
  /** Those not in the previous list; null: there was none. */
  newConnections: Connection[] | null;
  metrics: Record<string, number>;
}

const BUSIEST = 10;
const LARGEST = 5;
const MOST_CONNECTIONS = 50;
/** Computed here, not by the agent. */
export const FULLEST_DISK = "disk.usage";
const SNAPSHOT_METRICS = ["cpu.usage", "cpu.load1", "memory.usage", "memory.swap.usage"];

/** Of a report with processes. `before`: the previous connections; null: none. */
export function sampleItemsOf(
  { processes, connections, metrics = {} }: AgentReport,
  before: readonly Connection[] | null,
): SampleItems | null {
  if (!processes) return null;
  const byCpu = processes.items.toSorted((a, b) => b.cpuPercent - a.cpuPercent).slice(0, BUSIEST);
  const { disk } = latestOf(metrics);
  const byMemory = processes.items.toSorted((a, b) => b.memoryMB - a.memoryMB).slice(0, LARGEST);
  return {
    processes: [...new Set([...byCpu, ...byMemory])],
    newConnections: connections && before ? newAmong(connections.items, before) : null,
    metrics: {
      ...Object.fromEntries(
        SNAPSHOT_METRICS.flatMap((name) => (name in metrics ? [[name, metrics[name] as number]] : [])),
      ),
      ...(disk !== null && { [FULLEST_DISK]: disk }),
    },
  };
}

/** Whichever port the system gave them. */
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

/** A listening socket by its port, a connection by its remote end. */
const keyOf = ({ protocol, localPort, remoteAddress, remotePort, processName }: Connection): string =>
  remoteAddress === null
    ? `${protocol} ${localPort} ${processName ?? ""}`
    : `${protocol} ${remoteAddress} ${remotePort ?? ""} ${processName ?? ""}`;

/** Times in milliseconds. */
export interface ReportRequest {
  holder: TokenHolder;
  tokenHash: string;
  body: AgentReports;
  /** The newest of each kind. */
  snapshots: readonly NewSnapshot[];
  address: string;
  at: number;
}
