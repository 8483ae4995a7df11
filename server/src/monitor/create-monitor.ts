import { randomUUIDv7 } from "node:crypto";
import { assertStays } from "../account/members.ts";
import { assertQuota, planOf } from "../account/plans.ts";
import { notFound } from "../errors.ts";
import { createState } from "../status/pause-monitor.ts";
import { listLocations } from "../store/queries/meta.ts";
import { saveMembers, saveParents } from "../store/queries/monitor-changes.ts";
import { findMonitor, insertMonitor } from "../store/queries/monitors.ts";
import { countOwnedMonitors, lockOrganization } from "../store/queries/organizations.ts";
import type { Running } from "../verb/verb.ts";
import { announceChange } from "./announce-change.ts";
import { applyInput, newMonitor } from "./apply-input.ts";
import { findMembers } from "./find-members.ts";
import { findParents } from "./find-parents.ts";
import { kindsOf, MONITOR_KIND_FACTS } from "./kinds.ts";
import type { OfKind } from "./monitor.ts";
import { type MonitorDetail, readMonitorDetail } from "./monitor-detail.ts";
import { refuseProblems } from "./refuse-problems.ts";
import { sealSettings } from "./sealed-settings.ts";
import type { MonitorInput } from "./settings.ts";

/** The settings that a new monitor would have, and what is wrong with what is given of them. */
export async function newSettings(
  { db, caller, network }: Pick<Running, "db" | "caller" | "network">,
  { kind, settings }: OfKind & { settings: MonitorInput },
): Promise<ReturnType<typeof applyInput>> {
  const plan = planOf(caller.plan);
  const type = MONITOR_KIND_FACTS[kind].type ?? settings.type ?? "";
  const facts = { kind, plan, locations: await listLocations(db), targets: network.policy };
  return applyInput(newMonitor(plan, kind, type), settings, facts);
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
  const { quota } = MONITOR_KIND_FACTS[kind];
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
