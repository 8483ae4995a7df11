import { randomUUIDv7 } from "node:crypto";
import { insertAudits } from "../../platform/access/queries/audit.ts";
import { listMembers } from "../../platform/access/queries/members.ts";
import { findUser, isEmailConfirmed } from "../../platform/access/queries/users.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/db.ts";
import { appendEvents } from "../../platform/database/events.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { readerOf } from "../../platform/i18n/reader.ts";
import { openConfig, sealConfig } from "../../platform/secrets/secret-box.ts";
import { notificationEvents } from "../live-events.ts";
import { sendMail } from "../mail/send-mail.ts";
import type { Outcome } from "../outbox.ts";
import { requiresConfirmedAddress } from "../people/trusted-address.ts";
import { insertAttempt } from "../queries/channel-deliveries.ts";
import {
  type Channel,
  disableChannel,
  holdChannel,
  holdDisabled,
  moveChannelTo,
  noteRefused,
  readChannel,
} from "../queries/channels.ts";
import { endOwnTarget } from "../queries/notification-settings.ts";
import { insertNotifications } from "../queries/notifications.ts";
import type { Delivery } from "../queries/outbox.ts";
import { alignOwnChannels } from "../queries/own-channels.ts";
import { dropSubscription } from "../queries/push-subscriptions.ts";
import type { LiveNotification } from "../schemas/live.ts";
import { requestConfirmationOnce } from "./delivery.ts";
import { destinationOf } from "./post.ts";
import { channelKind } from "./registry.ts";

type Needed = Pick<Context, "clock" | "config" | "secrets">;

const EXPIRY_MS = 7 * 24 * 3_600_000;

/** Keeps what a try to send to a channel led to: the log, a pause, an end. */
export async function applyOutcomeToChannel(
  ctx: Needed,
  trx: Db,
  delivery: Delivery,
  outcome: Outcome,
): Promise<void> {
  const { id: deliveryId, organizationId, channelId } = delivery;
  if (organizationId === null || channelId === null) return;
  const now = ctx.clock.now();
  const { durationMs = 0, request = null, answer = null } = outcome.log ?? {};
  const said = outcome.is === "sent" ? outcome.said : outcome.why;
  const attempt = { deliveryId, at: now, durationMs, outcome: outcome.is, message: said, request, answer };
  await insertAttempt(trx, organizationId, attempt);
  if (outcome.is === "refused" && outcome.why.code === "delivery.unconfirmed") {
    const channel = await readChannel(trx, channelId);
    if (channel) await requestConfirmationOnce(ctx, trx, channel, now);
  }
  const isBareRefusal = outcome.is === "postponed" && outcome.isRefusal === true;
  // What is given up as too late has not been tried: it says nothing about the other side.
  const isTried = delivery.givesUpAt > now;
  if (isTried && !isBareRefusal) await noteRefused(trx, channelId, null);
  await heed(ctx, trx, channelId, outcome);
  if (isTried && outcome.is !== "sent") await holdDisabled(trx, channelId, now);
}

/** For how long bare refusals are taken for a fault of whatever is in front of the other side. */
const REFUSED_MS = 24 * 3_600_000;

/** Whether the other side wants nothing more: it says so, or has refused everything for a day. */
async function isEnd(trx: Db, channelId: number, outcome: Outcome, now: number): Promise<boolean> {
  if (outcome.is === "refused") return outcome.ended === true;
  if (outcome.is !== "postponed" || !outcome.isRefusal) return false;
  return now - (await noteRefused(trx, channelId, now)) >= REFUSED_MS;
}

/** What refused a message has no say where the channel leads now: it is sent there. */
export async function reconsiderRefusal(
  { secrets }: Pick<Needed, "secrets">,
  trx: Db,
  { channelId }: Delivery,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.is !== "refused" || outcome.destination === undefined || channelId === null) return outcome;
  const channel = await readChannel(trx, channelId, { lock: true });
  if (!channel || destinationOf(secrets, channel) === outcome.destination) return outcome;
  const { why, log, destination } = outcome;
  return { is: "postponed", why, destination, ...(log && { log }) };
}

/** Applies what the receiver requested, unless the channel has another address by now: a pause, an end, or a new address. */
async function heed(ctx: Needed, trx: Db, channelId: number, outcome: Outcome): Promise<void> {
  const pauseMs = outcome.is === "refused" ? undefined : outcome.afterMs;
  const isEnded = await isEnd(trx, channelId, outcome, ctx.clock.now());
  if (pauseMs === undefined && !isEnded && outcome.moved === undefined) return;
  const channel = await readChannel(trx, channelId, { lock: true });
  if (!channel || destinationOf(ctx.secrets, channel) !== outcome.destination) return;
  if (outcome.moved !== undefined) await moveChannel(ctx, trx, channel, outcome.moved);
  if (pauseMs !== undefined) await holdChannel(trx, channelId, ctx.clock.now() + pauseMs);
  if (isEnded && outcome.is !== "sent") await endChannel(ctx, trx, channel, outcome.why);
}

