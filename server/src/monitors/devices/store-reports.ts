import { type AgentConfig, offlineAfterSeconds } from "../../checks/agent.ts";
import type { ProbeResult } from "../../engine/probe/link.ts";
import { isDatedAhead } from "../../platform/clock.ts";
import type { Db } from "../../platform/database/schema.ts";
import { keepRecent } from "../../platform/lru-cache.ts";
import { insertReports } from "../queries/device-packs.ts";
import {
  insertChanges,
  type ProcessSample,
  readSnapshot,
  type SeenChange,
  saveProcessSamples,
  saveSnapshots,
} from "../queries/device-snapshots.ts";
import {
  type AgentIdentity,
  type Device,
  lockDevices,
  type Rival,
  readHealthSettings,
  saveDevices,
} from "../queries/devices.ts";
import { deflateNames, packReport, type ReportMetrics } from "./metrics/report-metrics.ts";
import {
  measuredOf,
  type NewReports,
  type ReportRequest,
  resultOf,
  sampleItemsOf,
  withReports,
} from "./new-reports.ts";
import {
  bootedAt,
  compressNow,
  type NewSnapshot,
  reportedAt,
  type SnapshotItem,
  type SnapshotKind,
  type StoredSnapshot,
  uncompress,
} from "./pack-snapshots.ts";
import { applicationChanges } from "./rules.ts";

interface ReportingAgent {
  agent: AgentIdentity;
  hostname: string | null;
  address: string;
  /** Milliseconds by the server's clock; null: unknown. */
  bootedAt: number | null;
}

interface Admission {
  isAdmitted: boolean;
  device: Device;
}

/**
 * Each device has one agent: the present one, itself after a restart, or another one after `silenceMs` of
 * silence. Any other is refused and noted as a rival: a copy of the machine or of its token. `now` in
 * milliseconds.
 */
function admit(
  device: Device,
  reporting: ReportingAgent,
  { now, silenceMs }: { now: number; silenceMs: number },
): Admission {
  const { agent: own, rival } = device;
  const { agent } = reporting;
  const isSilent = isSilentSince(device.reportedAt, { now, silenceMs });
  const isLate = isSilentSince(device.reportedAt, { now, silenceMs: silenceMs / 2 });
  const lateSince = isLate ? device.reportedAt : null;
  if (own && isSameRun(own, agent)) return { isAdmitted: true, device: withProof(device) };
  const isOwnRestart = own !== null && isRestart(own, reporting, lateSince) && agent.run !== device.formerRun;
  if (own && !isOwnRestart && !isSilent) {
    const isKnown = rival !== null && isSameRun(rival, agent);
    return {
      isAdmitted: false,
      device: { ...device, rival: rivalOf(reporting, now, isKnown && rival.proven) },
    };
  }
  return {
    isAdmitted: true,
    device: {
      ...device,
      agent,
      formerRun: own?.run ?? null,
      // Another installation counts its reports from the beginning.
      sequence: own?.installation === agent.installation ? device.sequence : 0,
      // An agent that waited until the other was silent is no rival, unless both have been seen to run.
      rival: rival?.proven ? rival : null,
    },
  };
}

/** A time in the future, from a clock that was ahead, does not count. */
const isSilentSince = (at: number | null, { now, silenceMs }: { now: number; silenceMs: number }): boolean =>
  at === null || isDatedAhead(at, now) || now - at >= silenceMs;

const isSameRun = (one: Pick<AgentIdentity, "installation" | "run">, other: AgentIdentity): boolean =>
  one.installation === other.installation && one.run === other.run;

/**
 * Same machine, same boot or one after the last report. `lateSince`: since when, null while the next report
 * is not late: a copy may have been started between two reports.
 */
const isRestart = (
  one: AgentIdentity,
  { agent: other, bootedAt }: ReportingAgent,
  lateSince: number | null,
): boolean =>
  one.installation === other.installation &&
  one.machine === other.machine &&
  (one.boot === other.boot || (bootedAt !== null && lateSince !== null && bootedAt > lateSince));

/** Both agents are running: the device's own reports after another was refused. */
const withProof = (device: Device): Device =>
  device.rival && !device.rival.proven ? { ...device, rival: { ...device.rival, proven: true } } : device;

const rivalOf = ({ agent, hostname, address }: ReportingAgent, at: number, proven: boolean): Rival => ({
  installation: agent.installation,
  boot: agent.boot,
  run: agent.run,
  hostname,
  address,
  at,
  proven,
});

interface StoredLists {
  snapshots: StoredSnapshot[];
  processSamples: ProcessSample[];
  changes: SeenChange[];
}

/** Lists, their times, and changes since the stored ones; the device is locked. */
async function listsOf(
  trx: Db,
  deviceId: number,
  { reports, body, now, snapshots }: NewReports & { snapshots: readonly NewSnapshot[] },
): Promise<StoredLists> {
  const sequences = new Set(reports.map(({ sequence }) => sequence));
  const toStore: StoredLists = {
    snapshots: snapshots.filter((one) => sequences.has(one.sequence)),
    processSamples: [],
    changes: [],
  };
  let connections = reports.some((report) => report.connections)
    ? await listBefore(trx, deviceId, "connections")
    : null;
  let applications = reports.some((report) => report.applications)
    ? await listBefore(trx, deviceId, "applications")
    : null;
  for (const report of reports) {
    const at = reportedAt(report, body, now);
    const items = sampleItemsOf(report, connections);
    const load = report.metrics?.["cpu.usage"] ?? null;
    if (items) toStore.processSamples.push({ at, load, items: compressNow(items) });
    connections = report.connections?.items ?? connections;
    // The first list shows no changes.
    if (report.applications && applications)
      toStore.changes.push(
        ...applicationChanges(applications, report.applications.items).map((change) => ({ at, ...change })),
      );
    applications = report.applications?.items ?? applications;
  }
  return toStore;
}

