import { Type } from "typebox";
import { readIncidentState } from "../../incidents/queries/automatic-incidents.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { notFound, PublicError } from "../../platform/errors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { IdText, parseId } from "../../platform/operations/field.ts";
import { type Before, verb } from "../../platform/operations/operation.ts";
import { NewestFirstQuery, pageIn, pagingOf } from "../../platform/operations/paging.ts";
import type { Alert, Policy } from "../alert.ts";
import { endsProblem, isOfIncident, type Message } from "../channels/message.ts";
import { requeueEvent } from "../machine-rules.ts";
import { conditionAfter, policyOf, readerOf } from "../policy.ts";
import { lockLinkedAlerts, type StoredAlert, saveAlerts } from "../queries/alerts.ts";
import {
  countChannelDeliveries,
  findChannelDelivery,
  hasNewer,
  listAttempts,
  listChannelDeliveries as queryDeliveries,
  sendAgain,
  takeOutOfOrder,
} from "../queries/channel-deliveries.ts";
import type { Channel } from "../queries/channels.ts";
import { lockClaims } from "../queries/claim-deliveries.ts";
import { type Delivery, holdBack } from "../queries/outbox.ts";
import { CHANNEL_WORTH_MS, LEASE_MS } from "../retry-rules.ts";
import { step } from "../rules.ts";
import { ChannelDelivery, projectDelivery } from "../schemas/channels.ts";
import { saidBy } from "../send.ts";
import { type MonitorTruth, readTruth } from "../truth.ts";
import { findChannelMeant } from "./channels.ts";

/** Each has its tries, and each try up to 8 kB of what was sent and answered: so no list of everything. */
const MOST_LOGGED = 100;

/** What was sent to a channel in the last 30 days, newest first, with every try; without a page the newest 100. */
export const listChannelDeliveries = verb({
  resource: "notifications",
  action: "read",
  input: Type.Object({
    id: IdText,
    ...NewestFirstQuery,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_LOGGED, description: "Items a page. Default: 20." }),
    ),
  }),
  output: Type.Array(ChannelDelivery),
  paged: true,
  find: findChannelMeant,
  async run({ db }, query, channel) {
    const requested = pagingOf(query);
    const paging = { ...requested, limit: Math.min(requested.limit, MOST_LOGGED) };
    const deliveries = await queryDeliveries(db, channel.id, paging);
    const attempts = await listAttempts(
      db,
      deliveries.map(({ id }) => id),
    );
    const own = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    const items = deliveries.map((delivery) => projectDelivery(delivery, own.get(delivery.id) ?? []));
    if (!paging.isPaged) return { items };
    return { items, page: pageIn(paging, await countChannelDeliveries(db, channel.id)) };
  },
});

/**
 * Sends a message once more. It keeps its id, so that receivers can recognize it. Throws 404, or 409 while it is still pending,
 * where it is out of date, where the channel is off or unconfirmed, and for a confirmation request, which has its own operation.
 */
