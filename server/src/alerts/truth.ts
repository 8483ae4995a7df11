import { decodeState } from "../engine/status/encode-state.ts";
import type { MonitorState } from "../engine/status/state.ts";
import { listMonitorTruths } from "../monitors/queries/monitor-names.ts";
import type { Db } from "../platform/database/schema.ts";
import type { MonitorKind, Severity } from "../platform/monitor-defaults.ts";
import { mapInTurns } from "../platform/turns.ts";
import { type Condition, incidentSubject, monitorSubject } from "./alert.ts";
import type { ChannelEvent } from "./channels/filter.ts";

/** How a monitor is now, as far as anybody is notified of it. Milliseconds. */
export interface MonitorTruth {
  monitorId: number;
  organizationId: number;
  kind: MonitorKind;
  severity: Severity;
  tags: readonly string[];
  condition: Condition;
  since: number;
  state: MonitorState | null;
  /** The monitor behind which it is down. */
  parentId: number | null;
  isInMaintenance: boolean;
  /** What it was down behind has recovered; whether it is down by itself is being confirmed. */
  isBeingConfirmed: boolean;
  /** It is no longer checked: it is paused, or was deleted. */
  isUnwatched: boolean;
  /** Nothing is known of it, and no channel was notified of that: it has not recovered. */
  isUnknown: boolean;
  /** Since when it has been checked, the way it is; what channels knew before is of another check. */
  watchedSince: number;
  isDeleted: boolean;
  /** The incident that has its open outage. */
  incidentId: number | null;
  /** Its outage was acknowledged: one that joined the incident later was not. Undefined: it has no incident. */
  isAcknowledged: boolean | undefined;
}

/** How these monitors are. Those that were removed are not there. */
export async function readTruth(trx: Db, ids: readonly number[]): Promise<Map<number, MonitorTruth>> {
  const rows = await listMonitorTruths(trx, ids);
  return new Map(await mapInTurns(rows, (row) => [row.id, truthOf(row)] as const));
}

function truthOf(row: Awaited<ReturnType<typeof listMonitorTruths>>[number]): MonitorTruth {
  const state = row.rules === null ? null : decodeState(row.rules);
  const isUnwatched = row.enabled !== 1 || row.deleted_at !== null || state?.watchedSince === null;
  const { condition, since } = isUnwatched ? { ...OK, since: state?.since ?? 0 } : conditionOf(state);
  const isOfOutage = ["down", "critical", "flapping"].includes(condition);
  // Of a device that was in a critical state before, its state says since when it is offline.
  const isOwnStart = condition === "down" && state?.outage?.health === undefined;
  return {
    ...{ monitorId: row.id, organizationId: row.organization_id, kind: row.kind, severity: row.severity },
    ...{ tags: JSON.parse(row.tags) as string[], condition, state, isUnwatched },
    isDeleted: row.deleted_at !== null,
    isUnknown: !isUnwatched && condition === "ok" && state?.status === "unknown",
    watchedSince: state?.watchedSince ?? 0,
    since: isOwnStart ? (row.outage_started_at ?? since) : since,
    parentId: condition === "down" ? (state?.suppressed?.by ?? null) : null,
    isInMaintenance: row.maintenance_until !== null,
    isBeingConfirmed: condition === "down" && !state?.outage && !state?.suppressed,
    incidentId: isOfOutage ? row.incidentId : null,
    // What people call resolved needs no reminders, though it goes on.
    isAcknowledged:
      row.incidentId === null ? undefined : row.isOutageAcknowledged === 1 || row.resolved_at !== null,
  };
}

const OK = { condition: "ok" as Condition, since: 0 };

/** What is wrong, by the rules' state. */
function conditionOf(state: MonitorState | null): { condition: Condition; since: number } {
  if (state === null) return OK;
  const { outage, flapping, suppressed, degradationNotified, stopNotified, status, since } = state;
  if (flapping) return { condition: "flapping", since: flapping.since };
  if (outage?.health && status !== "down") return { condition: "critical", since: outage.startedAt };
  if (outage) return { condition: "down", since: outage.health ? since : outage.startedAt };
  if (suppressed?.until === null || status === "down") return { condition: "down", since };
  if (status === "unknown" && stopNotified) return { condition: "stopped", since };
  return { condition: status === "degraded" && degradationNotified ? "degraded" : "ok", since };
}

/** The event by which channels choose what is wrong with it. */
export function eventOfCondition({
  kind,
  condition,
}: Pick<MonitorTruth, "kind" | "condition">): ChannelEvent {
  if (condition === "flapping" || condition === "stopped") return `monitor.${condition}`;
  const isDevice = kind === "device";
  if (condition === "critical") return "device.health";
  if (condition === "degraded") return isDevice ? "device.health" : "monitor.degraded";
  return isDevice ? "device.offline" : "monitor.down";
}

/** The alert of a monitor with a problem; null: it has none. `parents`: those that it is down behind, the nearest first. */
export function subjectOf(truth: MonitorTruth, parents: readonly MonitorTruth[]): string | null {
  const { condition, incidentId, monitorId } = truth;
  if (condition === "ok") return null;
  const shared = incidentId ?? parents.find((parent) => parent.incidentId !== null)?.incidentId ?? null;
  if (shared !== null) return incidentSubject(shared);
  // Its incident was deleted: what is behind it is listed with it all the same.
  const top = parents.findLast((parent) => parent.condition !== "ok");
  return monitorSubject(top?.monitorId ?? monitorId);
}
