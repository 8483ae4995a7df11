import { randomUUIDv7 } from "node:crypto";
import { statusHistory } from "../engine/queries/transitions.ts";
import type { ClockWatch } from "../engine/results/clock-watch.ts";
import {
  type AlertState,
  type BurnLevel,
  type BurnRule,
  burningAt,
  burnRate,
  errorBudget,
  longestSpanMs,
  nextAlert,
  type Objective,
  objectiveStart,
  ruleOf,
  spansOf,
} from "../engine/status/objective.ts";
import type { StopReason } from "../engine/status/pause.ts";
import type { StatusChange } from "../engine/status/uptime.ts";
import { listMessageMonitors, type MessageMonitor } from "../monitors/queries/monitor-names.ts";
import type { Context } from "../platform/context.ts";
import { appendEvents } from "../platform/database/events.ts";
import type { Db } from "../platform/database/schema.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { ObjectiveEvent } from "./channels/filter.ts";
import { type Message, type MessageBudget, newMessage } from "./channels/message.ts";
import { notificationEvents } from "./live-events.ts";
import { notePosts } from "./note.ts";
import type { Audience } from "./queries/alert-events.ts";
import { insertNotifications } from "./queries/notifications.ts";
import { listBurning, moveAlert, type ObjectiveOf } from "./queries/warnings.ts";
import type { LiveNotification } from "./schemas/live.ts";

const ROUND = 200;
const DAY_MS = 86_400_000;
const ONE_DAY = { days: 1 };

/** A pending notification about a monitor's objective; `to`: the level notified from then on. */
interface Change extends ObjectiveOf {
  to: AlertState | null;
  notified: BurnLevel | "over" | null;
}

/**
 * Notifies channels, people and the app once when a monitor's error budget is being used up too fast, and the same receivers
 * when it no longer is (engine/status/objective.ts). Not for monitors in maintenance or down behind another, and not while the clock
 * may be skewed. Any number of replicas may run this.
 */
export async function notifyOfObjectives(
  ctx: Context,
  watch: Pick<ClockWatch, "isSkewSuspected">,
): Promise<void> {
  if (watch.isSkewSuspected) return;
  const now = ctx.clock.now();
  const part = longestSpanMs(ONE_DAY) / DAY_MS;
  for (let afterId = 0; ; ) {
    const round = await listBurning(ctx.store.db, { afterId, now, part, limit: ROUND });
    await evaluateObjectives(ctx, round, now);
    if (round.length < ROUND) break;
    afterId = round.at(-1)?.monitorId ?? afterId;
  }
}

async function evaluateObjectives(
  ctx: Context,
  monitors: readonly ObjectiveOf[],
  now: number,
): Promise<void> {
  if (monitors.length === 0) return;
  const spanMs = Math.max(...monitors.map(({ objective }) => (objective ? longestSpanMs(objective) : 0)));
  const ids = monitors.map(({ monitorId }) => monitorId);
  const histories = await statusHistory(ctx.store.db, ids, now - spanMs, now);
  const changes = monitors.flatMap((one) => changeOf(one, histories.get(one.monitorId) ?? [], now) ?? []);
  if (changes.length === 0) return;
  await ctx.store.transaction(async (trx) => {
    const own: Change[] = [];
    for (const change of changes) {
      const { monitorId, state: from, to } = change;
      if (await moveAlert(trx, { monitorId, from, to }, now)) own.push(change);
    }
    await notifyChannels(ctx, trx, own, now);
  });
  ctx.live.wake();
}

/** Null: there is nothing to send or store. */
function changeOf(one: ObjectiveOf, history: readonly StatusChange[], now: number): Change | null {
  const { objective, state, unwatched, isHeld } = one;
  if (objective === null || unwatched) return state === null ? null : { ...one, to: null, notified: "over" };
  if (isHeld) return null;
  const next = nextAlert(state, burningAt(history, objective, now));
  return next.state === state ? null : { ...one, to: next.state, notified: next.notified };
}

