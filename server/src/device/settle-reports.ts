import { type AgentConfig, offlineAfterSeconds } from "../check/agent.ts";
import type { ProbeResult } from "../probe/link.ts";
import type { Db } from "../store/db.ts";
import { insertChanges, saveMoments, saveSnapshots } from "../store/queries/device-snapshots.ts";
import { type Device, lockDevices, readHealthSettings, saveDevices } from "../store/queries/devices.ts";
import { admit } from "./admission.ts";
import type { Arrival } from "./arrival.ts";
import { keepReports } from "./metrics/keep-reports.ts";
import { listsOf } from "./report-lists.ts";
import { figuresOf, resultOf, withReports } from "./report-news.ts";
import { bootedAt } from "./report-times.ts";

/** What became of a request: stored up to a sequence, refused because another agent reports, or of a device that is gone. */
export type Outcome = { is: "taken"; acknowledged: number } | { is: "rival" } | { is: "unknown" };

/** What is stored of a round of requests, beside the devices themselves. */
interface Kept {
  figures: Parameters<typeof keepReports>[1][number][];
  snapshots: Parameters<typeof saveSnapshots>[1][number][];
  moments: Parameters<typeof saveMoments>[1][number][];
  changes: Parameters<typeof insertChanges>[1][number][];
  /** By device. */
  results: Map<number, ProbeResult>;
}

/**
 * Stores the reports of these requests in their order, each sequence once: figures, lists and health of each device. Call it with
 * the states of their monitors locked. Returns what became of each request, and a check result for each device that has reported.
 */
export async function settleReports(
  trx: Db,
  arrivals: readonly Arrival[],
): Promise<{ outcomes: Outcome[]; results: ProbeResult[] }> {
  const ids = [...new Set(arrivals.map(({ holder }) => holder.monitorId))];
  const devices = new Map((await lockDevices(trx, ids)).map((device) => [device.id, device]));
  const settings = await readHealthSettings(trx, ids);
  const kept: Kept = { figures: [], snapshots: [], moments: [], changes: [], results: new Map() };
  const outcomes: Outcome[] = [];
  for (const arrival of arrivals) {
    const device = devices.get(arrival.holder.monitorId);
    const own = device && settings.get(device.id);
    // The token has been replaced, or the device deleted, since the request was authenticated.
    if (!own || device.tokenHash !== arrival.tokenHash) outcomes.push({ is: "unknown" });
    else {
      const next = await settleOne(trx, { arrival, device, own }, kept);
      devices.set(device.id, next.device);
      outcomes.push(next.outcome);
    }
  }
  await saveDevices(trx, [...devices.values()]);
  await keepReports(trx, kept.figures);
  await saveSnapshots(trx, kept.snapshots);
  await saveMoments(trx, kept.moments);
  await insertChanges(trx, kept.changes);
  return { outcomes, results: [...kept.results.values()] };
}

interface OneArrival {
  arrival: Arrival;
  device: Device;
  own: { config: AgentConfig; intervalSeconds: number };
}

async function settleOne(
  trx: Db,
  { arrival, device, own }: OneArrival,
  kept: Kept,
): Promise<{ device: Device; outcome: Outcome }> {
  const { body, address, at: now } = arrival;
  const { instance: installation, machineId: machine, bootId: boot, run } = body.agent;
  const { system } = body.reports.findLast((report) => report.system) ?? {};
  const told = { hostname: system?.hostname ?? null, bootedAt: system ? bootedAt(system, body, now) : null };
  const reporting = { agent: { installation, machine, boot, run }, ...told, address };
  // While the device counts as online, no other agent takes its place.
  const silenceMs = offlineAfterSeconds(own.intervalSeconds) * 1000;
  const { isAdmitted, device: admitted } = admit(device, reporting, { now, silenceMs });
  if (!isAdmitted) return { device: admitted, outcome: { is: "rival" } };
  const reports = body.reports.filter(({ sequence }) => sequence > admitted.sequence);
  const next = withReports(admitted, { reports, body, now }, { config: own.config, silenceMs });
  const deviceId = device.id;
  const named = <Row>(row: Row) => ({ deviceId, ...row });
  kept.figures.push(...figuresOf({ reports, body, now }).map(named));
  const lists = await listsOf(trx, deviceId, { reports, body, now, snapshots: arrival.snapshots });
  kept.snapshots.push(...lists.snapshots.map(named));
  kept.moments.push(...lists.moments.map(named));
  kept.changes.push(...lists.changes.map(named));
  if (reports.length > 0) kept.results.set(deviceId, resultOf(next, arrival, own.config));
  return { device: next, outcome: { is: "taken", acknowledged: next.sequence } };
}
