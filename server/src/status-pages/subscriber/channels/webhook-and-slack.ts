import type { ChannelRequest } from "../../../alerts/channels/kind.ts";
import { composed, evaluateAnswer, hostOf, post } from "../../../alerts/channels/post.ts";
import { plainSlackMessage } from "../../../alerts/channels/slack.ts";
import { newSecret, signature } from "../../../alerts/channels/webhook.ts";
import type { Outcome } from "../../../alerts/outbox.ts";
import { reachOf } from "../../../alerts/people/trusted-address.ts";
import { hostProblem } from "../../../checks/guard.ts";
import type { Context, SecretBox } from "../../../platform/context.ts";
import { webUrlProblem } from "../../../platform/formats/url.ts";
import { msg } from "../../../platform/i18n/message.ts";
import { wordsFor } from "../../render/view.ts";
import { projectPageEvent } from "../../schemas/public-page.ts";
import type { PageNotification } from "../page-notification.ts";
import { type Sending, wordsOf } from "../subscriber-words.ts";
import { type Destination, openDestination, type SubscriberChannel } from "./channel.ts";

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

/** Standard Webhooks. */
export const webhookChannel: SubscriberChannel = { ...byRequest(webhookRequest), isSigned: true };

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
