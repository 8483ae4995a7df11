import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { findMember } from "../../store/queries/members.ts";
import {
  dropSubscription,
  type PushRecipient,
  readPushRecipient,
} from "../../store/queries/push-subscriptions.ts";
import { fact } from "../../texts/fact.ts";
import { cut, utf8Bytes } from "../channel/cut.ts";
import { judged } from "../channel/judge.ts";
import type { Message } from "../channel/message.ts";
import { post, postOf } from "../channel/post.ts";
import { wordsOf } from "../channel/words.ts";
import { readerOf } from "../mail/mail.ts";
import { senderOf } from "../mail/mail-transport.ts";
import type { OpenDelivery, Outcome, Transport } from "../transport.ts";
import { encryptPush, type PushKeys } from "./encrypt.ts";
import { vapidHeader, vapidKeys } from "./vapid.ts";

/** How long a message is worth showing to who has been away. */
export const PUSH_WORTH_MS = 4 * 3_600_000;
/** Bytes, so that all of it fits into what push services take. */
const MAX_TITLE = 300;
const MAX_BODY = 1_500;

/** Where and how to reach a browser: what is kept encrypted of its subscription. */
export interface PushAddress extends PushKeys {
  endpoint: string;
}

/** Sends to the browsers of people, by the push service of each (RFC 8030). */
export const pushTransport: Transport = {
  async send(ctx, delivery, signal) {
    const recipient = await readPushRecipient(ctx.store.db, delivery.recipient);
    if (!recipient || delivery.message === null) return { is: "refused", why: fact("push.gone") };
    if (!(await isStillTold(ctx, delivery, recipient))) return { is: "refused", why: fact("push.gone") };
    const address = JSON.parse(ctx.secrets.open(recipient.address)) as PushAddress;
    const message = JSON.parse(delivery.message) as Message;
    const payload = JSON.stringify(shown(message, recipient));
    const headers = await headersOf(ctx, { address, delivery, message });
    const request = postOf(address.endpoint, headers, encryptPush(Buffer.from(payload), address));
    const answer = await post(request, ctx.network, signal);
    if ("failure" in answer) {
      return { is: "postponed", why: { ...fact("delivery.unreached"), because: answer.failure } };
    }
    return outcomeOf(answer, { endpoint: address.endpoint, now: ctx.clock.now() });
  },
  // The browser has forgotten it, or nobody is signed in there any more.
  async settled(_, trx, { recipient }, outcome) {
    if (outcome.is === "refused" && outcome.ended) await dropSubscription(trx, recipient);
  },
};

/** Nobody is told of an organization that they have left. */
async function isStillTold(
  { store }: Context,
  { organizationId }: OpenDelivery,
  { userId }: PushRecipient,
): Promise<boolean> {
  if (organizationId === null) return true;
  return (await findMember(store.db, organizationId, { id: userId })) !== undefined;
}

/** 404 and 410 end a subscription (RFC 8030, 7.3). That we are not let in may be a wrong clock. */
function outcomeOf(
  answer: Parameters<typeof judged>[1],
  { endpoint, now }: { endpoint: string; now: number },
): Outcome {
  const judge = () => (answer.status === 401 || answer.status === 403 ? "refused" : undefined);
  const secrets = [endpoint, new URL(endpoint).pathname];
  const outcome = judged({ judge }, answer, { where: new URL(endpoint).host, secrets, now });
  return outcome === "unknown" ? { is: "refused", why: fact("push.gone") } : outcome;
}

/** What the app's worker shows (web/public/push.js). A later message about the same thing takes its place. */
function shown(message: Message, recipient: PushRecipient) {
  const reader = readerOf(recipient, recipient.browserLanguage);
  // Its addresses are within the app.
  const { title, text, link } = wordsOf(message, reader, "");
  const { event } = message;
  return {
    title: cut(title, MAX_TITLE, utf8Bytes),
    body: cut(text, MAX_BODY, utf8Bytes),
    url: event === "test" ? "/settings/notifications" : (link?.url ?? "/"),
    tag: topicOf(message),
    lang: reader.language,
    at: message.at,
  };
}

interface Sent {
  address: PushAddress;
  delivery: OpenDelivery;
  message: Message;
}

async function headersOf(
  ctx: Context,
  { address, delivery, message }: Sent,
): Promise<Record<string, string>> {
  const now = ctx.clock.now();
  const worthMs = Math.max(0, delivery.createdAt + PUSH_WORTH_MS - now);
  return {
    authorization: vapidHeader(address.endpoint, await vapidKeys(ctx), subjectOf(ctx.config), now),
    "content-type": "application/octet-stream",
    "content-encoding": "aes128gcm",
    ttl: String(Math.ceil(worthMs / 1000)),
    urgency: message.type === "error" ? "high" : "normal",
    topic: topicOf(message),
  };
}

/** Of what has not reached the browser, only the last one of a topic does; up to 32 letters and digits. */
const topicOf = ({ event, monitor }: Message): string => (monitor ? `monitor-${monitor.id}` : event);

/** Whom a push service may turn to. */
function subjectOf(config: Config): string {
  const { publicUrl } = config;
  return publicUrl?.startsWith("https:") ? publicUrl : `mailto:${senderOf(config).address}`;
}
