import { assertStays } from "../account/members.ts";
import { planOf } from "../account/plans.ts";
import { AGENT_TYPE, HEARTBEAT_TYPE } from "../check/told-types.ts";
import { markPaused } from "../pipeline.ts";
import { decisiveChanges } from "../secret/config-secrets.ts";
import { adoptSettings } from "../status/adopt-settings.ts";
import type { RunSettings } from "../status/due.ts";
import { markResumed } from "../status/pause-monitor.ts";
import { listLocations } from "../store/queries/meta.ts";
import { saveMembers, saveParents } from "../store/queries/monitor-changes.ts";
import { forgetTarget, type Monitor, saveSettings } from "../store/queries/monitors.ts";
import { lockOrganization } from "../store/queries/organizations.ts";
import { lockStates } from "../store/queries/states.ts";
import type { Running } from "../verb/verb.ts";
import { announceChange } from "./announce-change.ts";
import { applyInput, isSameCheck } from "./apply-input.ts";
import { requireCheckKind } from "./check-rules.ts";
import { findMembers } from "./find-members.ts";
import { findParents } from "./find-parents.ts";
import { type MonitorDetail, readMonitorDetail } from "./monitor-detail.ts";
import { refuseProblems } from "./refuse-problems.ts";
import { lockMonitor } from "./require-monitor.ts";
import { openSettings, sealSettings } from "./sealed-settings.ts";
import type { MonitorInput, MonitorSettings } from "./settings.ts";

/** When a monitor with these settings is told; null: it is not. */
function runsOf({ type, config }: { type: string; config: object }): RunSettings | null {
  if (type === HEARTBEAT_TYPE) return config;
  return type === AGENT_TYPE ? {} : null;
}

/**
 * Changes what is given of a monitor and leaves the rest. Switching `enabled` off pauses it, which
 * ends an open outage. Throws 404, 422 with every field that is wrong, or 409 for resuming it where the organization is
 * to be deleted.
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
  const facts = { kind, plan, locations: await listLocations(db), targets: ctx.network.policy };
  const base = openSettings(ctx.secrets, before);
  const { settings, problems } = applyInput(base, changes, facts);
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
  if (before.enabled && !settings.enabled) await markPaused(db, [id], now);
  else if (before.enabled && beginsAnew) await markPaused(db, [id], now, "changed");
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
