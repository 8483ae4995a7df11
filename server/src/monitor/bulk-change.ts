import { type FieldErrors, invalidInput } from "../errors.ts";
import type { LockedMonitor } from "../store/queries/monitor-changes.ts";
import type { BulkAction } from "./bulk-actions.ts";
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
  refused: { monitor: LockedMonitor; message: string }[];
}

/** The change with its tags as they are stored. Throws 422 for tags that are missing or not allowed. */
export function checkChange({ action, tags }: BulkChange): BulkChange {
  const problems: FieldErrors = {};
  const report = (field: string, sentence: string) => void (problems[field] ??= []).push(sentence);
  const [add, remove] = [cleanTags(tags?.add ?? []), cleanTags(tags?.remove ?? [])];
  if (action !== "tag" && tags !== undefined) {
    report("tags", "The tags field is allowed only with the action tag.");
  } else if (action === "tag" && add.length + remove.length === 0) {
    report("tags", "The tags field is required: say which tags to add or remove.");
  }
  if (add.some((tag) => remove.includes(tag))) {
    report("tags.remove", "A tag cannot be added and removed at once.");
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return { action, tags: { add, remove } };
}

/**
 * Divides the monitors that were found into those to change, those that already are as requested, and those that
 * cannot be changed. `noun`: what they are.
 */
export function planChange(found: readonly LockedMonitor[], change: BulkChange, noun: string): BulkPlan {
  const plan: BulkPlan = { changed: [], unchanged: [], refused: [] };
  for (const monitor of found) {
    const { isChange, tags, message } = judge(monitor, change, noun);
    if (message !== undefined) plan.refused.push({ monitor, message });
    else (isChange ? plan.changed : plan.unchanged).push({ ...monitor, tags });
  }
  return plan;
}

function judge(
  { enabled, tags }: LockedMonitor,
  change: BulkChange,
  noun: string,
): { isChange: boolean; tags: string[]; message?: string } {
  if (change.action !== "tag") {
    return { isChange: change.action === "delete" || enabled === (change.action === "pause"), tags };
  }
  const { add = [], remove = [] } = change.tags ?? {};
  const next = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
  const isChange = next.length !== tags.length || next.some((tag) => !tags.includes(tag));
  if (next.length <= MAX_TAGS || !isChange) return { isChange, tags: next };
  return {
    isChange,
    tags,
    message: `A ${noun} has at most ${MAX_TAGS} tags; this one would have ${next.length}.`,
  };
}
