import type { Config } from "../config.ts";
import type { Message } from "../notification/channel/message.ts";
import { retryDelayMs } from "../notification/rules.ts";
import type { Outcome } from "../notification/transport.ts";
import type { Db } from "../store/db.ts";
import {
  isAnyFailing,
  lockAlertsOfDelivery,
  lockLinkedAlerts,
  type StoredAlert,
  saveAlerts,
} from "../store/queries/alerts.ts";
import { type Channel, enableAgain, readChannel } from "../store/queries/channels.ts";
import {
  type Delivery,
  dropFollowing,
  holdBack,
  hurryWaiting,
  type Settlement,
} from "../store/queries/outbox.ts";
import { fact } from "../texts/fact.ts";
import type { Said } from "./alert.ts";
import { noteChannels, noteMonitors } from "./note.ts";
import { conditionAfter, policyOf } from "./policy.ts";
import { step } from "./rules.ts";

const DAY_MS = 86_400_000;

/**
 * Keeps in the alerts what became of a message to a channel, in the transaction that keeps it in the outbox: only what the other
 * side has acknowledged counts as known; the rest is said anew, at `again`, or later each time.
 */
export async function settleAlerts(
  trx: Db,
  config: Pick<Config, "signup" | "smtp">,
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
  const alerts = await (isMachine
    ? lockLinkedAlerts(trx, delivery.id)
    : lockAlertsOfDelivery(trx, delivery.id));
  if (isSent && (alerts.length > 0 || !channel.enabled)) await resumeChannel(trx, channel, now);
  if (alerts.length === 0) return;
  const { says, postId } = isMachine ? saidBy(delivery) : {};
  // A reminder says nothing that is not known.
  if (isMachine && !isSent && says?.length === 0 && postId === undefined) return;
  // What follows what never got there is said anew, as it is by then: no end without its beginning.
  if (isMachine && !isSent) await dropFollowing(trx, delivery, fact("delivery.over"));
  const reference = "reference" in outcome ? (outcome.reference ?? null) : null;
  const retryAt = (failures: number): number => {
    if (!channel.enabled) return delivery.givesUpAt > now ? now + DAY_MS : now;
    if (settlement.state === "waiting") return settlement.again;
    // What was refused is not refused less a few seconds later.
    return Math.ceil(now + retryDelayMs(failures + REFUSED_LATER, Math.random()));
  };
  const moved: StoredAlert[] = [];
  const settled = alerts.map((stored): StoredAlert => {
    const deliveryId = stored.alert.sending?.deliveryId ?? delivery.uuid;
    if (stored.alert.sending?.isMoved) moved.push(stored);
    const event = isSent
      ? { type: "delivered" as const, deliveryId, ...(says && { says, postId }) }
      : { type: "failed" as const, deliveryId, retryAt: retryAt(stored.alert.failures + 1) };
    const { alert } = step(stored.alert, event, policy, now);
    const isKept = settlement.state === "waiting" && alert.nextAt !== null;
    const known = alerts.length === 1 ? (stored.reference ?? reference) : stored.reference;
    return { ...stored, alert, deliveryId: isKept ? stored.deliveryId : null, reference: known };
  });
  await saveAlerts(trx, settled, now);
  await noteMonitors(
    trx,
    moved.flatMap(({ organizationId, alert }) =>
      alert.members.map(({ monitorId }) => ({ organizationId, monitorId })),
    ),
    now,
  );
  if (!isMachine && settlement.state === "waiting") await holdBack(trx, delivery.id);
}

/** A channel that works again: it is on, and whatever failed before is tried now, the most severe first. */
async function resumeChannel(trx: Db, channel: Channel, now: number): Promise<void> {
  if (!channel.enabled) await enableAgain(trx, channel.id, now);
  if (channel.enabled && !(await isAnyFailing(trx, channel.id))) return;
  await hurryWaiting(trx, [channel.id], now);
  await noteChannels(trx, [channel], now);
}

/** So many steps further in the delays between attempts. */
const REFUSED_LATER = 3;

/** What a machine's event said of its monitor, or which post it was. */
function saidBy({ message }: Delivery): { says: Said[]; postId: number | undefined } {
  const { event, type, monitor, fact: said, postId } = JSON.parse(message ?? "{}") as Partial<Message>;
  if (postId !== undefined) return { says: [], postId };
  const condition = event && type ? conditionAfter({ event, type, ...(said && { fact: said }) }) : null;
  return { says: monitor && condition ? [{ monitorId: monitor.id, condition }] : [], postId };
}