export const resendDelivery = verb({
  resource: "notifications",
  action: "write",
  audit: "resend notifications",
  hints: { openWorld: true },
  input: Type.Object({ id: IdText, delivery: IdText }),
  output: ChannelDelivery,
  async find(ctx: Before, input) {
    const { found: channel, caller } = await findChannelMeant(ctx, input);
    const delivery = await findChannelDelivery(ctx.store.db, channel.id, parseId(input.delivery));
    if (!delivery) throw notFound();
    return { caller, found: { channel, delivery } };
  },
  async run(ctx, _, { channel, delivery }) {
    const { db, clock } = ctx;
    const now = clock.now();
    if (delivery.event === "confirmation") throw new PublicError("conflict", msg("delivery.is_confirmation"));
    if (channel.confirmedAt === null) throw new PublicError("conflict", msg("delivery.unconfirmed"));
    if (!channel.enabled && delivery.event !== "test")
      throw new PublicError("conflict", msg("delivery.channel_off"));
    const isDelivered = (await listAttempts(db, [delivery.id])).some(({ outcome }) => outcome === "sent");
    const isOnce = isDelivered && delivery.event !== "test" && readerOf(channel.type) !== "machine";
    await lockClaims(db);
    const givesUpAt = now + (isOnce ? LEASE_MS : CHANNEL_WORTH_MS);
    if (!(await sendAgain(db, delivery.id, { now, givesUpAt }))) {
      throw new PublicError("conflict", msg("delivery.waits"));
    }
    const why =
      delivery.event === "test" ? null : await resendMessage(ctx, db, channel, { delivery, isDelivered });
    if (why) throw new PublicError("conflict", why);
    ctx.record({ id: channel.id, name: channel.name });
    const again = await findChannelDelivery(db, channel.id, { id: delivery.id });
    if (!again) throw notFound();
    return projectDelivery(again, await listAttempts(db, [delivery.id]));
  },
});

// Whether a message is out of date, and what sending it again does to its alerts.

interface Resent {
  delivery: Delivery;
  message: Message;
  policy: Policy;
  alerts: readonly StoredAlert[];
  truth: ReadonlyMap<number, MonitorTruth>;
  now: number;
}

const FOLLOWED = msg("delivery.followed");
const REGROUPED = msg("delivery.regrouped");
const CHANGED = msg("delivery.changed");

/**
 * Has a message of the log, which is in the outbox again, sent once more while it says what is so and nothing followed it.
 * What never arrived, its alerts say anew, as things are by then; what arrived is repeated word for word. A machine may have each event that arrived
 * repeated. Returns why it is out of date; null: it is sent. Call it with the claims locked.
 */
async function resendMessage(
  { config, clock }: Pick<Context, "config" | "clock">,
  trx: Db,
  channel: Channel,
  { delivery, isDelivered }: { delivery: Delivery; isDelivered: boolean },
): Promise<MessageDescriptor | null> {
  const policy = policyOf(config, channel);
  if (policy.reader === "machine" && isDelivered) {
    await takeOutOfOrder(trx, delivery.id);
    return null;
  }
  const message = JSON.parse(delivery.message ?? "{}") as Message;
  const alerts = await lockLinkedAlerts(trx, [delivery.id]);
  const monitorIds = alerts.flatMap(({ alert }) => [
    ...alert.members.map(({ monitorId }) => monitorId),
    ...(alert.lastSaid?.says ?? []).map(({ monitorId }) => monitorId),
  ]);
  const truth = await readTruth(trx, [
    ...new Set([...monitorIds, ...(message.monitor ? [message.monitor.id] : [])]),
  ]);
  const resent = { delivery, message, policy, alerts, truth, now: clock.now() };
  const why = overWhy(resent) ?? ((await hasNewer(trx, delivery.id)) ? FOLLOWED : null);
  if (why) return why;
  if (policy.reader === "machine") return requeue(trx, resent);
  return isDelivered ? repeat(trx, resent) : sayAnew(trx, resent);
}

/** That the monitor it speaks of has recovered since, or failed again; null: neither. */
function overWhy({ message, truth }: Resent): MessageDescriptor | null {
  const { monitor, event, certificate, budget } = message;
  const truthOfIt = truth.get(monitor?.id ?? 0);
  const said = event === "reminder" ? "down" : conditionAfter(message);
  if (!monitor || !truthOfIt || truthOfIt.isUnwatched || certificate || budget || said === null) return null;
  const isWrong = truthOfIt.condition !== "ok";
  if (isWrong === (said !== "ok")) return null;
  return msg(isWrong ? "delivery.down_again" : "delivery.recovered", { name: monitor.name });
}

