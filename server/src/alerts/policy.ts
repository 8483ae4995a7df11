import type { Config } from "../platform/config.ts";
import type { Condition, Observed, Policy, Reader } from "./alert.ts";
import {
  type ChannelEvent,
  type ChannelFilter,
  type Reminder,
  wants,
  wantsEvent,
} from "./channels/filter.ts";
import { areSentAt, nextBeginning } from "./channels/hours.ts";
import { severityOf } from "./channels/message.ts";
import { channelKind } from "./channels/registry.ts";
import { isWaiting } from "./people/trusted-address.ts";
import type { AlertEvent, Audience, PostEvent } from "./queries/alert-events.ts";
import type { Channel } from "./queries/channels.ts";
import { eventOfCondition, type MonitorTruth } from "./truth.ts";

const MINUTE_MS = 60_000;
const GROUP_INTERVAL_MS = MINUTE_MS;
const REPEAT_MS: Readonly<Record<Reminder, number>> = {
  never: 0,
  critical: 240 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "4h": 240 * MINUTE_MS,
};
/** How long nothing is sent where a channel's hours never begin. */
const NEVER_MS = 3_600_000;

/** Who reads what goes to channels of that type. */
export const readerOf = (type: string): Reader => channelKind(type)?.reader ?? "people";

/** What decides whether anything can be sent to a channel. */
export type DeliveryConfig = Pick<Config, "signup" | "smtp">;

/** Why a channel must not write to its recipient, who has to confirm, or cannot, as the installation sends no mail; null: it may. */
function recipientProblem(config: DeliveryConfig, channel: Channel): "unconfirmed" | "no_mail" | null {
  if (isWaiting(config, channel)) return "unconfirmed";
  return channel.type === "email" && channel.userId !== null && config.smtp === null ? "no_mail" : null;
}

/** Why nothing is sent to a channel; null: it is. */
export function inactiveWhy(
  config: DeliveryConfig,
  channel: Channel,
): "off" | "disabled" | "unconfirmed" | "no_mail" | null {
  if (channel.enabled) return recipientProblem(config, channel);
  return channel.disabledReason === null ? "off" : "disabled";
}

function deliveryTo(config: DeliveryConfig, channel: Channel): Policy["delivery"] {
  const why = inactiveWhy(config, channel);
  if (why === null) return "on";
  return why === "disabled" && recipientProblem(config, channel) === null ? "daily" : "off";
}

/** How a channel wants to be notified. */
export function policyOf(config: DeliveryConfig, channel: Channel): Policy {
  const { hours, timeZone, reminder, type } = channel;
  return {
    reader: readerOf(type),
    delivery: deliveryTo(config, channel),
    quietUntil: (at) =>
      hours === null || areSentAt(hours, at, timeZone)
        ? null
        : (nextBeginning(hours, at, timeZone) ?? at + NEVER_MS),
    groupWaitMs: 0,
    groupIntervalMs: GROUP_INTERVAL_MS,
    repeatMs: (severity) => (reminder !== "critical" || severity === "critical" ? REPEAT_MS[reminder] : 0),
  };
}

/** What of a monitor a channel wants, by its filter. */
export type Wanted = Pick<Observed, "isWanted" | "isFollowed" | "isEndWanted">;

/** Whether a channel's filter lets through what is wrong with a monitor, by its event, severity and tags; how it goes on; and its end. */
export function wantedBy(channel: ChannelFilter & { type: string }, truth: MonitorTruth): Wanted {
  const { severity, tags, condition } = truth;
  const event = condition === "ok" ? "monitor.down" : eventOfCondition(truth);
  const ends: ChannelEvent[] =
    truth.kind === "device" ? ["device.online", "device.health", "monitor.up"] : ["monitor.up"];
  return {
    isWanted: condition !== "ok" && wants(channel, { event, severity, tags }, false),
    isFollowed: wantsEvent(channel, event),
    // A pager's alert would stay open for good.
    isEndWanted: readerOf(channel.type) === "pager" || ends.some((end) => wantsEvent(channel, end)),
  };
}

