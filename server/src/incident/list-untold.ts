import type { Db } from "../store/db.ts";
import { listChannels } from "../store/queries/channels.ts";
import { listToldChannels } from "../store/queries/incident-deliveries.ts";
import type { Incident } from "../store/queries/incidents.ts";
import { readMonitors } from "../store/queries/read-monitors.ts";
import { listTurnedOff } from "../store/queries/turned-off-channels.ts";
import { type FoundOutage, type UntoldReason, whyUntold } from "./why-untold.ts";

/** A channel that was told nothing of an incident's outages. */
export interface UntoldChannel {
  id: number;
  name: string;
  why: UntoldReason;
  /** Since when it is off, milliseconds, where that is why and was kept. */
  since: number | null;
}

async function outagesOf(db: Db, incident: Incident): Promise<FoundOutage[]> {
  const outages = incident.affectedServices.flatMap((one) => {
    const { monitorId, outageStartedAt: startedAt, outageEndedAt, maintenanceUntil } = one;
    // What goes on in maintenance is told when that ends.
    const waits = maintenanceUntil !== null && outageEndedAt === null;
    return startedAt === null || waits ? [] : [{ monitorId, startedAt }];
  });
  const ids = outages.flatMap(({ monitorId }) => monitorId ?? []);
  const monitors = await readMonitors(db, incident.organizationId, ids);
  return outages.map(({ monitorId, startedAt }) => ({
    at: Math.max(startedAt, incident.detectedAt),
    monitor: monitors.get(monitorId ?? 0) ?? null,
  }));
}

/** The organization's channels that were told nothing of an incident's outages, oldest first, and why. */
export async function listUntold(
  db: Db,
  incident: Incident,
  whose: { incidentId: number; userId: number },
): Promise<UntoldChannel[]> {
  const outages = await outagesOf(db, incident);
  if (outages.length === 0) return [];
  const told = await listToldChannels(db, whose);
  const channels = (await listChannels(db, incident.organizationId)).filter(({ id }) => !told.has(id));
  const off = await listTurnedOff(
    db,
    channels.map(({ id }) => id),
  );
  return channels.map((channel) => {
    const turnedOffAt = off.get(channel.id)?.at ?? null;
    const why = whyUntold({ ...channel, turnedOffAt }, outages);
    const { id, name } = channel;
    return { id, name, why, since: why === "off" ? turnedOffAt : null };
  });
}
