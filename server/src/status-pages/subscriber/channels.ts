import type { ChannelRequest } from "../../alerts/channels/kind.ts";
import { unlinkedName } from "../../alerts/channels/message.ts";
import { composed, evaluateAnswer, hostOf, post } from "../../alerts/channels/post.ts";
import { plainSlackMessage } from "../../alerts/channels/slack.ts";
import { newSecret, signature } from "../../alerts/channels/webhook.ts";
import { bodiesOf } from "../../alerts/mail/mail-body.ts";
import { handOver, senderOf } from "../../alerts/mail/mail-transport.ts";
import { composeMessage, isMailable } from "../../alerts/mail/send-mail.ts";
import type { Outcome } from "../../alerts/outbox.ts";
import { reachOf } from "../../alerts/people/trusted-address.ts";
import { hostProblem } from "../../checks/guard.ts";
import type { Config } from "../../platform/config.ts";
import type { Context, SecretBox } from "../../platform/context.ts";
import { isEmail, normalizeEmail } from "../../platform/formats/name.ts";
import { webUrlProblem } from "../../platform/formats/url.ts";
import { excerpt, msg } from "../../platform/i18n/message.ts";
import { wordsFor } from "../render/view.ts";
import { projectPageEvent } from "../schemas/public-page.ts";
import { SUBSCRIBER_KINDS, type SubscriberKind } from "./kinds.ts";
import type { PageNotification } from "./page-notification.ts";
import {
  type Destination,
  openDestination,
  type Sending,
  type SubscriberChannel,
  wordsOf,
} from "./sending.ts";

/** Lower case; everything else, such as dots, has a meaning that only the receiving server knows. */
const emailChannel: SubscriberChannel = {
  isSigned: false,
  lack: ({ publicUrl, smtp }) => (publicUrl === null || smtp === null ? msg("mail.off") : null),
  read(typed) {
    const address = normalizeEmail(typed);
    if (!isEmail(address) || !isMailable(address)) return { problem: msg("subscriber.no_email") };
    return { address, place: address, destination: null };
  },
  // Most servers deliver `name+anything` to one inbox.
  canonicalAddress: (_, { address }) => address.replace(/^([^+@]+)\+[^@]*@/, "$1@"),
  send: sendMail,
};

