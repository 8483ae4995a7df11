import { randomUUIDv7 } from "node:crypto";
import { lockStates } from "../engine/queries/states.ts";
import type { RunSettings } from "../engine/status/late-signals.ts";
import { adoptSettings, createState, markResumed } from "../engine/status/monitor-states.ts";
import { assertStays } from "../platform/access/check-access.ts";
import { assertQuota, planOf } from "../platform/access/plans.ts";
import { countOwnedMonitors, lockOrganization } from "../platform/access/queries/organizations.ts";
import { listLocations } from "../platform/database/installation.ts";
import { notFound } from "../platform/errors.ts";
import { kindsOf, MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import type { Running } from "../platform/operations/operation.ts";
import { decisiveChanges } from "../platform/secrets/config-secrets.ts";
import { AGENT_TYPE, HEARTBEAT_TYPE } from "../platform/signalled-types.ts";
import { announceChange } from "./announce-change.ts";
import { applyInput, isSameCheck, newMonitor } from "./apply-input.ts";
import { openSettings, refuseProblems, requireCheckKind, sealSettings } from "./check-rules.ts";
import { findMembers, findParents } from "./find-members.ts";
import { lockMonitor, type OfKind } from "./monitor.ts";
import { type MonitorDetail, readMonitorDetail } from "./monitor-detail.ts";
import { markMonitorsDeleted, saveMembers, saveParents } from "./queries/monitor-changes.ts";
import { findMonitor, forgetTarget, insertMonitor, type Monitor, saveSettings } from "./queries/monitors.ts";
import type { MonitorInput, MonitorSettings } from "./settings.ts";

/** The settings that a new monitor would have, and what is wrong with what is given of them. */
export async function newSettings(
  { db, caller, network }: Pick<Running, "db" | "caller" | "network">,
  { kind, settings }: OfKind & { settings: MonitorInput },
): Promise<ReturnType<typeof applyInput>> {
  const plan = planOf(caller.plan);
  const type = MONITOR_KIND_TRAITS[kind].type ?? settings.type ?? "";
  const context = { kind, plan, locations: await listLocations(db), targets: network.policy };
  return applyInput(newMonitor(plan, kind, type), settings, context);
}

/**
 * Starts monitoring something. Throws 422 with every field that is wrong, 403 when the plan's number
 * of monitors is reached, and 409 where the organization is to be deleted.
 */
export async function createMonitor(
  ctx: Running,
  { kind, settings: given }: OfKind & { settings: MonitorInput },
): Promise<MonitorDetail> {
  const { db } = ctx;
  const { organizationId } = ctx.caller;
  const plan = planOf(ctx.caller.plan);
  const now = ctx.clock.now();
  assertStays(await lockOrganization(db, organizationId));
  const { settings, problems } = await newSettings(ctx, { kind, settings: given });
  const members = await findMembers(ctx, null, settings, problems);
  const parents = await findParents(ctx, null, given.parents && settings.parents, problems);
  await refuseProblems(db, { organizationId, kind, exceptId: null, settings, problems });
  const { quota } = MONITOR_KIND_TRAITS[kind];
  assertQuota(quota, await countOwnedMonitors(db, organizationId, kindsOf(quota)), plan[quota]);
  const stored = sealSettings(ctx.secrets, settings);
  const id = await insertMonitor(db, { ...stored, uuid: randomUUIDv7(), organizationId, kind }, now);
  await createState(db, id, now);
  await saveMembers(db, id, members);
  if (parents !== null) await saveParents(db, id, parents);
  await announceChange(ctx, kind, [id]);
  const monitor = await findMonitor(db, { organizationId, kind, ref: { id } });
  if (!monitor) throw notFound();
  return readMonitorDetail(ctx, monitor);
}

/**
 * Stops monitoring something and forgets its secrets. Its target and name are free again at once, its
 * history goes with retention. Throws 404.
 */
export async function deleteMonitor(ctx: Running, found: Monitor): Promise<{ id: number; uuid: string }> {
  const now = ctx.clock.now();
  const { id, uuid, kind, name } = await lockMonitor(ctx, found);
  await ctx.dataPath.markPaused(ctx.db, [id], now, "deleted");
  await markMonitorsDeleted(ctx.db, [id], now);
  await announceChange(ctx, kind, [id], { areGone: true });
  ctx.record({ id, name });
  return { id, uuid };
}

/** When a monitor with these settings expects a signal; null: it expects none. */
function runsOf({ type, config }: { type: string; config: object }): RunSettings | null {
  if (type === HEARTBEAT_TYPE) return config;
  return type === AGENT_TYPE ? {} : null;
}

/**
 * Changes what is given of a monitor and leaves the rest. Switching `enabled` off pauses it, which ends an open outage. Throws
 * 404, 422 with every field that is wrong, or 409 for resuming it where the organization is to be deleted.
 */
export async function updateMonitor(
  ctx: Running,
  found: Monitor,
  changes: MonitorInput,
): Promise<MonitorDetail> {
  const { db } = ctx;
  const { id, kind, organizationId } = found;
  const plan = planOf(ctx.caller.plan);
  const now = ctx.clock.now();
  const organization = await lockOrganization(db, organizationId);
  const before = await lockMonitor(ctx, found);
  if (changes.enabled && !before.enabled) assertStays(organization);
  const context = { kind, plan, locations: await listLocations(db), targets: ctx.network.policy };
  const base = openSettings(ctx.secrets, before);
  const { settings, problems } = applyInput(base, changes, context);
  const isOther = !isSameCheck(base, settings);
  const members = isOther ? await findMembers(ctx, id, settings, problems) : [];
  const parents = await findParents(ctx, id, changes.parents && settings.parents, problems);
  await refuseProblems(db, { organizationId, kind, exceptId: id, settings, problems });
  // First of all: results of this monitor lock its state first too, and everything else after it.
  const watched = await lockStates(db, [id]);
  const revision = await saveSettings(db, id, sealSettings(ctx.secrets, settings), now);
  const targetRevision = isOther ? revision : null;
  if (isOther) await saveMembers(db, id, members);
  if (parents !== null) await saveParents(db, id, parents);
  // What the former kind found says nothing about this one: as if it were new.
  const beginsAnew = settings.type !== base.type;
  const adopted = { ...settings, targetRevision, beginsAnew, runs: runsOf(settings) };
  for (const monitor of watched) await adoptSettings(db, monitor, adopted, now);
  if (isReachedOtherwise(base, settings)) await forgetTarget(db, id);
  if (before.enabled && !settings.enabled) await ctx.dataPath.markPaused(db, [id], now);
  else if (before.enabled && beginsAnew) await ctx.dataPath.markPaused(db, [id], now, "changed");
  if (settings.enabled && (!before.enabled || beginsAnew)) await markResumed(db, [id], now);
  await announceChange(ctx, kind, [id]);
  return readMonitorDetail(ctx, await lockMonitor(ctx, before));
}

/** Whether the certificate that was seen is no longer its own: it leads elsewhere, another server name is sent, or TLS has been turned off. */
function isReachedOtherwise(before: MonitorSettings, { type, target, config }: MonitorSettings): boolean {
  if (type !== before.type || target !== before.target) return true;
  const changed = decisiveChanges(requireCheckKind(type).configSchema, before.config, config);
  return changed.some((name) => NAMES_CERTIFICATE.has(name));
}

const NAMES_CERTIFICATE = new Set(["tls", "security", "starttls", "hostHeader", "serverName"]);
