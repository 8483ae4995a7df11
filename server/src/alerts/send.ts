import { randomUUIDv7 } from "node:crypto";
import { noteMonitors } from "../monitors/queries/monitor-changes.ts";
import type { Db } from "../platform/database/schema.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { mapInTurns, takeTurns } from "../platform/turns.ts";
import type { Policy, Said } from "./alert.ts";
import { rankOf } from "./alert.ts";
import { deliveryOf, toChannel } from "./channels/delivery.ts";
import type { Message } from "./channels/message.ts";
import { machineMessages, messageOf, type Part } from "./compose.ts";
import type { Outcome } from "./outbox.ts";
import { conditionAfter, type DeliveryConfig, policyOf, throttleMessages } from "./policy.ts";
import { noteChannels } from "./queries/alert-events.ts";
import {
  delayAlerts,
  type FullOrganizations,
  isAnyFailing,
  linkAlerts,
  listDueChannels,
  listLostDeliveries,
  listRecentlySent,
  lockAlertsOfDelivery,
  lockDueAlerts,
  lockLinkedAlerts,
  type StoredAlert,
  saveAlerts,
} from "./queries/alerts.ts";
import { type Channel, enableAgain, readChannel } from "./queries/channels.ts";
import {
  type Delivery,
  dropWaiting,
  holdBack,
  hurryWaiting,
  insertChannelDelivery,
  listFollowing,
  listUnneeded,
  readWaiting,
  rewriteDelivery,
  type Settlement,
} from "./queries/outbox.ts";
import { retryTime } from "./retry-rules.ts";
import { step } from "./rules.ts";

/** Looked at in one round; the rest is in the next. */
const CHANNELS_A_ROUND = 8;
const MINUTE_MS = 60_000;

interface To {
  channel: Channel;
  policy: Policy;
  now: number;
}

/**
 * Puts what alerts have to send into the outbox: for people one throttled message (policy.ts), for a pager one per incident,
 * for a machine one per event. Runs in the transaction that claims the alerts, so that no other server sends them too.
 */
export async function sendDueAlerts(
  trx: Db,
  config: DeliveryConfig,
  now: number,
  full: FullOrganizations = NONE_FULL,
): Promise<void> {
  await takeBackLost(trx, config, now);
  for (;;) {
    const ids = await listDueChannels(trx, { now, limit: CHANNELS_A_ROUND, full });
    if (ids.length === 0) return;
    let isAnySent = false;
    for (const id of ids) {
      const channel = await readChannel(trx, id);
      if (channel)
        isAnySent = (await sendFor(trx, { channel, policy: policyOf(config, channel), now })) || isAnySent;
    }
    if (isAnySent) return;
  }
}

const NONE_FULL: FullOrganizations = { channels: new Set(), own: new Set() };

/** Returns whether there is something to send. */
async function sendFor(trx: Db, to: To): Promise<boolean> {
  const { channel, policy, now } = to;
  if (policy.reader === "people") return sendToPeople(trx, to);
  const due = await lockDueAlerts(trx, channel.id, now);
  if (policy.reader === "machine") return sendToMachine(trx, to, due);
  let isAny = false;
  for (const one of due) isAny = (await sendOne(trx, to, [one], false)) || isAny;
  return isAny;
}

/** One message, or none yet. What was throttled before is throttled, and sent, together with what is due only now. */
async function sendToPeople(trx: Db, to: To): Promise<boolean> {
  const { channel, policy, now } = to;
  const soon = await lockDueAlerts(trx, channel.id, now + MINUTE_MS);
  const isDue = await mapInTurns(soon, ({ alert }) => (dueAt(alert, policy, now) ?? now + 1) <= now);
  const due = soon.filter(({ alert }, at) => (alert.nextAt ?? 0) <= now || isDue[at]);
  const held = due.filter(({ alert }) => alert.wasHeld);
  if (held.length > 1) return sendOne(trx, to, held, true);
  const sent = await listRecentlySent(trx, channel.id, now - MINUTE_MS);
  const ordered = due.toSorted(mostSevereFirst);
  // A reminder has been due for as long as nothing was sent.
  const plan = throttleMessages(
    ordered.map(({ alert }) => ({ dueSince: alert.dueSince ?? alert.lastSentAt ?? now })),
    sent,
    now,
  );
  // What would wait for others until quiet hours hold it is sent before they begin.
  const isLast = "waitUntil" in plan && isQuietFrom(policy, now, plan.waitUntil);
  if ("waitUntil" in plan && !isLast) {
    await delayAlerts(
      trx,
      due.map(({ id }) => id),
      plan.waitUntil,
    );
    return false;
  }
  const isDigest = isLast || ("send" in plan && plan.send === "digest");
  return sendOne(trx, to, isDigest ? ordered : ordered.slice(0, 1), false);
}

const isQuietFrom = ({ quietUntil }: Policy, now: number, until: number): boolean =>
  quietUntil(now) === null && quietUntil(until) !== null;