/** With one-click unsubscription (RFC 8058). */
async function sendMail({ config }: Context, sending: Sending, signal: AbortSignal): Promise<Outcome> {
  const { smtp } = config;
  if (smtp === null) return { is: "postponed", why: msg("mail.off") };
  const { subscriber, page, notification, delivery, manageUrl, endUrl } = sending;
  const { title, texts, html, label, url, ending } = wordsOf(sending, unlinkedName);
  const { say } = wordsFor(subscriber.language, page.timeZone);
  const from = senderOf(config);
  const host = from.address.split("@")[1] ?? "localhost";
  const why = say("notification.why", {
    address: subscriber.address,
    page: unlinkedName(excerpt(page.name)),
  });
  const links = [say("notification.manage", { url: manageUrl }), say("notification.end", { url: endUrl })];
  const footer = sending.confirmUrl === null ? [why, ...links].join("\n") : null;
  const words = { subject: title, text: texts.join("\n\n"), html, action: label, ending, footer };
  const subject = (notification?.incident ?? notification?.maintenance)?.uuid;
  const thread = subject && `<page-${subject}.${subscriber.uuid}@${host}>`;
  const message = await composeMessage({
    from,
    to: subscriber.address,
    uuid: delivery.uuid,
    date: new Date(delivery.createdAt),
    language: subscriber.language,
    subject: title,
    ...bodiesOf(words, url),
    more: {
      ...(thread && { "In-Reply-To": thread, References: thread }),
      "List-Id": `<${page.uuid}.${host}>`,
      "List-Unsubscribe": `<${endUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  return handOver(smtp, { from: from.address, to: subscriber.address, message }, signal);
}

/** Servers accept no longer ones. */
const MAX_URL_LENGTH = 2_048;

/** `now`: milliseconds. */
type MakeRequest = (sending: Sending, destination: Destination, now: number) => ChannelRequest;

/** One request per message. */
const byRequest = (make: MakeRequest): Omit<SubscriberChannel, "isSigned"> => ({
  lack: ({ publicUrl }) => (publicUrl === null ? msg("mail.no_address") : null),
  read(typed, targets) {
    const problem = typed.length > MAX_URL_LENGTH ? msg("subscriber.no_url") : webUrlProblem(typed);
    const url = problem ? null : URL.parse(typed);
    if (!url) return { problem: problem ?? msg("subscriber.no_url") };
    const refused = hostProblem(url.hostname, targets);
    if (refused) return { problem: refused };
    const { href } = url;
    return { address: hostOf(href), place: href, destination: { url: href, secret: newSecret() } };
  },
  canonicalAddress: (secrets, { secrets: sealed, address }) =>
    sealed === null ? address : placeOf(secrets, sealed),
  send: (ctx, sending, signal) => sendRequest(ctx, { sending, make }, signal),
});

/** Query and credentials do not make another receiver. */
function placeOf(secrets: SecretBox, sealed: string): string {
  const { origin, pathname } = new URL(openDestination(secrets, sealed).url);
  return origin + pathname;
}

/** Through the guard. The URL is a secret, and must not be logged. */
async function sendRequest(
  { network, secrets, clock }: Context,
  { sending, make }: { sending: Sending; make: MakeRequest },
  signal: AbortSignal,
): Promise<Outcome> {
  const { subscriber } = sending;
  if (subscriber.secrets === null) return { is: "refused", why: msg("subscriber.gone") };
  const destination = openDestination(secrets, subscriber.secrets);
  const now = clock.now();
  const request = composed(make(sending, destination, now));
  // Older versions did not store it: visitors had to confirm, subscribers added by members usually did not.
  const isMember = destination.mayBeInside ?? subscriber.askedAt === null;
  const reach = reachOf(network, { isMember });
  const answer = await post(request, reach, signal);
  if ("failure" in answer) {
    return { is: "postponed", why: { ...msg("delivery.unreached"), because: answer.failure } };
  }
  const outcome = evaluateAnswer({}, answer, { where: request.url.host, secrets: [destination.url], now });
  return outcome === "unknown" ? { is: "refused", why: msg("delivery.error") } : outcome;
}

const slackChannel: SubscriberChannel = { ...byRequest(slackRequest), isSigned: false };

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

/** Standard Webhooks. */
const webhookChannel: SubscriberChannel = { ...byRequest(webhookRequest), isSigned: true };

function webhookRequest(sending: Sending, { url, secret }: Destination, now: number): ChannelRequest {
  const { subscriber, delivery, page, notification, confirmUrl, endUrl } = sending;
  const { sentence } = wordsFor(subscriber.language, page.timeZone);
  const document = projectPageEvent(
    {
      ...{
        at: delivery.createdAt,
        page,
        title: wordsOf(sending).title,
        notification,
        unsubscribeUrl: endUrl,
      },
      confirmation: confirmUrl === null ? null : { confirmUrl, secret },
    },
    sentence,
  );
  const text = JSON.stringify(document);
  const signed = { id: delivery.uuid, seconds: Math.floor(now / 1000), text };
  return { url, headers: signature(secret, signed), body: { text, type: "application/json" } };
}

export const SUBSCRIBER_CHANNELS: Readonly<Record<SubscriberKind, SubscriberChannel>> = {
  email: emailChannel,
  webhook: webhookChannel,
  slack: slackChannel,
};

/** None without a public address for links, no mail without a mail server. */
export const kindsOffered = (config: Pick<Config, "publicUrl" | "smtp">): SubscriberKind[] =>
  SUBSCRIBER_KINDS.filter((kind) => SUBSCRIBER_CHANNELS[kind].lack(config) === null);