async function notifyChannels(ctx: Context, trx: Db, changes: readonly Change[], now: number): Promise<void> {
  const notified = changes.filter((change) => change.notified !== null);
  if (notified.length === 0) return;
  const monitors = await listMessageMonitors(
    trx,
    notified.map(({ monitorId }) => monitorId),
  );
  const histories = await readObjectiveHistories(trx, notified, now, monitors);
  const pending = notified.flatMap((change) => {
    const known = histories.get(change.monitorId);
    const message = known && messageOf(known, change, now);
    return message ? [{ ...change, message }] : [];
  });
  await notePosts(
    trx,
    notified.flatMap((change) => postOf(change, pending, monitors, now) ?? []),
    now,
  );
  await ringForObjectives(trx, pending, now);
}

type ObjectiveNotification = Change & { message: ObjectiveMessage };

/** What channels are sent of it: that a budget is burning, or those who were notified of that, that it no longer is. */
function postOf(
  change: Change,
  pending: readonly ObjectiveNotification[],
  monitors: Awaited<ReturnType<typeof listMessageMonitors>>,
  now: number,
) {
  const { organizationId, monitorId } = change;
  const monitor = monitors.get(monitorId);
  const known = pending.find((one) => one.monitorId === monitorId)?.message;
  const about = {
    organizationId,
    subject: `objective ${monitorId}`,
    tags: monitor?.tags ?? [],
    slot: "objective",
  };
  if (change.notified !== "over")
    return known && { ...about, message: known, audience: { is: "all" as const }, says: "open" as const };
  // Who stopped that knows; an alert that a pager has open would stay so.
  const message = known ?? (monitor && unwatchedMessage(monitor, { why: change.unwatched, now }));
  const audience: Audience = { is: known ? "all" : "programs" };
  return message && { ...about, message, audience, says: "over" as const, isForNotified: true };
}

/** Those that are watched and have an objective, with how they were over its days. */
async function readObjectiveHistories(
  trx: Db,
  notified: readonly Change[],
  now: number,
  monitors: Awaited<ReturnType<typeof listMessageMonitors>>,
): Promise<Map<number, ObjectiveHistory>> {
  const watched = notified.flatMap(({ monitorId, objective, unwatched }) => {
    const monitor = monitors.get(monitorId);
    return monitor && objective && !unwatched ? [{ monitor, objective }] : [];
  });
  const from = Math.min(...watched.map(({ objective }) => objectiveStart(objective, now)), now);
  const ids = watched.map(({ monitor }) => monitor.id);
  const histories = await statusHistory(trx, ids, from, now);
  return new Map(
    watched.map((one) => [one.monitor.id, { ...one, history: histories.get(one.monitor.id) ?? [] }]),
  );
}

function messageOf(measured: ObjectiveHistory, { notified }: Change, now: number): ObjectiveMessage | null {
  if (notified === "over") return steadyMessage(measured, now);
  const rule = notified && ruleOf(measured.history, measured.objective, { level: notified, now });
  return notified && rule ? burningMessage(measured, { level: notified, rule, now }) : null;
}

/**
 * Stores the app's notifications about objectives in the same transaction as the channels'. The caller wakes the live stream.
 */
async function ringForObjectives(
  trx: Db,
  pending: readonly { organizationId: number; message: ObjectiveMessage }[],
  now: number,
): Promise<void> {
  const notifications = pending.flatMap((one) => notificationOf(one, now) ?? []);
  if (notifications.length === 0) return;
  await insertNotifications(trx, notifications);
  appendEvents(trx, notificationEvents(notifications), now);
}

function notificationOf(
  { organizationId, message }: { organizationId: number; message: ObjectiveMessage },
  now: number,
): LiveNotification | null {
  const { event, type, at, monitor } = message;
  if (!monitor) return null;
  const { id: monitorId, uuid, kind, name: monitorName } = monitor;
  const said = notificationMessageOf(message, monitorName);
  return {
    ...{ uuid: randomUUIDv7(), organizationId, monitorId, kind, monitorName, incidentId: null },
    ...{ event, type, at, descriptor: said, message: inEnglish(said), reason: said.because ?? null },
    ...{ outageMs: null, isQuiet: false, outageStartedAt: null, togetherMessage: null },
    idempotencyKey: `${event}:${uuid}:${now}`,
    createdAt: now,
  };
}

