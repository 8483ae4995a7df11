import type { ChannelRequest } from "../../../alerts/channels/kind.ts";
import { plainSlackMessage } from "../../../alerts/channels/slack.ts";
import { wordsFor } from "../../render/view.ts";
import type { PageNotification } from "../page-notification.ts";
import { type Sending, wordsOf } from "../subscriber-words.ts";
import { byRequest } from "./by-request.ts";
import type { Destination, SubscriberChannel } from "./channel.ts";

export const slackChannel: SubscriberChannel = { ...byRequest(slackRequest), isSigned: false };

function slackRequest(sending: Sending, { url }: Destination): ChannelRequest {
  const { notification, manageUrl, subscriber, page } = sending;
  const { title, texts, label, url: link } = wordsOf(sending);
  const { say } = wordsFor(subscriber.language, page.timeZone);
  const links = [
    ...(link === null ? [] : [{ label, url: link }]),
    ...(notification ? [{ label: say("known.action"), url: manageUrl }] : []),
  ];
  return { url, body: { json: plainSlackMessage({ title, texts, type: toneOf(notification), links }) } };
}

function toneOf(notification: PageNotification | null) {
  if (notification?.event === "incident.opened") return "error";
  if (notification?.event === "incident.updated") return "warning";
  return notification?.event === "incident.resolved" || notification?.event === "maintenance.ended"
    ? "success"
    : "info";
}
