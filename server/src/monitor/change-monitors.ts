import { assertStays } from "../account/staying-organization.ts";
import { markPaused } from "../pipeline.ts";
import { markResumed } from "../status/pause-monitor.ts";
import type { Db } from "../store/db.ts";
import {
  type LockedMonitor,
  lockMonitors,
  markMonitorsDeleted,
  saveMonitorTags,
  setMonitorsEnabled,
} from "../store/queries/monitor-changes.ts";
import { lockOrganization } from "../store/queries/organizations.ts";
import type { Ref } from "../store/queries/ref.ts";
import { inSlices, takeTurns } from "../turns.ts";
import type { Running } from "../verb/verb.ts";
import { announceChange } from "./announce-change.ts";
import { type BulkChange, type BulkPlan, checkChange, planChange } from "./bulk-change.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import type { OfKind } from "./monitor.ts";

/** How many are changed in one go: some milliseconds of work on SQLite, whose statements hold the thread. */
const SLICE = 100;

/**
 * Pauses, resumes, deletes or tags many monitors in one transaction, each as its own verb would. Those that cannot be
 * changed are reported, and the others are changed all the same; unknown ones, and those of other organizations, are
 * left out. Throws 422 for bad tags, 409 for resuming where the organization is to be deleted.
 */
export async function changeMonitors(
  ctx: Running,
  input: OfKind & BulkChange & { refs: readonly Ref[] },
): Promise<BulkPlan> {
  const { db } = ctx;
  const { organizationId } = ctx.caller;
  const { kind, refs } = input;
  const { resource } = MONITOR_KIND_FACTS[kind];
  const change = checkChange(input);
  const now = ctx.clock.now();
  // Others have the thread in between; the transaction goes on.
  const giveWay = takeTurns();
  if (change.action === "resume") assertStays(await lockOrganization(db, organizationId));
  const found = await lockMonitors(db, { organizationId, kind, refs });
  const plan = planChange(found, change, kind);
  const inParts = (work: (part: LockedMonitor[]) => Promise<void>) =>
    inSlices(plan.changed, SLICE, work, giveWay);
  await giveWay();
  await inParts((part) => STEPS[change.action](db, part, now));
  // Not before all states are locked: every other creation and deletion waits for the count.
  if (change.action === "delete") {
    await inParts((part) => markMonitorsDeleted(db, idsOf(part), now));
  }
  await announceChange(ctx, kind, idsOf(plan.changed), { areGone: change.action === "delete" });
  // A row for each monitor, as if each had been changed by itself.
  const action = `${change.action} ${resource}` as const;
  for (const { id, name } of plan.changed) ctx.record({ id, name, action });
  return plan;
}

type Step = (trx: Db, monitors: readonly LockedMonitor[], now: number) => Promise<void>;

const STEPS: Record<BulkChange["action"], Step> = {
  async pause(trx, monitors, now) {
    await setMonitorsEnabled(trx, idsOf(monitors), false, now);
    await markPaused(trx, idsOf(monitors), now);
  },
  async resume(trx, monitors, now) {
    await setMonitorsEnabled(trx, idsOf(monitors), true, now);
    await markResumed(trx, idsOf(monitors), now);
  },
  delete: (trx, monitors, now) => markPaused(trx, idsOf(monitors), now, "deleted"),
  tag: saveMonitorTags,
};

const idsOf = (monitors: readonly LockedMonitor[]): number[] => monitors.map(({ id }) => id);
