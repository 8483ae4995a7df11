import { randomUUIDv7 } from "node:crypto";
import { derivedTypes, unprobedTypes } from "../check/registry.ts";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { StatusEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { lockOpenOutages } from "../store/queries/automatic-incidents.ts";
import { readDependencies } from "../store/queries/monitor-parents.ts";
import { lockGrouping, readTargets } from "../store/queries/open-groups.ts";
import { type Cause, causesOf } from "./group-rules.ts";
import type { OutageIncident } from "./live-incident.ts";
import { openIncidents } from "./open-incident.ts";
import { type OutageEnd, resolveOutages } from "./resolve-incident.ts";
import { rewriteIncidents } from "./rewrite-incidents.ts";
import type { Outage } from "./rules.ts";
import { type DeviceChange, updateDeviceIncidents } from "./update-device-incidents.ts";

const OUTAGE_EVENTS = ["outage_opened", "outage_closed", "outage_worsened", "health_changed"] as const;
type OutageEvent = Extract<StatusEvent, { type: (typeof OUTAGE_EVENTS)[number] }>;

/**
 * Opens and resolves the automatic incidents that the rules asked for. A monitor that did both
 * within one batch (a probe that was cut off for a while) does so in its own order: everybody's
 * first event is one round of bulk statements, everybody's second the next.
 */
export async function settleOutages(
  trx: Db,
  changed: readonly ChangedMonitor[],
  now: number,
): Promise<OutageIncident[]> {
  const incidents: OutageIncident[] = [];
  const causes = await readCauses(trx, changed);
  const queues = changed.map(({ monitor, events }) => ({ monitor, outages: events.filter(isOutageEvent) }));
  for (let round = 0; ; round += 1) {
    const opened: Outage[] = [];
    const ended: OutageEnd[] = [];
    const changes: DeviceChange[] = [];
    for (const { monitor, outages } of queues) {
      const event = outages[round];
      const named = { monitorId: monitor.monitorId, monitorName: monitor.name };
      if (event?.type === "outage_worsened" || event?.type === "health_changed")
        changes.push({ ...named, ...event });
      if (event?.type === "outage_closed") ended.push({ ...named, ...event });
      if (event?.type !== "outage_opened") continue;
      const { organizationId, severity, monitorId } = monitor;
      // A machine that is busy is not why others are down with it.
      const shared = event.health ? { causes: [] } : (causes.get(monitorId) ?? { causes: [] });
      const own = { uuid: randomUUIDv7(), organizationId, severity, ...shared };
      opened.push({ ...named, ...event, ...own });
    }
    if (opened.length + ended.length + changes.length === 0) {
      await rewriteFlapping(trx, changed, now);
      return incidents;
    }
    incidents.push(...(await updateDeviceIncidents(trx, changes, now)));
    incidents.push(...(await resolveOutages(trx, ended, now)), ...(await openIncidents(trx, opened, now)));
  }
}

/** The incident of a monitor that flaps says so until that has settled: it would say that it is down while it is up. */
async function rewriteFlapping(trx: Db, changed: readonly ChangedMonitor[], now: number): Promise<void> {
  const turned = changed.filter(({ events }) =>
    events.some(
      (one) => one.type === "notice" && (one.event === "monitor.flapping" || one.event === "monitor.settled"),
    ),
  );
  if (turned.length === 0) return;
  const ids = turned.map(({ monitor }) => monitor.monitorId);
  await rewriteIncidents(trx, await lockOpenOutages(trx, ids), now);
}

/** What the outages that begin may come from. Nobody else opens incidents of these organizations meanwhile. */
async function readCauses(
  trx: Db,
  changed: readonly ChangedMonitor[],
): Promise<Map<number, Pick<Outage, "causes" | "follows" | "watchedSince">>> {
  const opening = changed.filter(({ events }) => events.some(({ type }) => type === "outage_opened"));
  if (opening.length === 0) return new Map();
  await lockGrouping(
    trx,
    opening.map(({ monitor }) => monitor.organizationId),
  );
  const ids = opening.map(({ monitor }) => monitor.monitorId);
  const targets = await readTargets(trx, ids);
  const dependencies = Map.groupBy(await readDependencies(trx, ids), ({ monitorId }) => monitorId);
  return new Map(
    opening.map(({ monitor, events }) => {
      const { type = "", target = "", createdAt = 0 } = targets.get(monitor.monitorId) ?? {};
      const parents = (dependencies.get(monitor.monitorId) ?? []).map(
        ({ parentId: id, name: value }): Cause => ({ kind: "parent", value, id }),
      );
      // What is told or follows others has no host of its own.
      if (unprobedTypes.includes(type)) {
        const watchedSince = Math.max(createdAt, monitor.state.watchedSince ?? 0);
        return [monitor.monitorId, { causes: parents, follows: derivedTypes.includes(type), watchedSince }];
      }
      const failing = Object.entries(monitor.state.locations).filter(([, { failures }]) => failures > 0);
      const reason = events.find((event) => event.type === "outage_opened")?.reason ?? null;
      const address = monitor.last.result ? (JSON.parse(monitor.last.result) as LastResult).address : null;
      const clues = { target, address: address ?? null, reason, failingAt: failing.map(([code]) => code) };
      return [monitor.monitorId, { causes: [...parents, ...causesOf(clues)] }];
    }),
  );
}

interface LastResult {
  address?: string | null;
}

const isOutageEvent = (event: StatusEvent): event is OutageEvent =>
  (OUTAGE_EVENTS as readonly string[]).includes(event.type);
