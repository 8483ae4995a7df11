import { notFound } from "../../platform/errors.ts";
import type { Running } from "../../platform/operations/operation.ts";
import type { ShownMonitor } from "../monitor.ts";
import { type MonitorDetail, readMonitorDetail } from "../monitor-detail.ts";
import { readLinks } from "../queries/device-snapshots.ts";
import { type Device, findCopies, readDevices } from "../queries/devices.ts";
import type { Monitor, NamedMonitor } from "../queries/monitors.ts";

export interface ShownDevice {
  monitor: ShownMonitor;
  device: Device;
}

export interface DeviceDetail extends ShownDevice {
  monitor: MonitorDetail;
  links: NamedMonitor[];
  /** With the same machine id. */
  copies: { id: number; uuid: string; name: string }[];
}

/** After its last rejection. */
const RIVAL_SHOWN_MS = 24 * 3_600_000;

/** Without those deleted meanwhile. */
export async function withDevices(ctx: Running, monitors: readonly ShownMonitor[]): Promise<ShownDevice[]> {
  const devices = await readDevices(
    ctx.db,
    monitors.map(({ id }) => id),
  );
  return monitors.flatMap((monitor) => {
    const device = devices.get(monitor.id);
    return device ? [{ monitor, device }] : [];
  });
}

/** Throws 404 if it has been deleted since it was found. */
export async function readDeviceDetail(ctx: Running, found: Monitor): Promise<DeviceDetail> {
  const { db, clock } = ctx;
  const [shown] = await withDevices(ctx, [await readMonitorDetail(ctx, found)]);
  if (!shown) throw notFound();
  const { device } = shown;
  const { organizationId, id: exceptId } = found;
  const machine = device.agent?.machine ?? null;
  const isOld = device.rival === null || clock.now() - device.rival.at > RIVAL_SHOWN_MS;
  return {
    monitor: shown.monitor as MonitorDetail,
    device: { ...device, rival: isOld ? null : device.rival },
    links: await readLinks(db, found.id),
    copies: machine === null ? [] : await findCopies(db, { organizationId, machine, exceptId }),
  };
}
