import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { fact } from "../../texts/fact.ts";
import type { Reader } from "../../texts/reader.ts";
import { cut, utf8Bytes } from "../channel/cut.ts";
import { judged } from "../channel/judge.ts";
import type { ChannelAnswer } from "../channel/kind.ts";
import { isOfIncident, type Message } from "../channel/message.ts";
import { post, postOf } from "../channel/post.ts";
import { briefText, wordsOf } from "../channel/words.ts";
import { senderOf } from "../mail/mail-transport.ts";
import type { Outcome } from "../transport.ts";
import { encryptPush, type PushKeys } from "./encrypt.ts";
import { vapidHeader, vapidKeys } from "./vapid.ts";

/** How long the push service keeps a message for a browser that is away. */
const WORTH_S = 4 * 3_600;
/** Bytes, so that all of it fits into what push services take. */
const MAX_TITLE = 300;
const MAX_BODY = 1_500;

/** Where and how to reach a browser: what is kept encrypted of its subscription. */
export interface PushAddress extends PushKeys {
  endpoint: string;
}

/** Whether that may be the address of a push service: all of them are reached over HTTPS (RFC 8030, 8). */
export const isPushService = (endpoint: string): boolean => URL.parse(endpoint)?.protocol === "https:";

/** A message for one browser. */
interface Push {
  address: PushAddress;
  reader: Reader;
  message: Message;
}

/**
 * Makes one attempt to show a message in a browser, by its push service (RFC 8030). `ended`: the browser wants nothing more.
 * What it throws counts as postponed.
 */
export async function sendPush(
  ctx: Context,
  { address, reader, message }: Push,
  signal: AbortSignal,
): Promise<Outcome> {
  // It was taken before others were refused.
  if (!isPushService(address.endpoint)) return { is: "refused", why: fact("push.https"), ended: true };
  const payload = JSON.stringify(shown(message, reader, ctx.clock.now()));
  const headers = await headersOf(ctx, address, message);
  const request = postOf(address.endpoint, headers, encryptPush(Buffer.from(payload), address));
  const answer = await post(request, ctx.network, signal);
  if ("failure" in answer) {
    return { is: "postponed", why: { ...fact("delivery.unreached"), because: answer.failure } };
  }
  return outcomeOf(answer, address.endpoint, ctx.clock.now());
}

/**
 * 404 and 410 end a subscription (RFC 8030, 7.3). That we are not let in may be a wrong clock. What else was answered is
 * nobody's: browsers name the address, and it need not be a push service's.
 */
function outcomeOf({ status, header }: ChannelAnswer, endpoint: string, now: number): Outcome {
  const judge = () => (status === 401 || status === 403 ? "refused" : undefined);
  const where = new URL(endpoint).host;
  const outcome = judged({ judge }, { status, header, body: "" }, { where, secrets: [], now });
  return outcome === "unknown" ? { is: "refused", why: fact("push.gone") } : outcome;
}

/** What the app's worker shows (web/public/push.js). A later message about the same thing takes its place. */
function shown(message: Message, reader: Reader, now: number) {
  // Its addresses are within the app.
  const words = wordsOf(message, reader, { now, publicUrl: "" });
  const { title, link } = words;
  const { event } = message;
  return {
    title: cut(title, MAX_TITLE, utf8Bytes),
    body: cut(briefText(words), MAX_BODY, utf8Bytes),
    url: event === "test" ? "/settings/notifications" : (link?.url ?? "/"),
    tag: topicOf(message),
    lang: reader.language,
    at: message.at,
  };
}

async function headersOf(
  ctx: Context,
  { endpoint }: PushAddress,
  message: Message,
): Promise<Record<string, string>> {
  return {
    authorization: vapidHeader(endpoint, await vapidKeys(ctx), subjectOf(ctx.config), ctx.clock.now()),
    "content-type": "application/octet-stream",
    "content-encoding": "aes128gcm",
    ttl: String(WORTH_S),
    urgency: message.type === "error" ? "high" : "normal",
    topic: topicOf(message),
  };
}

/** Of what has not reached the browser, only the last one of a topic does; up to 32 letters and digits. */
const topicOf = ({ event, monitor, incidentId, certificate }: Message): string => {
  if (monitor && certificate) return `certificate-${monitor.id}`;
  if (monitor) return `monitor-${monitor.id}`;
  return isOfIncident({ event }) ? `incident-${incidentId}` : event;
};

/** Whom a push service may turn to. */
function subjectOf(config: Config): string {
  const { publicUrl } = config;
  return publicUrl?.startsWith("https:") ? publicUrl : `mailto:${senderOf(config).address}`;
}
