import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { Status } from "../../platform/monitor-defaults.ts";
import { freshForMs } from "./confirmations.ts";
import { noteTransition, releaseFlapping } from "./flapping.ts";
import { keysOfReason } from "./health-causes.ts";
import { holdBack, markNotified } from "./held-by-parents.ts";
import {
  countVotes,
  decideStatus,
  failingNeeded,
  isHeldDown,
  outageStart,
  recoveryStart,
  type Tally,
} from "./quorum.ts";
import { changeStatus, type MonitorState, notify, type OpenOutage, type Step } from "./state.ts";

/** Brings status, outage and flapping in line with the fresh votes. `at`: the time of the newest of them. */
export function updateStatus(step: Step, at: number): void {
  const { draft, config, now } = step;
  const tally = countVotes(draft, config, now);
  const to = decideStatus(draft, tally, config);
  const held = isHeldDown(draft);
  if (to === "down" && draft.status !== "down") goDown(step, tally);
  else if (held && (to === "up" || to === "degraded")) comeBack(step, to, tally);
  else if (to !== draft.status) improveOrDegrade(step, to, tally, at);
  else if (isNotificationPending(step, tally)) notifyAfterAll(step, reasonOf(tally));
  if (draft.status === "degraded") notifyDegraded(step, tally);
  if (draft.status === "up") {
    if (draft.outage?.health && !draft.flapping) closeOutage(step, draft.since);
    notifyEnd(step);
  }
  const flappingSince = releaseFlapping(draft, config, now);
  if (flappingSince !== null) endFlapping(step, flappingSince);
  forgetSilentLocations(step, tally);
}

const OF_NO_OUTAGE = { reason: null, outageAt: null } as const;

/** What was held open while flapping: over, or a plain outage that has lasted since its start. Announced once, either way. */
function endFlapping(step: Step, flappingSince: number): void {
  const { draft, config, events } = step;
  const isCritical = draft.outage?.health !== undefined && draft.status === "degraded";
  if (isCritical) return;
  if (!isHeldDown(draft)) return closeOutage(step, draft.since, flappingSince);
  const { since: at } = draft;
  draft.since = draft.outage?.startedAt ?? draft.since;
  if (draft.status !== "down" || config.maintenance) return;
  events.push({ type: "notification", event: "monitor.settled", at, flappingSince, ...OF_NO_OUTAGE });
}

function goDown(step: Step, tally: Tally): void {
  const { draft, config, now, events } = step;
  const isSameOutage = isHeldDown(draft);
  const reason = reasonOf(tally);
  changeStatus(step, "down", outageStart(tally, config), reason, newestOf(tally)?.[0] ?? null);
  if (draft.outage || config.maintenance) {
    if (!isSameOutage) noteTransition(draft, config, now, events);
    if (draft.outage?.health) worsen(step, draft.outage, reason);
  } else openOutage(step, reason);
}

/** A device whose health is critical has gone offline: one story, one incident. */
function worsen(step: Step, outage: OpenOutage, reason: MessageDescriptor | null): void {
  const { draft, config, now, events } = step;
  draft.outage = { ...outage, health: "also" };
  draft.criticalNotified = false;
  events.push({ type: "outage_worsened", at: draft.since, detectedAt: Math.max(now, draft.since), reason });
  if (!config.behind) notify(step, "monitor.down", draft.since, reason);
}

/** Down and confirmed, and no one was notified, because a parent was down that is up again. */
function isNotificationPending({ draft, config }: Step, tally: Tally): boolean {
  const { status, outage, suppressed } = draft;
  if (status !== "down" || outage || suppressed || config.maintenance) return false;
  return tally.failing.length >= failingNeeded(tally.fresh, config);
}

/** A parent may have gone down again meanwhile: then it is held back once more. */
function notifyAfterAll(step: Step, reason: MessageDescriptor | null): void {
  openOutage(step, reason);
  if (step.draft.outage) markNotified(step, reason);
}

/** Opens the outage of a monitor that is down, unless it is held back. */
function openOutage(step: Step, reason: MessageDescriptor | null): void {
  const { draft, config, now, events } = step;
  if (holdBack(step)) return;
  noteTransition(draft, config, now, events);
  const outage = { startedAt: draft.since, detectedAt: now };
  draft.outage = outage;
  events.push({ type: "outage_opened", ...outage, reason });
  notify(step, "monitor.down", draft.since, reason);
  forgetNotified(draft);
}

const newestOf = ({ failing }: Tally) => failing.toSorted(([, a], [, b]) => b.lastAt - a.lastAt)[0];
const reasonOf = (tally: Tally): MessageDescriptor | null => newestOf(tally)?.[1].reason ?? null;

