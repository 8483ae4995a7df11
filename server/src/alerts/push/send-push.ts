import {
  createCipheriv,
  createECDH,
  type ECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  type webcrypto,
} from "node:crypto";
import { Type } from "typebox";
import type { Config } from "../../platform/config.ts";
import type { Context } from "../../platform/context.ts";
import { claimMeta, readMeta } from "../../platform/database/installation.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import type { ChannelAnswer, OwnChannelKind } from "../channels/kind.ts";
import { cut, isOfIncident, type Message, utf8Bytes } from "../channels/message.ts";
import { briefText, wordsOf } from "../channels/message-words.ts";
import { evaluateAnswer, post, postOf } from "../channels/post.ts";
import { senderOf } from "../mail/mail-transport.ts";
import type { Outcome } from "../outbox.ts";

/** How long the push service keeps a message for a browser that is away. */
const WORTH_S = 4 * 3_600;
/** Bytes, so that all of it fits into what push services take. */
const MAX_TITLE = 300;
const MAX_BODY = 1_500;

/** Where and how to reach a browser: the encrypted part of its subscription. */
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
  if (!isPushService(address.endpoint)) return { is: "refused", why: msg("push.https"), ended: true };
  const payload = JSON.stringify(shown(message, reader, ctx.clock.now()));
  const headers = await headersOf(ctx, address, message);
  const request = postOf(address.endpoint, headers, encryptPush(Buffer.from(payload), address));
  const answer = await post(request, ctx.network, signal);
  if ("failure" in answer) {
    return { is: "postponed", why: { ...msg("delivery.unreached"), because: answer.failure } };
  }
  return outcomeOf(answer, address.endpoint, ctx.clock.now());
}

/**
 * 404 and 410 end a subscription (RFC 8030, 7.3). A refused authorization may be a wrong clock. The rest of the answer is not
 * stored: browsers name the address, which need not be a push service's.
 */
function outcomeOf({ status, header }: ChannelAnswer, endpoint: string, now: number): Outcome {
  const evaluate = () => (status === 401 || status === 403 ? "refused" : undefined);
  const where = new URL(endpoint).host;
  const outcome = evaluateAnswer({ evaluate }, { status, header, body: "" }, { where, secrets: [], now });
  return outcome === "unknown" ? { is: "refused", why: msg("push.gone") } : outcome;
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

const CURVE = "prime256v1";
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
/** One record holds all of a message. */
const RECORD_BYTES = 4_096;
/** Behind the text of the last record. */
const LAST_RECORD = Buffer.from([2]);
/** What a push service has to take (RFC 8030, 7.2), without the header of 86 bytes, the mark and the tag. */
export const MAX_PLAIN_BYTES = 3_993;

/** What a browser's subscription says of how to encrypt for it. */
interface PushKeys {
  /** Its public key: a point on P-256, base64url. */
  p256dh: string;
  /** 16 bytes, base64url. */
  auth: string;
}

/** Whether that is a public key and an authentication secret. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, "base64url");
  if (point.length !== POINT_BYTES || Buffer.from(auth, "base64url").length !== AUTH_BYTES) return false;
  try {
    freshKeys().computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * A message that only that browser can read: Message Encryption for Web Push (RFC 8291), as one record of aes128gcm
 * (RFC 8188). `once`: a key pair and a salt that serve this message alone.
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushKeys,
  once: { keys: ECDH; salt: Buffer } = { keys: freshKeys(), salt: randomBytes(SALT_BYTES) },
): Buffer {
  const { keys, salt } = once;
  const theirs = Buffer.from(p256dh, "base64url");
  const ours = keys.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const input = derive(keys.computeSecret(theirs), Buffer.from(auth, "base64url"), keyInfo, 32);
  const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), KEY_BYTES);
  const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), NONCE_BYTES);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const body = [cipher.update(plain), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([header(salt, ours), ...body]);
}

function freshKeys(): ECDH {
  const keys = createECDH(CURVE);
  keys.generateKeys();
  return keys;
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, info, bytes));

/** Salt, size of records, length of the key's name, and that name: our public key. */
function header(salt: Buffer, ours: Buffer): Buffer {
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, sizes, ours]);
}

const META_KEY = "push keys";
/** Push services take a day at most. */
const VAPID_WORTH_S = 12 * 3_600;

type JsonWebKey = webcrypto.JsonWebKey;

/** What this installation shows push services, so that they know who sends. */
interface VapidKeys {
  /** The private key as JWK. */
  jwk: JsonWebKey;
  /** The public one as browsers want it: a point on P-256, base64url. */
  publicKey: string;
}

/** The installation's keys: made on first use, the same for all replicas, and stored encrypted. */
export async function vapidKeys({ store, secrets }: Pick<Context, "store" | "secrets">): Promise<VapidKeys> {
  const stored =
    (await readMeta(store.db, META_KEY)) ??
    (await claimMeta(store.db, META_KEY, secrets.seal(JSON.stringify(newKey()))));
  const jwk = JSON.parse(secrets.open(stored)) as JsonWebKey;
  return { jwk, publicKey: pointOf(jwk) };
}

const newKey = (): JsonWebKey =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });

function pointOf({ x = "", y = "" }: JsonWebKey): string {
  const coordinates = [x, y].map((one) => Buffer.from(one, "base64url"));
  return Buffer.concat([Buffer.from([4]), ...coordinates]).toString("base64url");
}

/**
 * The Authorization header of a request to a push service (RFC 8292). `subject`: an address of who runs the installation;
 * `now`: milliseconds.
 */
export function vapidHeader(endpoint: string, keys: VapidKeys, subject: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + VAPID_WORTH_S, sub: subject };
  const parts = [{ typ: "JWT", alg: "ES256" }, claims].map(encoded);
  const signature = sign("sha256", Buffer.from(parts.join(".")), {
    key: keys.jwk,
    format: "jwk",
    dsaEncoding: "ieee-p1363",
  });
  return `vapid t=${[...parts, signature.toString("base64url")].join(".")}, k=${keys.publicKey}`;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A browser of a person (alerts/push/browsers.ts): its subscription is its configuration, all of it secret. */
export const pushChannel: OwnChannelKind<PushAddress> = {
  type: "push",
  configSchema: Type.Object({}),
  target: ({ endpoint }) => new URL(endpoint).host,
  send: (ctx, { config: address, reader, outgoing: { message } }, signal) =>
    sendPush(ctx, { address, reader, message }, signal),
};