/** When an alert is due by its own rules, however long it is throttled. */
const dueAt = (alert: StoredAlert["alert"], policy: Policy, now: number): number | null =>
  step(alert, { type: "policy" }, policy, now).alert.nextAt;

const severityOf = ({ alert }: StoredAlert): number => Math.max(0, ...alert.members.map(rankOf));

const mostSevereFirst = (a: StoredAlert, b: StoredAlert): number =>
  severityOf(b) - severityOf(a) || (a.alert.dueSince ?? 0) - (b.alert.dueSince ?? 0) || a.id - b.id;

/** Writes one message for these alerts, in the place of the one that was tried in vain, if there is any. Returns whether it did. */
async function sendOne(
  trx: Db,
  { channel, policy, now }: To,
  due: readonly StoredAlert[],
  isSummary: boolean,
): Promise<boolean> {
  const waiting = await readWaiting(
    trx,
    due.flatMap(({ deliveryId }) => deliveryId ?? []),
  );
  const [reused] = waiting;
  const uuid = reused?.uuid ?? randomUUIDv7();
  const stepped = await mapInTurns(due, (stored) => {
    const { alert, notifications } = step(stored.alert, { type: "time", deliveryId: uuid }, policy, now);
    return { stored: { ...stored, alert }, notification: notifications[0], before: stored.alert.members };
  });
  const parts = stepped.flatMap(({ stored, notification }): Part[] =>
    notification ? [{ stored, notification }] : [],
  );
  const message = parts.length > 0 ? await messageOf(trx, parts, { now, isSummary }) : null;
  let id: number | null = null;
  if (message) {
    const delivery = { ...deliveryOf(toChannel(channel), message, now), uuid, subject: null };
    id = reused?.id ?? (await insertChannelDelivery(trx, delivery, now));
    if (reused) await rewriteDelivery(trx, reused.id, delivery, now);
  }
  const saved = stepped.map(({ stored, notification, before }) => {
    const isSent = notification !== undefined && id !== null;
    const alert = isSent ? stored.alert : { ...stored.alert, members: before, sending: null };
    return { ...stored, alert, deliveryId: isSent ? id : null };
  });
  await saveAlerts(trx, saved, now);
  if (id !== null)
    await linkAlerts(
      trx,
      id,
      parts.map(({ stored }) => stored.id),
    );
  await dropUnneeded(trx, id === null ? [] : parts.flatMap(({ stored }) => stored.deliveryId ?? []));
  return id !== null;
}

/** What a machine has not been sent, an event each, and what people wrote. */
async function sendToMachine(
  trx: Db,
  { channel, policy, now }: To,
  due: readonly StoredAlert[],
): Promise<boolean> {
  let isAny = false;
  const giveWay = takeTurns();
  for (const stored of due) {
    await giveWay();
    const { alert, notifications } = step(
      stored.alert,
      { type: "time", deliveryId: randomUUIDv7() },
      policy,
      now,
    );
    await saveAlerts(trx, [{ ...stored, alert }], now);
    const parts = notifications.map((notification) => ({ stored, notification }));
    for (const message of await machineMessages(trx, parts, now)) {
      const delivery = deliveryOf(toChannel(channel), message, now);
      await linkAlerts(trx, await insertChannelDelivery(trx, delivery, now), [stored.id]);
      isAny = true;
    }
  }
  return isAny;
}

/** An attempt whose server died was none: what it would have said is said anew, as it is by now. */
async function takeBackLost(trx: Db, config: DeliveryConfig, now: number): Promise<void> {
  for (const deliveryId of await listLostDeliveries(trx, now)) {
    for (const stored of await lockAlertsOfDelivery(trx, deliveryId)) {
      const channel = await readChannel(trx, stored.channelId);
      const sending = stored.alert.sending;
      if (!channel || !sending) continue;
      const lost = { type: "lost" as const, deliveryId: sending.deliveryId };
      const { alert } = step(stored.alert, lost, policyOf(config, channel), now);
      const owned = sending.isRepeat ? null : stored.deliveryId;
      await saveAlerts(trx, [{ ...stored, alert, deliveryId: owned }], now);
    }
    await holdBack(trx, deliveryId);
  }
}

/** What was tried in vain, and that no alert has to say any more, is not sent. `mergedIds`: what another message says by now. */
export async function dropUnneeded(trx: Db, mergedIds: readonly number[] = []): Promise<void> {
  const merged = new Set(mergedIds);
  const { said = [], over = [] } = Object.groupBy(await listUnneeded(trx), (id) =>
    merged.has(id) ? "said" : "over",
  );
  await dropWaiting(trx, said, msg("delivery.merged"));
  await dropWaiting(trx, over, msg("delivery.over"));
}

/**
 * Keeps in the alerts what became of a message to a channel, in the transaction that keeps it in the outbox: only what the other
 * side has acknowledged counts as known; the rest is said anew, at `again`, or later each time.
 */
