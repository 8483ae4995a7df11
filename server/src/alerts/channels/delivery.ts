import { randomUUIDv7 } from "node:crypto";
import { insertAudits } from "../../platform/access/queries/audit.ts";
import { listMembers } from "../../platform/access/queries/members.ts";
import { findOrganization } from "../../platform/access/queries/organizations.ts";
import {
  findUser,
  isEmailConfirmed,
  recordConfirmationRequest,
} from "../../platform/access/queries/users.ts";
import type { Context } from "../../platform/context.ts";
import { appendEvents } from "../../platform/database/events.ts";
import type { Db } from "../../platform/database/schema.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { excerpt, type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { readerOf } from "../../platform/i18n/reader.ts";
import { openConfig, sealConfig } from "../../platform/secrets/secret-box.ts";
import { notificationEvents } from "../live-events.ts";
import { countExternalMail, sendMail, sendsMail } from "../mail/send-mail.ts";
import type { Outcome } from "../outbox.ts";
import { requiresConfirmedAddress } from "../people/trusted-address.ts";
import { insertAttempt } from "../queries/channel-deliveries.ts";
import {
  type Channel,
  disableChannel,
  forgetMembersConsent,
  holdChannel,
  holdDisabled,
  moveChannelTo,
  noteRefused,
  readChannel,
} from "../queries/channels.ts";
import { endOwnTarget } from "../queries/notification-settings.ts";
import { insertNotifications } from "../queries/notifications.ts";
import {
  countConfirmations,
  type Delivery,
  insertChannelDeliveries,
  lockAddress,
  type NewChannelDelivery,
} from "../queries/outbox.ts";
import { alignOwnChannels, dropSubscription } from "../queries/own-channels.ts";
import { CHANNEL_WORTH_MS } from "../retry-rules.ts";
import type { LiveNotification } from "../schemas/live.ts";
import {
  confirmationMessage,
  eventOf,
  type Message,
  ownConfirmationMessage,
  subjectOf,
  unlinkedName,
} from "./message.ts";
import { destinationOf } from "./post.ts";
import { channelKind } from "./registry.ts";

/** Where a message goes. `isOwn`: to the channel of one person. */
interface To extends Pick<NewChannelDelivery, "organizationId" | "channelId" | "recipient"> {
  isOwn: boolean;
}

/** A channel, as a message goes to it. */
export const toChannel = ({
  id: channelId,
  organizationId,
  userId,
  target,
}: Pick<Channel, "id" | "organizationId" | "userId" | "target">): To => ({
  organizationId,
  channelId,
  isOwn: userId !== null,
  recipient: target,
});

/** A message to a channel as the outbox takes it: due at once, and worth sending for a day. */
export const deliveryOf = (to: To, message: Message, now: number): NewChannelDelivery => ({
  uuid: randomUUIDv7(),
  organizationId: to.organizationId,
  channelId: to.channelId,
  isOwn: to.isOwn,
  recipient: to.recipient,
  event: eventOf(message),
  subject: subjectOf(message),
  message: JSON.stringify(message),
  incidentId: message.incidentId,
  givesUpAt: now + CHANNEL_WORTH_MS,
});

type Needed = Pick<Context, "config" | "clock">;

const DAY_MS = 86_400_000;
/** Per day, over all senders: more would be the abuse that confirmation prevents. */
const MAX_TO_ADDRESS = 3;
const MAX_OF_ORGANIZATION = 20;

/**
 * Why no confirmation request can be sent now: the address received, or its organization sent, too many within a day. Null: it
 * can.
 */
export async function confirmationRefusal(
  trx: Db,
  { organizationId, target }: Pick<Channel, "organizationId" | "target">,
  now: number,
): Promise<MessageDescriptor | null> {
  const recipient = normalizeEmail(target);
  await lockAddress(trx, recipient);
  const counts = await countConfirmations(trx, { organizationId, recipient }, now - DAY_MS);
  if (counts.ofAddress >= MAX_TO_ADDRESS) return msg("channel.address_limit");
  return counts.ofOrganization >= MAX_OF_ORGANIZATION ? msg("channel.confirmation_limit") : null;
}