/** A message about what is left of a monitor's error budget. */
type ObjectiveMessage = Message & { event: ObjectiveEvent };

/** A monitor with its objective, and how it was over the objective's days (`history` as `timeByStatus` takes it). */
interface ObjectiveHistory {
  monitor: MessageMonitor;
  objective: Objective;
  history: readonly StatusChange[];
}

/** That the budget is being used up too fast, by the rule that says so. */
function burningMessage(
  measured: ObjectiveHistory,
  { level, rule, now }: { level: BurnLevel; rule: BurnRule; now: number },
): ObjectiveMessage {
  const { monitor, objective, history } = measured;
  const { longMs } = spansOf(rule, objective);
  const rate = burnRate(history, objective, { now, spanMs: longMs });
  const share = Math.floor((100 * rate * longMs) / (objective.days * DAY_MS));
  const budget = budgetOf(measured, { level, now });
  const said = msg("notification.objective_burning", { share, span: longMs });
  return about(monitor, budget, {
    event: "objective.burning",
    type: level === "fast" ? "error" : "warning",
    severity: level === "fast" ? "high" : "medium",
    descriptor: { ...said, because: leftMessage(budget) },
    at: now,
  });
}

/** That it no longer is. */
function steadyMessage(measured: ObjectiveHistory, now: number): ObjectiveMessage {
  const budget = budgetOf(measured, { level: null, now });
  const said = { ...msg("notification.objective_steady"), because: leftMessage(budget) };
  return about(measured.monitor, budget, {
    ...{ event: "objective.steady", type: "success", severity: "low", descriptor: said, at: now },
  });
}

/** That the monitor is no longer checked. `why` null: it has no objective any more. */
function unwatchedMessage(
  monitor: MessageMonitor,
  { why, now }: { why: StopReason | null; now: number },
): ObjectiveMessage {
  const reason = why === null ? msg("notification.no_objective") : msg(`watch.${why}`);
  const said = { ...msg("notification.objective_unwatched"), because: reason };
  return about(monitor, null, {
    ...{ event: "objective.steady", type: "info", severity: "low", descriptor: said, reason, at: now },
  });
}

/** What the bell says of it: with the monitor's name, which is in the title elsewhere. */
const notificationMessageOf = (
  { event, descriptor: { because }, budget }: Message,
  name: string,
): MessageDescriptor => ({
  ...(event === "objective.steady"
    ? msg("notification.budget_steady", { name })
    : msg(budget?.level === "slow" ? "notification.budget_slow" : "notification.budget_fast", { name })),
  ...(because && { because }),
});

type Known = Parameters<typeof newMessage>[0] & { event: ObjectiveEvent };

const about = (
  monitor: MessageMonitor,
  budget: MessageBudget | null,
  { event, ...known }: Known,
): ObjectiveMessage => ({
  ...newMessage({ ...known, event, monitor, budget: budget ?? { level: null, objective: null } }),
  event,
});

function budgetOf(
  { objective, history }: ObjectiveHistory,
  { level, now }: { level: BurnLevel | null; now: number },
) {
  const { allowedMs, usedMs, leftMs } = errorBudget(history, objective, now);
  return { level, objective: { ...objective, allowedMs, usedMs, leftMs } };
}

/** What is left of it, and of what. */
function leftMessage({ objective }: ReturnType<typeof budgetOf>): MessageDescriptor {
  const { percent, days, allowedMs, leftMs } = objective;
  const known = { percent, days, allowed: Math.round(allowedMs) };
  if (leftMs < 0) return msg("notification.budget_spent", { ...known, over: Math.round(-leftMs) });
  return msg("notification.budget_left", { ...known, left: Math.round(leftMs) });
}