export async function applyOutcomeToAlerts(
  trx: Db,
  config: DeliveryConfig,
  { delivery, settlement, outcome }: { delivery: Delivery; settlement: Settlement; outcome: Outcome },
  now: number,
): Promise<void> {
  if (delivery.channelId === null) return;
  const channel = await readChannel(trx, delivery.channelId);
  if (!channel) return;
  const isSent = settlement.state === "sent";
  const policy = policyOf(config, channel);
  const isMachine = policy.reader === "machine";
  if (isMachine && settlement.state === "waiting") return;
  const { says, postId } = isMachine ? saidBy(delivery) : {};
  // A reminder says nothing that is not known.
  if (isMachine && !isSent && says?.length === 0 && postId === undefined) return;
  const alerts = await (isMachine && !isSent
    ? lockAlertsOfFailed(trx, delivery)
    : lockAlertsFor(trx, delivery, isMachine));
  if (isSent && (alerts.length > 0 || !channel.enabled)) await resumeChannel(trx, channel, now);
  if (alerts.length === 0) return;
  const reference = "reference" in outcome ? (outcome.reference ?? null) : null;
  const retryAt = (failures: number) =>
    retryTime(channel, { delivery, settlement, failures }, { now, random: Math.random() });
  // Of a digest it is not known which part.
  const isRefused = isForItsText(settlement, outcome) && channel.enabled && alerts.length === 1;
  const moved = alerts.filter(({ alert }) => alert.sending?.isMoved);
  const isRepeat = alerts.some(({ alert }) => alert.sending?.isRepeat);
  const updated = alerts.map((stored): StoredAlert => {
    const deliveryId = stored.alert.sending?.deliveryId ?? delivery.uuid;
    const event = isSent
      ? { type: "delivered" as const, deliveryId, ...(says && { says, postId }) }
      : {
          ...{ type: "failed" as const, deliveryId, retryAt: retryAt(stored.alert.failures + 1) },
          ...(isRefused && { refused: { postId } }),
        };
    const { alert } = step(stored.alert, event, policy, now);
    const isRetried = settlement.state === "waiting" && alert.nextAt !== null && !isRepeat;
    const known = alerts.length === 1 ? (stored.reference ?? reference) : stored.reference;
    return { ...stored, alert, deliveryId: isRetried ? stored.deliveryId : null, reference: known };
  });
  await saveAlerts(trx, updated, now);
  await noteMonitors(
    trx,
    moved.flatMap(({ organizationId, alert }) =>
      alert.members.map(({ monitorId }) => ({ organizationId, monitorId })),
    ),
    now,
  );
  if (isMachine || settlement.state !== "waiting") return;
  await (isRepeat ? endRepeat(trx, delivery, settlement) : holdBack(trx, delivery.id));
}

/** Whether the other side refused what a message says, by its answer. */
const isForItsText = ({ state }: Settlement, outcome: Outcome): boolean =>
  state === "failed" && outcome.is === "refused" && outcome.why.code === "delivery.refused";

/** The alerts that depend on what became of a message. A machine's event that is repeated is out of the order, and none does. */
const lockAlertsFor = async (trx: Db, { id, subject }: Delivery, isMachine: boolean) => {
  if (!isMachine) return lockAlertsOfDelivery(trx, id);
  return subject === null ? [] : lockLinkedAlerts(trx, [id]);
};

/**
 * The same of a machine's event that never got there. What waits behind it is dropped, to be said anew as it is by then: no end without its
 * beginning, which may have left no alert. It may be of a later alert of the same monitor.
 */
async function lockAlertsOfFailed(trx: Db, delivery: Delivery): Promise<StoredAlert[]> {
  if (delivery.subject === null) return [];
  // Alerts are locked before what waits, here as elsewhere; another event may be added until they are.
  await lockLinkedAlerts(trx, [delivery.id, ...(await listFollowing(trx, delivery))]);
  const following = await listFollowing(trx, delivery);
  const alerts = await lockLinkedAlerts(trx, [delivery.id, ...following]);
  await dropWaiting(trx, following, msg("delivery.over"));
  return alerts;
}

/** It is tried once: what it says may not be so any more when it would be tried next. */
const endRepeat = (trx: Db, { id }: Delivery, { failure }: { failure: MessageDescriptor | null }) =>
  dropWaiting(trx, [id], failure ?? msg("delivery.late"));

/** A channel that works again: it is on, and whatever failed before is tried now, the most severe first. */
async function resumeChannel(trx: Db, channel: Channel, now: number): Promise<void> {
  if (!channel.enabled) await enableAgain(trx, channel.id, now);
  if (channel.enabled && !(await isAnyFailing(trx, channel.id))) return;
  await hurryWaiting(trx, [channel.id], now);
  await noteChannels(trx, [channel], now);
}

/** What a machine's event said of its monitor, or which post it was. */
export function saidBy({ message }: Pick<Delivery, "message">): { says: Said[]; postId: number | undefined } {
  const { event, type, monitor, descriptor: said, postId } = JSON.parse(message ?? "{}") as Partial<Message>;
  if (postId !== undefined) return { says: [], postId };
  const condition = event && type ? conditionAfter({ event, type, ...(said && { descriptor: said }) }) : null;
  return { says: monitor && condition ? [{ monitorId: monitor.id, condition }] : [], postId };
}
