import { Type } from "typebox";
import { findIncidentMeant } from "../../incidents/find-incident.ts";
import type { Incident } from "../../incidents/queries/incidents.ts";
import { IncidentDevice, type ShownIncidentDevice } from "../../incidents/schemas/incident-changes.ts";
import { FULLEST_DISK, type Moment } from "../../monitors/devices/new-reports.ts";
import { uncompress } from "../../monitors/devices/snapshots.ts";
import { devicesOf, readChanges, readMoment } from "../../monitors/queries/device-snapshots.ts";
import { projectChange } from "../../monitors/schemas/devices.ts";
import { assertAccess } from "../../platform/access/access.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/access/monitor-kinds.ts";
import type { Db } from "../../platform/database/db.ts";
import { OUTBOX_DAYS } from "../../platform/database/tables/outbox.ts";
import { IdParams, IdText, timestampOrNull } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { NewestFirstQuery, pageIn, pagingOf } from "../../platform/operations/page.ts";
import { explainIncident } from "../explain.ts";
import {
  countIncidentDeliveries,
  listIncidentDeliveries as queryDeliveries,
} from "../queries/incident-deliveries.ts";
import {
  IncidentDelivery,
  IncidentDeliveryDetails,
  projectChannelNotification,
  projectIncidentDelivery,
} from "../schemas/incident-deliveries.ts";

const OUTBOX_MS = OUTBOX_DAYS * 86_400_000;

/**
 * Who was notified of an incident in the last 30 days, newest first: by the organization's channels, and by the caller's own.
 * Other people's own channels are not shown. Beside it, what each channel was notified of, what it
 * waits for, and why it is sent nothing. Throws 404.
 */
export const listIncidentDeliveries = verb({
  resource: "notifications",
  feature: "team",
  action: "read",
  input: Type.Object({ id: IdText, ...NewestFirstQuery }),
  output: Type.Array(IncidentDelivery),
  paged: true,
  beside: IncidentDeliveryDetails,
  find: findIncidentMeant,
  async run({ db, caller, clock, config }, query, incident) {
    const whose = { incidentId: incident.id, userId: caller.userId };
    const paging = pagingOf(query);
    const now = clock.now();
    const found = await queryDeliveries(db, whose, paging);
    const items = found.map((delivery) => projectIncidentDelivery(delivery));
    const incomplete = beganAt(incident) < now - OUTBOX_MS;
    const hasOutages = incident.affectedServices.some(({ outageStartedAt }) => outageStartedAt !== null);
    const channelNotifications =
      incomplete || !hasOutages
        ? []
        : await explainIncident(db, config, incident, { userId: caller.userId, now });
    const beside = { incomplete, channels: channelNotifications.map(projectChannelNotification) };
    if (!paging.isPaged) return { items, beside };
    return { items, beside, page: pageIn(paging, await countIncidentDeliveries(db, whose)) };
  },
});

/** Before that nothing was sent of it, milliseconds. */
const beganAt = ({ createdAt, affectedServices }: Incident): number =>
  Math.min(createdAt, ...affectedServices.flatMap(({ outageStartedAt }) => outageStartedAt ?? []));

const SEEN_BEFORE_MS = 5 * 60_000;
const CHANGED_BEFORE_MS = 60 * 60_000;
/** An agent reports an installation a moment later. */
const NOTICED_AFTER_MS = 60_000;
const MOST_CHANGES = 100;
const MOST_DEVICES = 20;
const { resource, feature } = MONITOR_KIND_TRAITS.device;

/**
 * What the devices on which its monitors run were doing when an incident began. Throws 404, and 403 for who may not see devices.
 */
export const listIncidentDevices = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: Type.Array(IncidentDevice),
  find: findIncidentMeant,
  async run({ db, caller }, _, { affectedServices, startedAt }) {
    assertAccess(caller, { by: "caller", action: "read", resource, features: [feature] });
    const monitorIds = affectedServices.flatMap(({ monitorId }) => monitorId ?? []);
    const devices = await devicesOf(db, monitorIds);
    return Promise.all(devices.slice(0, MOST_DEVICES).map((device) => stateAt(db, device, startedAt)));
  },
});

async function stateAt(
  db: Db,
  device: { id: number; uuid: string; name: string },
  at: number,
): Promise<ShownIncidentDevice> {
  const stored = await readMoment(db, device.id, { from: at - SEEN_BEFORE_MS, at });
  const moment = stored && uncompress<Moment>(stored.items);
  const changes = await readChanges(db, device.id, {
    from: at - CHANGED_BEFORE_MS,
    to: at + NOTICED_AFTER_MS,
    limit: MOST_CHANGES,
  });
  const metric = (name: string) => moment?.figures[name] ?? null;
  return {
    device,
    at: timestampOrNull(stored?.at ?? null),
    figures: {
      cpuUsage: metric("cpu.usage"),
      load: metric("cpu.load1"),
      memoryUsage: metric("memory.usage"),
      swapUsage: metric("memory.swap.usage"),
      diskUsage: metric(FULLEST_DISK),
    },
    processes: moment?.processes ?? [],
    newConnections: moment?.newConnections ?? null,
    changes: changes.map(projectChange),
  };
}
