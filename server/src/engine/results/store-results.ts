import { OUTCOMES } from "../../checks/outcome.ts";
import { ensureLocations } from "../../platform/database/installation.ts";
import type { Db } from "../../platform/database/schema.ts";
import { readStoredMessage } from "../../platform/i18n/message.ts";
import { type ProbeResult, withoutEvidence } from "../probe/link.ts";
import { insertResults } from "../queries/results.ts";
import type { WatchedMonitor } from "../queries/states.ts";
import { roundPhases } from "./precision.ts";
import type { StoredResult } from "./stored-result.ts";

/** Results as they were measured, and which of them the store did not have. */
export interface StoredBatch {
  /** By monitor; those that were known already as well. */
  all: ReadonlyMap<number, ProbeResult[]>;
  newResults: ReadonlyMap<number, ProbeResult[]>;
  isNew(result: ProbeResult): boolean;
  /** Those that were found in a maintenance window. */
  inWindow: ReadonlySet<ProbeResult>;
  /** The new ones, as they are stored. */
  rows: StoredResult[];
}

/** A result as it is known from here on; an older probe, or its queue on disk, has a sentence for a reason. */
export const received = (result: ProbeResult & { reasonCode?: string | null }): ProbeResult => ({
  ...withoutEvidence(result),
  phases: roundPhases(result.phases),
  reason: readStoredMessage(result.reason, result.reasonCode),
});

/** A monitor as far as windows are concerned. */
export interface Coverable {
  monitorId: number;
  organizationId: number;
  /** JSON array. */
  tags: string;
}

/** Which monitors are in a maintenance window, and until when (monitors/maintenance/active-windows.ts). */
interface Windows {
  until(monitor: Coverable, at: number): number | null;
}

/** Inserts the results of these monitors, marked where a maintenance window was open at their time, and drops the others. */
export async function storeResults(
  trx: Db,
  monitors: readonly Coverable[],
  results: readonly ProbeResult[],
  { now, windows }: { now: number; windows?: Windows | undefined },
): Promise<StoredBatch> {
  const known = new Map(monitors.map((monitor) => [monitor.monitorId, monitor]));
  const isInWindow = ({ monitorId, scheduledAt }: ProbeResult): boolean => {
    const monitor = known.get(monitorId);
    return monitor !== undefined && windows !== undefined && windows.until(monitor, scheduledAt) !== null;
  };
  const wanted = results.filter(({ monitorId }) => known.has(monitorId));
  const codes = wanted.map(({ location }) => location);
  const inWindow = new Set(windows ? wanted.filter(isInWindow) : []);
  const locations = await ensureLocations(trx, codes, now);
  const byRow = new Map(wanted.map((result) => [toStored(result, locations, inWindow.has(result)), result]));
  const rows = await insertResults(trx, [...byRow.keys()]);
  const fresh = new Set(rows.flatMap((row) => byRow.get(row) ?? []));
  const newResults = Map.groupBy(fresh, ({ monitorId }) => monitorId);
  const all = fresh.size === wanted.length ? newResults : Map.groupBy(wanted, ({ monitorId }) => monitorId);
  return { all, newResults, isNew: (result) => fresh.has(result), inWindow, rows };
}

function toStored(
  result: ProbeResult,
  locations: ReadonlyMap<string, number>,
  isInWindow: boolean,
): StoredResult {
  return {
    monitorId: result.monitorId,
    locationId: locations.get(result.location) ?? 0,
    scheduledAt: result.scheduledAt,
    outcome: OUTCOMES[result.verdict].stored,
    statusCode: result.statusCode,
    ...result.phases,
    reason: result.reason,
    message: result.message ?? null,
    maintenance: isInWindow ? 1 : 0,
  };
}

/**
 * Says in the transaction what is to be stored of these results, once the states of their monitors are locked: all of them,
 * those that are still true, or others. Run again, it begins anew.
 */
export type PrepareResults = (
  trx: Db,
  results: readonly ProbeResult[],
  monitors: readonly WatchedMonitor[],
) => Promise<readonly ProbeResult[]>;