/** Writes a confirmation request for a channel into the outbox. */
export async function enqueueConfirmation(
  { config }: Pick<Context, "config">,
  trx: Db,
  channel: Channel,
  now: number,
) {
  const { userId, target } = channel;
  const message =
    userId === null ? await consentMessage(trx, channel, now) : ownAddressMessage(config, target, now);
  if (userId !== null) await recordConfirmationRequest(trx, userId, now);
  const to = { ...toChannel(channel), recipient: normalizeEmail(target) };
  await insertChannelDeliveries(trx, [deliveryOf(to, message, now)], { now });
}

/**
 * An address (lower case) no longer belongs to a member of this organization: channels that wrote to it for that reason alone
 * stop. One of them requests confirmation for all if this installation can; otherwise they wait until a request is sent by
 * hand.
 */
export async function requestConsentOfFormerMember(
  { config, clock }: Pick<Context, "config" | "clock">,
  trx: Db,
  { organizationId, email }: { organizationId: number; email: string },
): Promise<void> {
  const now = clock.now();
  const [channel] = await forgetMembersConsent(trx, organizationId, email);
  if (!channel || !sendsMail(config) || (await confirmationRefusal(trx, channel, now)) !== null) return;
  await enqueueConfirmation({ config }, trx, channel, now);
}

async function consentMessage(trx: Db, { organizationId: id, target: address }: Channel, now: number) {
  const organization = unlinkedName(excerpt((await findOrganization(trx, { id }))?.name ?? ""));
  return confirmationMessage({ organization, address }, now);
}

const ownAddressMessage = ({ publicUrl }: Context["config"], address: string, now: number): Message =>
  ownConfirmationMessage({ address, where: URL.parse(publicUrl ?? "")?.host ?? "" }, now);

/**
 * Mails a person a request to confirm their own address, if that is needed and none was sent yet. One that cannot be sent now
 * is sent at the next occasion: nothing that people do depends on it.
 */
export async function requestConfirmationOnce(
  ctx: Needed,
  trx: Db,
  channel: Channel,
  now: number,
): Promise<void> {
  const { config } = ctx;
  const { userId, organizationId } = channel;
  if (userId === null || !requiresConfirmedAddress(config) || !sendsMail(config)) return;
  if ((await isEmailConfirmed(trx, userId)) || (await confirmationRefusal(trx, channel, now)) !== null)
    return;
  const sending = { db: trx, clock: ctx.clock, config };
  if ((await countExternalMail(sending, { userId, organizationId }, channel.target)) !== null) return;
  if (await recordConfirmationRequest(trx, userId, now)) await enqueueConfirmation(ctx, trx, channel, now);
}

type OutcomeContext = Pick<Context, "clock" | "config" | "secrets">;

const EXPIRY_MS = 7 * 24 * 3_600_000;

/** Keeps what a try to send to a channel led to: the log, a pause, an end. */
export async function applyOutcomeToChannel(
  ctx: OutcomeContext,
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
  { secrets }: Pick<OutcomeContext, "secrets">,
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
async function heed(ctx: OutcomeContext, trx: Db, channelId: number, outcome: Outcome): Promise<void> {
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
  { secrets, clock }: OutcomeContext,
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
async function endChannel(
  ctx: OutcomeContext,
  trx: Db,
  channel: Channel,
  why: MessageDescriptor,
): Promise<void> {
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

async function mailOwners(
  ctx: OutcomeContext,
  trx: Db,
  channel: Channel,
  why: MessageDescriptor,
): Promise<void> {
  const members = await listMembers(trx, channel.organizationId);
  for (const { id } of members.filter(({ role }) => role === "owner")) {
    await mailEnd(ctx, trx, { userId: id, channel, page: `/settings/channels/${channel.id}` }, why);
  }
}

const OWN_NAMES = { slack: "Slack", webhook: "Webhook" };

/** What leads nowhere in one of a person's organizations leads nowhere in the others. */
async function endOwnChannel(
  ctx: OutcomeContext,
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
  ctx: OutcomeContext,
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