async function listBefore<Kind extends SnapshotKind>(
  trx: Db,
  deviceId: number,
  kind: Kind,
): Promise<SnapshotItem<Kind>[] | null> {
  const stored = await readSnapshot(trx, deviceId, kind);
  return stored && uncompress<SnapshotItem<Kind>[]>(stored.items);
}

/** Stored up to a sequence, refused because of another agent, or of an unknown device. */
export type Outcome = { is: "taken"; acknowledged: number } | { is: "rival" } | { is: "unknown" };

/** Beside the devices themselves. */
interface StoredReports {
  metrics: Parameters<typeof keepReports>[1][number][];
  snapshots: Parameters<typeof saveSnapshots>[1][number][];
  processSamples: Parameters<typeof saveProcessSamples>[1][number][];
  changes: Parameters<typeof insertChanges>[1][number][];
  /** By device. */
  results: Map<number, ProbeResult>;
}

/**
 * In their order, each sequence once. Call it with the states of the monitors locked. Returns each request's
 * outcome, and a check result for each device that reported.
 */
export async function storeReports(
  trx: Db,
  requests: readonly ReportRequest[],
): Promise<{ outcomes: Outcome[]; results: ProbeResult[] }> {
  const ids = [...new Set(requests.map(({ holder }) => holder.monitorId))];
  const devices = new Map((await lockDevices(trx, ids)).map((device) => [device.id, device]));
  const settings = await readHealthSettings(trx, ids);
  const toStore: StoredReports = {
    metrics: [],
    snapshots: [],
    processSamples: [],
    changes: [],
    results: new Map(),
  };
  const outcomes: Outcome[] = [];
  for (const request of requests) {
    const device = devices.get(request.holder.monitorId);
    const own = device && settings.get(device.id);
    // The token has been replaced, or the device deleted, since the request was authenticated.
    if (!own || device.tokenHash !== request.tokenHash) outcomes.push({ is: "unknown" });
    else {
      const next = await storeRequest(trx, { request, device, own }, toStore);
      devices.set(device.id, next.device);
      outcomes.push(next.outcome);
    }
  }
  await saveDevices(trx, [...devices.values()]);
  await keepReports(trx, toStore.metrics);
  await saveSnapshots(trx, toStore.snapshots);
  await saveProcessSamples(trx, toStore.processSamples);
  await insertChanges(trx, toStore.changes);
  return { outcomes, results: [...toStore.results.values()] };
}

interface RequestOfDevice {
  request: ReportRequest;
  device: Device;
  own: { config: AgentConfig; intervalSeconds: number };
}

async function storeRequest(
  trx: Db,
  { request, device, own }: RequestOfDevice,
  toStore: StoredReports,
): Promise<{ device: Device; outcome: Outcome }> {
  const { body, address, at: now } = request;
  const { instance: installation, machineId: machine, bootId: boot, run } = body.agent;
  const { system } = body.reports.findLast((report) => report.system) ?? {};
  const reported = {
    hostname: system?.hostname ?? null,
    bootedAt: system ? bootedAt(system, body, now) : null,
  };
  const reporting = { agent: { installation, machine, boot, run }, ...reported, address };
  // No other agent takes its place while the device is online.
  const silenceMs = offlineAfterSeconds(own.intervalSeconds) * 1000;
  const { isAdmitted, device: admitted } = admit(device, reporting, { now, silenceMs });
  if (!isAdmitted) return { device: admitted, outcome: { is: "rival" } };
  const reports = body.reports.filter(({ sequence }) => sequence > admitted.sequence);
  const next = withReports(admitted, { reports, body, now }, { config: own.config, silenceMs });
  const deviceId = device.id;
  const named = <Row>(row: Row) => ({ deviceId, ...row });
  toStore.metrics.push(...measuredOf({ reports, body, now }).map(named));
  const lists = await listsOf(trx, deviceId, { reports, body, now, snapshots: request.snapshots });
  toStore.snapshots.push(...lists.snapshots.map(named));
  toStore.processSamples.push(...lists.processSamples.map(named));
  toStore.changes.push(...lists.changes.map(named));
  if (reports.length > 0) toStore.results.set(deviceId, resultOf(next, request, own.config));
  return { device: next, outcome: { is: "taken", acknowledged: next.sequence } };
}

/** `at`: by the server's clock, milliseconds. */
export interface MeasuredReport {
  deviceId: number;
  at: number;
  metrics: ReportMetrics;
}

/** Deflating names takes longer than everything else, and devices repeat them. */
const MAX_CACHED_NAMES = 2_000;
/** A thousand names of a usual length. Only an attacker would send longer ones, to fill the memory. */
const MAX_CACHED_LENGTH = 32_768;
const deflated = keepRecent<string, Uint8Array>(MAX_CACHED_NAMES);

/**
 * One statement, in the caller's transaction. A report of a time that is stored or packed already changes
 * nothing.
 */
export const keepReports = (trx: Db, reports: readonly MeasuredReport[]): Promise<void> =>
  insertReports(
    trx,
    reports.map(({ deviceId, at, metrics }) => ({
      ...{ monitorId: deviceId, at, metrics: packReport(metrics, deflateOnce) },
    })),
  );

/** Cached for usual devices. */
export function deflateOnce(names: string): Uint8Array {
  if (names.length > MAX_CACHED_LENGTH) return deflateNames(names);
  const known = deflated.get(names);
  if (known) return known;
  const bytes = deflateNames(names);
  deflated.set(names, bytes);
  return bytes;
}