/** Has a channel lead where the other side says that it is reached from now on. */
async function moveChannel(
  { secrets, clock }: Needed,
  trx: Db,
  channel: Channel,
  moved: object,
): Promise<void> {
  const kind = channelKind(channel.type);
  if (!kind) return;
  const config = { ...openConfig(secrets, channel), ...moved };
  const sealed = sealConfig(secrets, kind.configSchema, config);
  const target = kind.target(config as never);
  await moveChannelTo(trx, channel.id, { ...sealed, target }, clock.now());
  // The server did this by itself: the receiver named a new address.
  const entry = {
    organizationId: channel.organizationId,
    userId: null,
    apiKeyId: null,
    action: "update channels",
    resource: "notifications",
    resourceId: channel.uuid,
    subject: channel.name,
    before: channel.target,
    after: target,
    requestId: "",
    address: "",
  } as const;
  await insertAudits(trx, [entry], clock.now());
}

/** Turns off a channel whose receiver refuses messages, and notifies the organization's admins, or its owner. */
async function endChannel(ctx: Needed, trx: Db, channel: Channel, why: MessageDescriptor): Promise<void> {
  const now = ctx.clock.now();
  if (!(await disableChannel(trx, channel.id, why, now))) return;
  if (channel.userId !== null) return endOwnChannel(ctx, trx, { ...channel, userId: channel.userId }, why);
  const said = { ...msg("notification.channel_off", { name: channel.name }), because: why };
  const notification: LiveNotification = {
    uuid: randomUUIDv7(),
    organizationId: channel.organizationId,
    ...{ monitorId: null, kind: null, monitorName: null, incidentId: null, outageMs: null },
    event: "channel.disabled",
    type: "error",
    message: inEnglish(said),
    descriptor: said,
    reason: why,
    ...{ isQuiet: false, outageStartedAt: null, togetherMessage: null },
    idempotencyKey: `channel.disabled:${channel.uuid}:${now}`,
    at: now,
    createdAt: now,
  };
  await insertNotifications(trx, [notification]);
  appendEvents(trx, notificationEvents([notification]), now);
  await mailOwners(ctx, trx, channel, why);
}

async function mailOwners(ctx: Needed, trx: Db, channel: Channel, why: MessageDescriptor): Promise<void> {
  const members = await listMembers(trx, channel.organizationId);
  for (const { id } of members.filter(({ role }) => role === "owner")) {
    await mailEnd(ctx, trx, { userId: id, channel, page: `/settings/channels/${channel.id}` }, why);
  }
}

const OWN_NAMES = { slack: "Slack", webhook: "Webhook" };

/** What leads nowhere in one of a person's organizations leads nowhere in the others. */
async function endOwnChannel(
  ctx: Needed,
  trx: Db,
  channel: Channel & { userId: number },
  why: MessageDescriptor,
): Promise<void> {
  const { type, userId } = channel;
  if (type === "push") return dropSubscription(trx, channel.target);
  if (type !== "slack" && type !== "webhook") return;
  await endOwnTarget(trx, userId, type, why);
  await alignOwnChannels(trx, userId, ctx.clock.now());
  const named = { ...channel, name: OWN_NAMES[type] };
  await mailEnd(ctx, trx, { userId, channel: named, page: "/settings/notifications" }, why);
}

async function mailEnd(
  ctx: Needed,
  trx: Db,
  { userId, channel, page }: { userId: number; channel: Channel; page: string },
  why: MessageDescriptor,
): Promise<void> {
  const person = await findUser(trx, userId);
  if (ctx.config.smtp === null || !person) return;
  // Otherwise a failing channel could be used to mail an address that is not its owner's.
  if (requiresConfirmedAddress(ctx.config) && !(await isEmailConfirmed(trx, userId))) return;
  const link = ctx.config.publicUrl === null ? null : ctx.config.publicUrl + page;
  const params = { name: channel.name, why };
  const mail = { kind: "channel_off", reader: readerOf(person), params, link } as const;
  const { organizationId } = channel;
  await sendMail({ ...ctx, db: trx }, { to: person.email, mail, organizationId, worthMs: EXPIRY_MS });
}
