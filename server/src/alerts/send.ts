import { randomUUIDv7 } from "node:crypto";
import type { Config } from "../config.ts";
import { deliveryOf, toChannel } from "../notification/channel/delivery.ts";
import type { Message } from "../notification/channel/message.ts";
import type { Db } from "../store/db.ts";
import {
  delayAlerts,
  linkAlerts,
  listDueChannels,
  listLostDeliveries,
  listRecentlySent,
  lockAlertsOfDelivery,
  lockDueAlerts,
  type StoredAlert,
  saveAlerts,
} from "../store/queries/alerts.ts";
import { type Channel, readChannel } from "../store/queries/channels.ts";
import {
  dropWaiting,
  holdBack,
  insertChannelDelivery,
  listUnneeded,
  readWaiting,
  rewriteDelivery,
} from "../store/queries/outbox.ts";
import { fact } from "../texts/fact.ts";
import { mapInTurns, takeTurns } from "../turns.ts";
import type { Policy } from "./alert.ts";
import { machineMessages, messageOf, type Part } from "./compose.ts";
import { paced, policyOf } from "./policy.ts";
import { rankOf, step } from "./rules.ts";

/** Looked at in one round; the rest is in the next. */
const CHANNELS_A_ROUND = 8;
const ALERTS_OF_ONE = 1_000;
const MINUTE_MS = 60_000;

interface To {
  channel: Channel;
  policy: Policy;
  now: number;
}

/**
 * Puts what alerts have to say into the outbox, as it is now: to people one message at their pace (policy.ts), to a pager one for each
 * incident, to a machine one for each event. In the transaction that begins to send it, in which nobody else does.
 */
export async function sendDueAlerts(
  trx: Db,
  config: Pick<Config, "signup" | "smtp">,
  now: number,
): Promise<void> {
  await takeBackLost(trx, config, now);
  for (;;) {
    const ids = await listDueChannels(trx, now, CHANNELS_A_ROUND);
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

/** Returns whether there is something to send. */
async function sendFor(trx: Db, to: To): Promise<boolean> {
  const { channel, policy, now } = to;
  const due = await lockDueAlerts(trx, channel.id, { now, limit: ALERTS_OF_ONE });
  if (policy.reader === "machine") return sendToMachine(trx, to, due);
  if (policy.reader === "pager") {
    let isAny = false;
    for (const one of due) isAny = (await sendOne(trx, to, [one], false)) || isAny;
    return isAny;
  }
  const held = due.filter(({ alert }) => alert.wasHeld);
  if (held.length > 1) return sendOne(trx, to, held, true);
  const sent = await listRecentlySent(trx, channel.id, now - MINUTE_MS);
  const ordered = due.toSorted(mostSevereFirst);
  // A reminder has been due for as long as nothing was sent.
  const plan = paced(
    ordered.map(({ alert }) => ({ dueSince: alert.dueSince ?? alert.lastSentAt ?? now })),
    sent,
    now,
  );
  if ("waitUntil" in plan) {
    await delayAlerts(
      trx,
      due.map(({ id }) => id),
      plan.waitUntil,
    );
    return false;
  }
  return sendOne(trx, to, plan.send === "digest" ? ordered : ordered.slice(0, 1), false);
}

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
    return { stored: { ...stored, alert }, notification: notifications[0] };
  });
  const parts = stepped.flatMap(({ stored, notification }): Part[] =>
    notification ? [{ stored, notification }] : [],
  );
  const message = parts.length > 0 ? await messageOf(trx, parts, { now, isSummary }) : null;
  const id = message ? await writeMessage(trx, channel, { uuid, message, reusedId: reused?.id, now }) : null;
  const saved = stepped.map(({ stored, notification }) => {
    const isSent = notification !== undefined && id !== null;
    const alert = isSent ? stored.alert : { ...stored.alert, sending: null };
    return { ...stored, alert, deliveryId: isSent ? id : null };
  });
  await saveAlerts(trx, saved, now);
  if (id !== null)
    await linkAlerts(
      trx,
      id,
      parts.map(({ stored }) => stored.id),
    );
  await dropUnneeded(trx);
  return id !== null;
}

interface Written {
  uuid: string;
  message: Message;
  reusedId: number | undefined;
  now: number;
}

async function writeMessage(
  trx: Db,
  channel: Channel,
  { uuid, message, reusedId, now }: Written,
): Promise<number> {
  const delivery = { ...deliveryOf(toChannel(channel), message, now), uuid, subject: null };
  if (reusedId === undefined) return insertChannelDelivery(trx, delivery, now);
  await rewriteDelivery(trx, reusedId, delivery, now);
  return reusedId;
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
async function takeBackLost(trx: Db, config: Pick<Config, "signup" | "smtp">, now: number): Promise<void> {
  for (const deliveryId of await listLostDeliveries(trx, now)) {
    for (const stored of await lockAlertsOfDelivery(trx, deliveryId)) {
      const channel = await readChannel(trx, stored.channelId);
      const sending = stored.alert.sending;
      if (!channel || !sending) continue;
      const lost = { type: "lost" as const, deliveryId: sending.deliveryId };
      const { alert } = step(stored.alert, lost, policyOf(config, channel), now);
      await saveAlerts(trx, [{ ...stored, alert }], now);
    }
    await holdBack(trx, deliveryId);
  }
}

/** What was tried in vain, and that no alert has to say any more, is not sent. */
export async function dropUnneeded(trx: Db): Promise<void> {
  await dropWaiting(trx, await listUnneeded(trx), fact("delivery.over"));
}
