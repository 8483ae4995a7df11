import { randomUUIDv7 } from "node:crypto";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { StatusEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import type { OutageIncident } from "./live-incident.ts";
import { openIncidents } from "./open-incident.ts";
import { type OutageEnd, resolveOutages } from "./resolve-incident.ts";
import type { Outage } from "./rules.ts";

type OutageEvent = Extract<StatusEvent, { type: "outage_opened" | "outage_closed" }>;

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
  const queues = changed.map(({ monitor, events }) => ({ monitor, outages: events.filter(isOutageEvent) }));
  for (let round = 0; ; round += 1) {
    const opened: Outage[] = [];
    const ended: OutageEnd[] = [];
    for (const { monitor, outages } of queues) {
      const event = outages[round];
      const named = { monitorId: monitor.monitorId, monitorName: monitor.name };
      if (event?.type === "outage_closed") ended.push({ ...named, ...event });
      if (event?.type !== "outage_opened") continue;
      const { organizationId, severity } = monitor;
      opened.push({ ...named, ...event, uuid: randomUUIDv7(), organizationId, severity });
    }
    if (opened.length === 0 && ended.length === 0) return incidents;
    incidents.push(...(await resolveOutages(trx, ended, now)), ...(await openIncidents(trx, opened, now)));
  }
}

const isOutageEvent = (event: StatusEvent): event is OutageEvent =>
  event.type === "outage_opened" || event.type === "outage_closed";