function comeBack(step: Step, to: Status, tally: Tally): void {
  const { draft, config, now, events } = step;
  const [impaired] = tally.impaired;
  changeStatus(step, to, recoveryStart(tally, config), impaired?.[1].reason ?? null, impaired?.[0] ?? null);
  if (draft.outage) noteTransition(draft, config, now, events);
  if (!draft.flapping && !(draft.outage?.health && to !== "up")) closeOutage(step, draft.since);
}

/** `flappingSince`: of what was flapping until now. */
function closeOutage(step: Step, at: number, flappingSince?: number): void {
  const { draft, now, events } = step;
  if (!draft.outage) return;
  const { startedAt, health } = draft.outage;
  const closedAt = Math.max(at, startedAt);
  const detectedAt = Math.max(now, closedAt);
  const ended = {
    startedAt,
    at: closedAt,
    detectedAt,
    cause: "recovered",
    ...(health && { health }),
  } as const;
  events.push({ type: "outage_closed", ...ended });
  const own = {
    ...(health === "only" && ({ health: true } as const)),
    ...(health === "also" && draft.criticalNotified && ({ recoveryNotified: true } as const)),
  };
  const closing = { type: "notification", at: closedAt, reason: null, outageAt: startedAt, ...own } as const;
  if (flappingSince === undefined) events.push({ ...closing, event: "monitor.up" });
  else events.push({ ...closing, event: "monitor.settled", flappingSince });
  draft.outage = null;
  forgetNotified(draft);
}

function improveOrDegrade(step: Step, to: Status, tally: Tally, at: number): void {
  const [impaired] = tally.impaired;
  const since = to === "degraded" && impaired && impaired[1].slows === 0 ? impaired[1].runSince : at;
  changeStatus(step, to, since, impaired?.[1].reason ?? null, impaired?.[0] ?? null);
}

/** It recovered from what was announced as less than an outage: that is announced too, within a maintenance window as well. */
function notifyEnd({ draft, events }: Step): void {
  if (draft.outage || !(draft.degradationNotified || draft.stopNotified)) return;
  events.push({ type: "notification", event: "monitor.up", at: draft.since, ...OF_NO_OUTAGE });
  forgetNotified(draft);
}

/** What is announced from now on is about an outage, or about nothing. */
function forgetNotified(draft: MonitorState): void {
  draft.degradationNotified = false;
  draft.criticalNotified = false;
  draft.stopNotified = false;
}

/** Announced once a location is confirmed failing, or slow as often in a row: one slow answer is no event. What is critical is an outage. */
function notifyDegraded(step: Step, tally: Tally): void {
  const { draft, config } = step;
  const confirmed = tally.impaired.find(
    ([, { vote, slows }]) => vote === "failing" || slows >= config.confirmations,
  );
  if (!confirmed || draft.flapping || config.maintenance || config.behind) return;
  const [location, { reason, lastAt }] = confirmed;
  const isGrave = reason?.params?.["level"] === "critical";
  if (isGrave && !draft.outage) return openCritical(step, Math.max(lastAt, draft.since), reason);
  if (draft.outage ? draft.criticalNotified : draft.degradationNotified) return;
  if (draft.outage) draft.criticalNotified = true;
  else draft.degradationNotified = true;
  const why = reason ?? msg("watch.failing");
  // Where there is one location, there is none to name.
  const where = tally.fresh > 1 ? { ...msg("watch.location", { location }), because: why } : why;
  notify(step, "monitor.degraded", draft.since, where);
}

/** Critical health is an incident: waiting until the machine is down would be too late. */
function openCritical(step: Step, startedAt: number, reason: MessageDescriptor | null): void {
  const { draft, now, events } = step;
  draft.outage = { startedAt, detectedAt: Math.max(now, startedAt), health: "only" };
  events.push({ type: "outage_opened", ...draft.outage, health: "only", reason });
  notify(step, "monitor.down", startedAt, reason);
  forgetNotified(draft);
  draft.criticalNotified = true;
}

/** An outage of health keeps up with what is wrong now: a cause may come or go, and a silent device may be back. */
export function followHealth(
  { draft, now, events }: Step,
  before: { status: Status; reason: MessageDescriptor | null },
  { at, reason }: { at: number; reason: MessageDescriptor | null },
): void {
  if (draft.status !== "degraded" || !draft.outage?.health) return;
  const [known, found] = [keysOfReason(before.reason), keysOfReason(reason)];
  if (known.every === found.every) return;
  events.push({
    ...{ type: "health_changed", at, detectedAt: Math.max(now, at), reason },
    returned: before.status === "down",
    isMinor: known.worst === found.worst,
  });
}

/** A location that is no longer used leaves once it has been silent five times as long as a vote is fresh. */
function forgetSilentLocations(step: Step, tally: Tally): void {
  const { draft, config, now } = step;
  if (tally.fresh === 0) return;
  for (const [code, { lastAt }] of Object.entries(draft.locations)) {
    if (now - lastAt > 5 * freshForMs(config)) delete draft.locations[code];
  }
}
