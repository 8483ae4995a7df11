import { markResumed } from "../engine/status/monitor-states.ts";
import { assertStays } from "../platform/access/check-access.ts";
import { lockOrganization } from "../platform/access/queries/organizations.ts";
import type { Ref } from "../platform/database/sql.ts";
import { type FieldErrors, invalidInput } from "../platform/errors.ts";
import { cleanTags, MAX_TAGS } from "../platform/formats/name.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { projectBulk, readBulkIds } from "../platform/operations/bulk.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { inSlices, takeTurns } from "../platform/turns.ts";
import { announceChange, type Report } from "./announce-change.ts";
import type { OfKind } from "./monitor.ts";
import {
  type LockedMonitor,
  lockMonitors,
  markMonitorsDeleted,
  saveMonitorTags,
  setMonitorsEnabled,
} from "./queries/monitor-changes.ts";
import { type BulkAction, bulkShapes } from "./schemas/monitor-detail.ts";

/** Many monitors of one kind changed at once; each has an audit row of its own (changeMonitors). */
export function bulkVerb(kind: MonitorKind) {
  const { resource, feature } = MONITOR_KIND_TRAITS[kind];
  return verb({
    resource,
    feature,
    action: "write",
    audit: null,
    hints: { destructive: true },
    ...bulkShapes(kind),
    async run(ctx, { action, ids, tags }) {
      const meant = readBulkIds(ids);
      const { refused, ...done } = await changeMonitors(ctx, { kind, action, tags, refs: meant.refs });
      const left = refused.map(({ monitor: { id, uuid }, why }) => ({ id, uuid, why }));
      return projectBulk(action, { ...done, refused: left }, meant, 422);
    },
  });
}

/** How many are changed in one go: some milliseconds of work on SQLite, whose statements hold the thread. */
const SLICE = 100;

/**
 * Pauses, resumes, deletes or tags many monitors in one transaction, each as its own verb would. Those that cannot be
 * changed are reported, and the others are changed all the same; unknown ones, and those of other organizations, are
 * left out. Throws 422 for bad tags, 409 for resuming where the organization is to be deleted.
 */
async function changeMonitors(
  ctx: Running,
  input: OfKind & BulkChange & { refs: readonly Ref[] },
): Promise<BulkPlan> {
  const { db } = ctx;
  const { organizationId } = ctx.caller;
  const { kind, refs } = input;
  const { resource } = MONITOR_KIND_TRAITS[kind];
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
  await inParts((part) => STEPS[change.action](ctx, part, now));
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

type Step = (ctx: Running, monitors: readonly LockedMonitor[], now: number) => Promise<void>;

const STEPS: Record<BulkChange["action"], Step> = {
  async pause({ db, dataPath }, monitors, now) {
    await setMonitorsEnabled(db, idsOf(monitors), false, now);
    await dataPath.markPaused(db, idsOf(monitors), now);
  },
  async resume({ db }, monitors, now) {
    await setMonitorsEnabled(db, idsOf(monitors), true, now);
    await markResumed(db, idsOf(monitors), now);
  },
  delete: ({ db, dataPath }, monitors, now) => dataPath.markPaused(db, idsOf(monitors), now, "deleted"),
  tag: ({ db }, monitors, now) => saveMonitorTags(db, monitors, now),
};

const idsOf = (monitors: readonly LockedMonitor[]): number[] => monitors.map(({ id }) => id);

/** What is to be done with many monitors. `tags`: with the action `tag`, and only then. */
interface BulkChange {
  action: BulkAction;
  tags?: { add?: readonly string[]; remove?: readonly string[] } | undefined;
}

/** What becomes of those that were found. */
interface BulkPlan {
  /** `tags`: those that each has from now on. */
  changed: LockedMonitor[];
  /** They already are as requested. */
  unchanged: LockedMonitor[];
  refused: { monitor: LockedMonitor; why: MessageDescriptor }[];
}

/** The change with its tags as they are stored. Throws 422 for tags that are missing or not allowed. */
function checkChange({ action, tags }: BulkChange): BulkChange {
  const problems: FieldErrors = {};
  const report: Report = (field, what) => void (problems[field] ??= []).push(what);
  const [add, remove] = [cleanTags(tags?.add ?? []), cleanTags(tags?.remove ?? [])];
  if (action !== "tag" && tags !== undefined) {
    report("tags", msg("tag.action", { field: "tags" }));
  } else if (action === "tag" && add.length + remove.length === 0) {
    report("tags", msg("tag.none", { field: "tags" }));
  }
  if (add.some((tag) => remove.includes(tag))) {
    report("tags.remove", msg("tag.both"));
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return { action, tags: { add, remove } };
}

/**
 * Divides the monitors that were found into those to change, those that already are as requested, and those that
 * cannot be changed. `kind`: what they are.
 */
function planChange(found: readonly LockedMonitor[], change: BulkChange, kind: MonitorKind): BulkPlan {
  const plan: BulkPlan = { changed: [], unchanged: [], refused: [] };
  for (const monitor of found) {
    const { isChange, tags, why } = evaluateChange(monitor, change, kind);
    if (why) plan.refused.push({ monitor, why });
    else (isChange ? plan.changed : plan.unchanged).push({ ...monitor, tags });
  }
  return plan;
}

function evaluateChange(
  { enabled, tags }: LockedMonitor,
  change: BulkChange,
  kind: MonitorKind,
): { isChange: boolean; tags: string[]; why?: MessageDescriptor } {
  if (change.action !== "tag") {
    return { isChange: change.action === "delete" || enabled === (change.action === "pause"), tags };
  }
  const { add = [], remove = [] } = change.tags ?? {};
  const next = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
  const isChange = next.length !== tags.length || next.some((tag) => !tags.includes(tag));
  if (next.length <= MAX_TAGS || !isChange) return { isChange, tags: next };
  return { isChange, tags, why: msg("tag.many", { noun: kind, limit: MAX_TAGS, count: next.length }) };
}