/** What failed is due in its alerts, and is now. */
async function sayAnew(
  trx: Db,
  { delivery, alerts, policy, now }: Resent,
): Promise<MessageDescriptor | null> {
  const due = alerts.flatMap((stored): StoredAlert[] => {
    const alert = triedNow(stored.alert, policy, now);
    const isDue = alert.nextAt !== null && (alert.dueSince !== null || alert.nextAt <= now);
    return isDue ? [{ ...stored, alert, deliveryId: delivery.id }] : [];
  });
  if (due.length === 0) return CHANGED;
  await saveAlerts(trx, due, now);
  await holdBack(trx, delivery.id, Math.max(now, Math.min(...due.map(({ alert }) => alert.nextAt ?? now))));
  return null;
}

const triedNow = (alert: Alert, policy: Policy, now: number): Alert =>
  step({ ...alert, retryAt: null, failures: 0 }, { type: "policy" }, policy, now).alert;

/** What was delivered is sent once more, and what its alerts have to say meanwhile follows. */
async function repeat(trx: Db, resent: Resent): Promise<MessageDescriptor | null> {
  const { delivery, message, alerts, policy, now } = resent;
  const incidentWhy = await incidentProblem(trx, resent);
  if (incidentWhy) return incidentWhy;
  // How long something has been down is another by now.
  if (alerts.length === 0 || message.event === "reminder") return CHANGED;
  for (const stored of alerts) {
    const why = alertProblem(stored, resent);
    if (why) return why;
  }
  const repeating = alerts.map((stored): StoredAlert => {
    const { alert } = stored;
    const says = (alert.lastSaid?.says ?? []).map((one) => ({ ...one, before: null }));
    const sending = { deliveryId: delivery.uuid, says, missed: [], posts: [], isRepeat: true };
    return { ...stored, alert: triedNow({ ...alert, sending }, policy, now), deliveryId: delivery.id };
  });
  await saveAlerts(trx, repeating, now);
  return null;
}

/** Why what an alert said last is out of date; null: it is not. */
function alertProblem({ alert }: StoredAlert, { delivery, truth }: Resent): MessageDescriptor | null {
  const { lastSaid, sending, dueSince, posts, isOpen, lastSentAt } = alert;
  if (lastSaid?.deliveryId !== delivery.uuid || sending || dueSince !== null || posts.length > 0)
    return FOLLOWED;
  if (lastSaid.isOpen !== isOpen) return CHANGED;
  for (const { monitorId, condition } of lastSaid.says) {
    const current = truth.get(monitorId);
    if (!current || current.isUnwatched) return CHANGED;
    const isOver = condition === "ok";
    if (isOver !== (current.condition === "ok")) return CHANGED;
    // It failed and recovered meanwhile.
    if (isOver && current.since > (lastSentAt ?? 0)) return CHANGED;
    const member = alert.members.find((one) => one.monitorId === monitorId);
    if (!isOver && member?.notified !== condition) return REGROUPED;
  }
  return null;
}

/** Why a message is out of date by its incident; null: it is not, or has none. */
async function incidentProblem(trx: Db, { delivery, message }: Resent): Promise<MessageDescriptor | null> {
  const incidentId = delivery.incidentId ?? message.incidentId;
  if (incidentId === null) return null;
  const incident = await readIncidentState(trx, incidentId);
  if (!incident) return REGROUPED;
  const isOver = incident.resolvedAt !== null;
  if (message.event === "acknowledged") return isOver || incident.acknowledgedAt === null ? CHANGED : null;
  return isOfIncident(message) && isOver !== endsProblem(message) ? CHANGED : null;
}

/** An event that failed is in the outbox again, where a machine lacks it still. */
async function requeue(
  trx: Db,
  { delivery, message, alerts, policy, now }: Resent,
): Promise<MessageDescriptor | null> {
  const [stored] = alerts;
  const alert = stored && requeueEvent(stored.alert, { ...saidBy(delivery), at: message.at }, policy);
  if (!stored || !alert) return CHANGED;
  await saveAlerts(trx, [{ ...stored, alert: triedNow(alert, policy, now) }], now);
  return null;
}
