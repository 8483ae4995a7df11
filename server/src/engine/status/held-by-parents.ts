import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { rankOfSeverity, type Severity } from "../../platform/monitor-defaults.ts";
import type { Behind, MonitorState } from "./state.ts";
import { changeStatus, type Step } from "./state.ts";

/** An alert waits at most this long for the state of a parent. */
export const MAX_WAIT_MS = 60_000;

/** What another monitor depends on, in its present state. Milliseconds. */
export interface Parent {
  id: number;
  name: string;
  severity: Severity;
  state: MonitorState;
  intervalMs: number;
  timeoutMs: number;
  recheckDelayMs: number;
}

/**
 * What holds a monitor of that severity back: a parent that is down, else one whose failure is not confirmed yet. What is more severe than a
 * parent is not left to be guessed from that: it has an outage of its own, which is announced, acknowledged and reminded of.
 */
export function behindOf(all: readonly Parent[], severity: Severity): Behind | null {
  const parents = all.filter((one) => rankOfSeverity(one.severity) >= rankOfSeverity(severity));
  const down = parents.find(({ state }) => state.status === "down");
  if (down) return { by: down.id, name: down.name, waitMs: null };
  const failing = parents.find(({ state }) =>
    Object.values(state.locations).some(({ vote, failures }) => vote === "suspect" && failures > 0),
  );
  if (!failing) return null;
  const { id: by, name, intervalMs, timeoutMs, recheckDelayMs } = failing;
  return { by, name, waitMs: Math.min(MAX_WAIT_MS, intervalMs + timeoutMs + recheckDelayMs) };
}

/**
 * Holds an outage back that would begin now, where a parent is down or may be about to: the monitor is down, and no one is
 * notified. Returns whether it did.
 */
export function holdBack(step: Step): boolean {
  const { draft, config, now } = step;
  const { behind } = config;
  if (!behind || draft.outage || config.maintenance) return false;
  draft.suppressed = { by: behind.by, until: behind.waitMs === null ? null : now + behind.waitMs };
  if (behind.waitMs === null) markBehind(step, behind);
  return true;
}

/**
 * What the parents of a monitor that is held back come to. Once none of them is down any more it takes a fresh confirmation to
 * open an outage. Where one was only waited for, there is nothing to confirm anew: true, its outage opens now.
 */
export function crossParents(step: Step): boolean {
  const { draft, config, now } = step;
  const { behind } = config;
  const { suppressed } = draft;
  if (!suppressed) return false;
  if (behind?.waitMs === null) {
    if (suppressed.until !== null) markBehind(step, behind);
    draft.suppressed = { by: behind.by, until: null };
    return false;
  }
  if (suppressed.until === null) {
    draft.suppressed = null;
    mark(step, msg("watch.released"));
    confirmAnew(step);
    return false;
  }
  const isWaiting = behind !== undefined && now < suppressed.until && suppressed.until <= now + MAX_WAIT_MS;
  if (isWaiting) return false;
  draft.suppressed = null;
  return true;
}

/** What the history says in rows of the same status of a monitor that is held back, no longer is, or is notified of after all. */
export const SUPPRESSION_CODES: ReadonlySet<string> = new Set([
  "watch.behind",
  "watch.released",
  "watch.notified",
]);

/** Says in the history that an outage begins which a parent had held back. */
export const markNotified = (step: Step, reason: MessageDescriptor | null): void =>
  mark(step, { ...msg("watch.notified"), ...(reason && { because: reason }) });

function markBehind(step: Step, { name }: Behind): void {
  const failing = Object.values(step.draft.locations).filter(({ failures }) => failures > 0);
  const because = failing.toSorted((a, b) => b.lastAt - a.lastAt)[0]?.reason;
  mark(step, { ...msg("watch.behind", { name }), ...(because && { because }) });
}

/** A row of the same status in the history, which says why. */
function mark(step: Step, reason: MessageDescriptor): void {
  const { draft, now } = step;
  const { status, since } = draft;
  changeStatus(step, status, now, reason, null);
  draft.since = since;
}

/** It is down as before: a recovery has to be confirmed likewise. It is checked at once, however far apart its checks are. */
function confirmAnew({ draft, events }: Step): void {
  for (const [code, location] of Object.entries(draft.locations)) {
    if (location.vote !== "failing") continue;
    events.push({ type: "recheck", location: code });
    draft.locations[code] = { ...location, vote: "suspect", failures: 0, successes: 0 };
  }
}