/** What a monitor's event comes to. */
export function conditionAfter({
  event,
  type,
  descriptor,
}: {
  event: string;
  type: string;
  descriptor?: { code: string };
}): Condition | null {
  if (descriptor?.code === "notification.critical") return "critical";
  switch (event) {
    case "monitor.down":
      return "down";
    case "monitor.up":
      return "ok";
    case "monitor.settled":
      return type === "success" ? "ok" : "down";
    case "monitor.degraded":
      return "degraded";
    case "monitor.flapping":
      return "flapping";
    case "monitor.stopped":
      return type === "info" ? "ok" : "stopped";
    default:
      return null;
  }
}

/** Whom it may be for, besides what they want. */
export function isPostFor(
  audience: Audience,
  { type, userId, ...channel }: Channel,
  isFiring: boolean,
): boolean {
  switch (audience.is) {
    case "all":
      return true;
    case "people":
      return userId === null
        ? !audience.isRegrouped && !(audience.isNoAlert && readerOf(type) === "pager")
        : userId !== audience.authorId;
    case "machines":
      return readerOf(type) === "machine";
    case "programs":
      return readerOf(type) !== "people";
    case "without_ends":
      return !wantsEvent(channel, "monitor.up") && wantsEvent(channel, "incident.resolved");
    case "acknowledged":
      return isFiring && channelKind(type)?.supportsAcknowledgement === true;
  }
}

/** Whether a channel's filter lets it through. What ends something is for channels that were notified of it. */
export function isLetThrough(post: PostEvent, channel: Channel, isNotified: boolean): boolean {
  const { message, tags, isForNotified } = post;
  if (isForNotified || message.event === "acknowledged") return true;
  const severity = severityOf(message) ?? "high";
  return wants(channel, { event: message.event as ChannelEvent, severity, tags }, isNotified);
}

/** Whether a channel would be sent it if nothing was known of it before. */
export const isPostWanted = ({ post, organizationId }: AlertEvent, channel: Channel): boolean =>
  post !== null &&
  organizationId === channel.organizationId &&
  isPostFor(post.audience, channel, false) &&
  isLetThrough(post, channel, false);

/** What comes soon after another message waits so long for more of its kind. */
const THROTTLE_WAIT_MS = 5_000;
/** More messages than that within a minute become one. */
const SINGLE_MESSAGES = 10;
/** So many that have waited are still sent one by one. */
const FEW = 3;

/** A message of the last minute, and how many alerts it was about. Milliseconds. */
export interface SentMessage {
  at: number;
  alerts: number;
}

/** What of a person's messages that are due is sent now: the first of them, or all as one; or until when they wait. */
export type Plan = { send: "first" | "digest" } | { waitUntil: number };

/**
 * When a person is sent what is due, so that it is neither late nor a flood: the first message goes at once; what follows waits five
 * seconds for more; more than ten within a minute become a digest at once, one five seconds later, and one a minute after that.
 * `dueSince`: of each alert that is due. Milliseconds.
 */
export function throttleMessages(
  due: readonly { dueSince: number }[],
  sent: readonly SentMessage[],
  now: number,
): Plan {
  // A clock that was put back leaves times ahead.
  const recent = sent.filter(({ at }) => Math.abs(now - at) < MINUTE_MS);
  const isMany = recent.reduce((sum, { alerts }) => sum + alerts, due.length) > SINGLE_MESSAGES;
  const oldest = Math.min(now, ...due.map(({ dueSince }) => dueSince));
  // What has waited since there was too much before does not come singly after that.
  const hasWaited = due.length > FEW && now - oldest > 2 * THROTTLE_WAIT_MS;
  if (recent.length === 0) return { send: due.length > SINGLE_MESSAGES || hasWaited ? "digest" : "first" };
  const last = Math.max(...recent.map(({ at }) => at));
  const next = isMany
    ? last + (recent.length === 1 ? THROTTLE_WAIT_MS : MINUTE_MS)
    : oldest + THROTTLE_WAIT_MS;
  if (next > now) return { waitUntil: next };
  return { send: isMany && due.length > 1 ? "digest" : "first" };
}
