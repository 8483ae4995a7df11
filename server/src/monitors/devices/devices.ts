import { Type } from "typebox";
import { mayRead } from "../../platform/access/check-access.ts";
import { hashToken, randomToken } from "../../platform/access/random-tokens.ts";
import { type FieldErrors, invalidInput, notFound } from "../../platform/errors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { IdParams, withId } from "../../platform/operations/field.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { pageIn, pagingOf, readSort } from "../../platform/operations/paging.ts";
import { bulkVerb } from "../bulk-verb.ts";
import { createMonitor, deleteMonitor, updateMonitor } from "../create-monitor.ts";
import { listMonitors, type MonitorFilters } from "../list-monitors.ts";
import { findOfKind, lockMonitor } from "../monitor.ts";
import { monitorStats } from "../monitor-stats.ts";
import { saveLinks } from "../queries/device-snapshots.ts";
import {
  countDeviceIncidents,
  countDevices,
  lockDevices,
  newDevice,
  saveDevices,
} from "../queries/devices.ts";
import { findMonitor, findMonitors, type Monitor } from "../queries/monitors.ts";
import {
  CreatedDevice,
  DeletedDevice,
  DeviceCreate,
  DeviceDetail,
  DeviceListItem,
  DeviceListQuery,
  DeviceStats,
  DeviceUpdate,
  NewDeviceToken,
  projectDevice,
  projectDeviceDetail,
  readDeviceInput,
  readDeviceStatus,
} from "../schemas/devices.ts";
import type { MonitorSortName } from "../schemas/monitor-detail.ts";
import type { MonitorInput } from "../settings.ts";
import { readDeviceDetail, withDevices } from "./shown-device.ts";

/** Throws 422 for domains and services that the caller cannot read, and for devices. */
async function linkMonitors(ctx: Running, deviceId: number, uuids: readonly string[]): Promise<void> {
  const { organizationId } = ctx.caller;
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  const refs = wanted.map((uuid) => ({ uuid }));
  const found = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const known = new Set(found.map(({ uuid }) => uuid));
  const problems: MessageDescriptor[] = wanted
    .filter((uuid) => !known.has(uuid))
    .map((uuid) => msg("member.unknown", { uuid }));
  for (const { kind, name } of found) if (kind === "device") problems.push(msg("link.kind", { name }));
  const fields: FieldErrors = { linkedMonitors: problems };
  if (problems.length > 0) throw invalidInput(fields);
  await saveLinks(
    ctx.db,
    deviceId,
    found.map(({ id }) => id),
  );
}

const { resource, feature } = MONITOR_KIND_TRAITS.device;
const reads = { resource, feature, action: "read" } as const;
const writes = { resource, feature, action: "write" } as const;
const find = findOfKind("device");

const newToken = () => `vda_${randomToken()}`;

const show = async (ctx: Running, found: Monitor) =>
  projectDeviceDetail(await readDeviceDetail(ctx, found), ctx.clock.now());

export const listDevices = verb({
  ...reads,
  input: DeviceListQuery,
  output: Type.Array(DeviceListItem),
  paged: true,
  async run(ctx, { sort, status, ...query }) {
    const paging = pagingOf(query);
    const order = { ...paging, sort: readSort<MonitorSortName>(sort) };
    const filters: MonitorFilters = { ...query, status: readDeviceStatus(status) };
    const { items, total } = await listMonitors(ctx, { ...filters, ...order, kind: "device" });
    const now = ctx.clock.now();
    const devices = await withDevices(ctx, items);
    return { items: devices.map((device) => projectDevice(device, now)), page: pageIn(paging, total) };
  },
});

export const deviceStats = verb({
  ...reads,
  input: Type.Object({}),
  output: DeviceStats,
  async run(ctx) {
    const { db, caller } = ctx;
    const { total, online, ...health } = await countDevices(db, caller.organizationId);
    const { down, degraded, unknown, paused, maintenance } = await monitorStats(ctx, { kind: "device" });
    const activeIncidents = await countDeviceIncidents(db, caller.organizationId);
    return {
      ...{ total, online, offline: total - online, down, degraded, unknown, paused, maintenance },
      ...health,
      activeIncidents,
    };
  },
});

/** Throws 404. */
export const getDevice = verb({
  ...reads,
  input: IdParams,
  output: DeviceDetail,
  find,
  run: (ctx, _, found) => show(ctx, found),
});

/** The token is shown this once. Throws 403 at the plan's limit. */
export const createDevice = verb({
  ...writes,
  audit: "create devices",
  input: DeviceCreate,
  output: CreatedDevice,
  async run(ctx, input) {
    const { settings, links = [] } = readDeviceInput(input);
    const { token, monitor } = await addDevice(ctx, settings);
    if (links.length > 0) await linkMonitors(ctx, monitor.id, links);
    const device = await show(ctx, monitor);
    ctx.record(device);
    return { device, token };
  },
});

export async function addDevice(
  ctx: Running,
  settings: MonitorInput,
): Promise<{ token: string; monitor: Monitor }> {
  const { db, caller } = ctx;
  const { id } = await createMonitor(ctx, { kind: "device", settings });
  const token = newToken();
  await saveDevices(db, [newDevice(id, hashToken(token), ctx.clock.now())]);
  const monitor = await findMonitor(db, {
    organizationId: caller.organizationId,
    kind: "device",
    ref: { id },
  });
  if (!monitor) throw notFound();
  return { token, monitor };
}

export const updateDevice = verb({
  ...writes,
  audit: "update devices",
  input: withId(DeviceUpdate),
  output: DeviceDetail,
  find,
  async run(ctx, input, found) {
    const { settings, links } = readDeviceInput(input);
    await updateMonitor(ctx, found, settings);
    if (links) await linkMonitors(ctx, found.id, links);
    return show(ctx, await lockMonitor(ctx, found));
  },
});

/** Its token stops working at once. */
export const deleteDevice = verb({
  ...writes,
  audit: "delete devices",
  input: IdParams,
  output: DeletedDevice,
  find,
  run: (ctx, _, found) => deleteMonitor(ctx, found),
});

/** The old token stops working with this transaction, on every server. */
export const regenerateDeviceToken = verb({
  ...writes,
  audit: "regenerate device token",
  hints: { destructive: true },
  input: IdParams,
  output: NewDeviceToken,
  find,
  async run(ctx, _, found) {
    const { id, name } = await lockMonitor(ctx, found);
    ctx.record({ id, name });
    return { token: await replaceToken(ctx, id) };
  },
});

/** Forgets which other agent used the old one. Throws 404. */
export async function replaceToken(
  { db, clock }: Pick<Running, "db" | "clock">,
  id: number,
): Promise<string> {
  const [device] = await lockDevices(db, [id]);
  if (!device) throw notFound();
  const token = newToken();
  await saveDevices(db, [{ ...device, tokenHash: hashToken(token), tokenSince: clock.now(), rival: null }]);
  return token;
}

export const changeDevices = bulkVerb("device");
