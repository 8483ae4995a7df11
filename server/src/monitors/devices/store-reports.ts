import { type AgentConfig, offlineAfterSeconds } from "../../checks/agent.ts";
import type { ProbeResult } from "../../engine/probe/link.ts";
import { isDatedAhead } from "../../platform/clock.ts";
import type { Db } from "../../platform/database/db.ts";
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
import { applicationChanges } from "./health.ts";
import { deflateNames, packReport, type ReportMetrics } from "./metrics/report-metrics.ts";
import {
  measuredOf,
  momentOf,
  type NewReports,
  type ReportRequest,
  resultOf,
  withReports,
} from "./new-reports.ts";
import { bootedAt, reportedAt } from "./report-times.ts";
import {
  compressNow,
  type NewSnapshot,
  type SnapshotItem,
  type SnapshotKind,
  type StoredSnapshot,
  uncompress,
} from "./snapshots.ts";

/** The agent that sends a report, and from where. */
interface ReportingAgent {
  agent: AgentIdentity;
  hostname: string | null;
  address: string;
  /** When its machine was started, milliseconds by the server's clock; null: it does not say. */
  bootedAt: number | null;
}

/** Whether the agent may report, and the device as it is from now on. */
interface Admission {
  isAdmitted: boolean;
  device: Device;
}

/**
 * Admits one agent for each device: the one that reports already, the same one after a restart of itself or of its machine, or another
 * one after the first has been silent for `silenceMs`. Any other is refused and noted as a rival: it runs on a copy of the machine, or with a copy of
 * its token. `now` in milliseconds.
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
      // One that waited until the other was silent is no rival, unless both have been seen to run.
      rival: rival?.proven ? rival : null,
    },
  };
}

/** No report ever arrived, or none for too long; when something was, a clock that was ahead then does not say. */
const isSilentSince = (at: number | null, { now, silenceMs }: { now: number; silenceMs: number }): boolean =>
  at === null || isDatedAhead(at, now) || now - at >= silenceMs;

const isSameRun = (one: Pick<AgentIdentity, "installation" | "run">, other: AgentIdentity): boolean =>
  one.installation === other.installation && one.run === other.run;

/**
 * The same agent after a restart, on the same machine since the same start of that, or since one after the last report. `lateSince`:
 * when that was, null while the next one is not late: a copy may have been started between two reports.
 */
const isRestart = (
  one: AgentIdentity,
  { agent: other, bootedAt }: ReportingAgent,
  lateSince: number | null,
): boolean =>
  one.installation === other.installation &&
  one.machine === other.machine &&
  (one.boot === other.boot || (bootedAt !== null && lateSince !== null && bootedAt > lateSince));

/** The device's own agent reports after another was refused: so both are running. */
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

/** What is stored of the lists of a request. */
interface StoredLists {
  snapshots: StoredSnapshot[];
  processSamples: ProcessSample[];
  changes: SeenChange[];
}

/** The newest lists, the times that they show, and what changed since the lists that are stored; the device is locked. */
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
    const moment = momentOf(report, connections);
    const load = report.metrics?.["cpu.usage"] ?? null;
    if (moment) toStore.processSamples.push({ at, load, items: compressNow(moment) });
    connections = report.connections?.items ?? connections;
    // The first list says nothing of what came and went.
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

/** What became of a request: stored up to a sequence, refused because another agent reports, or of a device that is gone. */
export type Outcome = { is: "taken"; acknowledged: number } | { is: "rival" } | { is: "unknown" };

/** What is stored of a round of requests, beside the devices themselves. */
interface StoredReports {
  figures: Parameters<typeof keepReports>[1][number][];
  snapshots: Parameters<typeof saveSnapshots>[1][number][];
  processSamples: Parameters<typeof saveProcessSamples>[1][number][];
  changes: Parameters<typeof insertChanges>[1][number][];
  /** By device. */
  results: Map<number, ProbeResult>;
}

/**
 * Stores the reports of these requests in their order, each sequence once: metrics, lists and health of each device. Call it with
 * the states of their monitors locked. Returns what became of each request, and a check result for each device that has reported.
 */
export async function storeReports(
  trx: Db,
  requests: readonly ReportRequest[],
): Promise<{ outcomes: Outcome[]; results: ProbeResult[] }> {
  const ids = [...new Set(requests.map(({ holder }) => holder.monitorId))];
  const devices = new Map((await lockDevices(trx, ids)).map((device) => [device.id, device]));
  const settings = await readHealthSettings(trx, ids);
  const toStore: StoredReports = {
    figures: [],
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
  await keepReports(trx, toStore.figures);
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
  // While the device counts as online, no other agent takes its place.
  const silenceMs = offlineAfterSeconds(own.intervalSeconds) * 1000;
  const { isAdmitted, device: admitted } = admit(device, reporting, { now, silenceMs });
  if (!isAdmitted) return { device: admitted, outcome: { is: "rival" } };
  const reports = body.reports.filter(({ sequence }) => sequence > admitted.sequence);
  const next = withReports(admitted, { reports, body, now }, { config: own.config, silenceMs });
  const deviceId = device.id;
  const named = <Row>(row: Row) => ({ deviceId, ...row });
  toStore.figures.push(...measuredOf({ reports, body, now }).map(named));
  const lists = await listsOf(trx, deviceId, { reports, body, now, snapshots: request.snapshots });
  toStore.snapshots.push(...lists.snapshots.map(named));
  toStore.processSamples.push(...lists.processSamples.map(named));
  toStore.changes.push(...lists.changes.map(named));
  if (reports.length > 0) toStore.results.set(deviceId, resultOf(next, request, own.config));
  return { device: next, outcome: { is: "taken", acknowledged: next.sequence } };
}

/** What one report measured; `at`: by the server's clock, milliseconds. */
export interface MeasuredReport {
  deviceId: number;
  at: number;
  figures: ReportMetrics;
}

/** Deflating names takes longer than all the rest, and a device sends the same ones over and over. */
const MAX_CACHED_NAMES = 2_000;
/** A thousand names of a usual length. Only an attacker would send longer ones, to fill the memory. */
const MAX_CACHED_LENGTH = 32_768;
const deflated = keepRecent<string, Uint8Array>(MAX_CACHED_NAMES);

/**
 * Stores what many reports measured, within the caller's transaction and in one statement. A device's report of a time
 * that it has one of already, be it packed, changes nothing.
 */
export const keepReports = (trx: Db, reports: readonly MeasuredReport[]): Promise<void> =>
  insertReports(
    trx,
    reports.map(({ deviceId, at, figures }) => ({
      ...{ monitorId: deviceId, at, figures: packReport(figures, deflateOnce) },
    })),
  );

/** The names deflated, as they were before where they are those of a usual device. */
export function deflateOnce(names: string): Uint8Array {
  if (names.length > MAX_CACHED_LENGTH) return deflateNames(names);
  const known = deflated.get(names);
  if (known) return known;
  const bytes = deflateNames(names);
  deflated.set(names, bytes);
  return bytes;
}
