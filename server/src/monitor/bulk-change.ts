import { type FieldErrors, invalidInput } from "../errors.ts";
import type { LockedMonitor } from "../store/queries/monitor-changes.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { BulkAction } from "./bulk-actions.ts";
import type { Report } from "./config-change.ts";
import type { MonitorKind } from "./monitor-defaults.ts";
import { cleanTags, MAX_TAGS } from "./tags.ts";

/** What is to be done with many monitors. `tags`: with the action `tag`, and only then. */
export interface BulkChange {
  action: BulkAction;
  tags?: { add?: readonly string[]; remove?: readonly string[] } | undefined;
}

/** What becomes of those that were found. */
export interface BulkPlan {
  /** `tags`: those that each has from now on. */
  changed: LockedMonitor[];
  /** They already are as requested. */
  unchanged: LockedMonitor[];
  refused: { monitor: LockedMonitor; why: Fact }[];
}

/** The change with its tags as they are stored. Throws 422 for tags that are missing or not allowed. */
export function checkChange({ action, tags }: BulkChange): BulkChange {
  const problems: FieldErrors = {};
  const report: Report = (field, what) => void (problems[field] ??= []).push(what);
  const [add, remove] = [cleanTags(tags?.add ?? []), cleanTags(tags?.remove ?? [])];
  if (action !== "tag" && tags !== undefined) {
    report("tags", fact("tag.action", { field: "tags" }));
  } else if (action === "tag" && add.length + remove.length === 0) {
    report("tags", fact("tag.none", { field: "tags" }));
  }
  if (add.some((tag) => remove.includes(tag))) {
    report("tags.remove", fact("tag.both"));
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return { action, tags: { add, remove } };
}

/**
 * Divides the monitors that were found into those to change, those that already are as requested, and those that
 * cannot be changed. `kind`: what they are.
 */
export function planChange(found: readonly LockedMonitor[], change: BulkChange, kind: MonitorKind): BulkPlan {
  const plan: BulkPlan = { changed: [], unchanged: [], refused: [] };
  for (const monitor of found) {
    const { isChange, tags, why } = judge(monitor, change, kind);
    if (why) plan.refused.push({ monitor, why });
    else (isChange ? plan.changed : plan.unchanged).push({ ...monitor, tags });
  }
  return plan;
}

function judge(
  { enabled, tags }: LockedMonitor,
  change: BulkChange,
  kind: MonitorKind,
): { isChange: boolean; tags: string[]; why?: Fact } {
  if (change.action !== "tag") {
    return { isChange: change.action === "delete" || enabled === (change.action === "pause"), tags };
  }
  const { add = [], remove = [] } = change.tags ?? {};
  const next = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
  const isChange = next.length !== tags.length || next.some((tag) => !tags.includes(tag));
  if (next.length <= MAX_TAGS || !isChange) return { isChange, tags: next };
  return { isChange, tags, why: fact("tag.many", { noun: kind, limit: MAX_TAGS, count: next.length }) };
}
