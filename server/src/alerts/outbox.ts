import { createHmac, randomUUIDv7, timingSafeEqual } from "node:crypto";
import type { Context, SecretBox } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import type { ReceivedAnswer, SentRequest } from "./queries/channel-deliveries.ts";
import { type Delivery, insertDelivery } from "./queries/outbox.ts";

/** Something to send, by whichever transport. */
interface Message {
  transport: "mail";
  recipient: string;
  /** Whose log it belongs to; null: a person's own affair. */
  organizationId: number | null;
  /** What the transport makes of it; JSON. It is encrypted, so it may hold secrets. */
  content: object;
  /** How long it is worth sending, milliseconds. */
  worthMs: number;
}

/** What is needed to write into the outbox: `db` is the transaction of what causes the message. */
export type Writing = Pick<Context, "clock" | "secrets"> & { db: Db };

/**
 * Writes a message into the outbox, with what causes it: it is sent if and only if that is committed, within a second, or as soon as
 * the other side can be reached. `heldUntil`: the caller makes the first attempt itself, until that time at the latest.
 */
export async function enqueue(ctx: Writing, message: Message, heldUntil?: number): Promise<Delivery> {
  const now = ctx.clock.now();
  const { transport, recipient, organizationId } = message;
  const delivery = {
    uuid: randomUUIDv7(),
    organizationId,
    transport,
    recipient,
    content: ctx.secrets.seal(JSON.stringify(message.content)),
    nextTryAt: heldUntil ?? now,
    givesUpAt: now + message.worthMs,
  };
  return insertDelivery(ctx.db, delivery, { now, attempts: heldUntil === undefined ? 0 : 1 });
}

/** How long the link of a message is good. */
export const LINK_MS = 7 * 86_400_000;
const PURPOSE = "links that acknowledge";

/**
 * The token by which a message's receiver may acknowledge: the message's uuid, signed. The same for each attempt; that it was
 * used is stored with the message.
 */
export const acknowledgeToken = (secrets: SecretBox, uuid: string): string =>
  `${uuid}.${signed(secrets, uuid).toString("base64url")}`;

/** The message of a token; null where this installation has not signed it. */
export function messageOfToken(secrets: SecretBox, token: string): string | null {
  const [uuid = "", signature = ""] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const expected = signed(secrets, uuid);
  return given.length === expected.length && timingSafeEqual(given, expected) ? uuid : null;
}

const signed = (secrets: SecretBox, uuid: string): Buffer =>
  createHmac("sha256", secrets.derive(PURPOSE)).update(uuid).digest();

/** What went back and forth in one attempt, secrets masked. */
interface AttemptLog {
  durationMs: number;
  request: SentRequest | null;
  answer: ReceivedAnswer | null;
}

/**
 * What became of one attempt to send something. `destination`: of the channel when it was sent (alerts/channels/post.ts); what was
 * answered from there says nothing about another one.
 * `moved`: fields of the channel's configuration by which it is reached from now on.
 */
export type Outcome = {
  log?: AttemptLog;
  destination?: string;
  moved?: object;
} & (
  | /** The other side has it. `said`: its answer. `reference`: what it calls the message, for those that follow it. `afterMs`: it wants the next one not before so long. */
  { is: "sent"; said: MessageDescriptor; reference?: string | null; afterMs?: number }
  /** It will never be accepted. `ended`: nor will anything else sent there. `noMailbox`: the address does not exist. */
  | { is: "refused"; why: MessageDescriptor; ended?: boolean; noMailbox?: boolean }
  /**
   * Not accepted this time. `afterMs`: not before that time either. `isRefusal`: as if the receiver were gone; after a day it
   * counts as the end.
   */
  | { is: "postponed"; why: MessageDescriptor; afterMs?: number; isRefusal?: true }
);

/** A delivery as its transport sees it, with what was encrypted. */
export type OpenDelivery = Pick<
  Delivery,
  | "id"
  | "uuid"
  | "organizationId"
  | "recipient"
  | "createdAt"
  | "channelId"
  | "message"
  | "incidentId"
  | "subscriberId"
  | "pageNotificationId"
  | "attempts"
> & { content: string };

/** A way that the outbox sends things. */
export interface Transport {
  /** Makes one attempt, within a minute; gives it up when the signal says so. What it throws counts as postponed. */
  send(ctx: Context, delivery: OpenDelivery, signal: AbortSignal): Promise<Outcome>;
  /** What an outcome comes to where the recipient leads elsewhere since; in the transaction that saves the outcome. */
  reconsidered?(ctx: Context, trx: Db, delivery: Delivery, outcome: Outcome): Promise<Outcome>;
  /** Keeps what follows from it, in the transaction that saves the outcome. */
  applyOutcome?(ctx: Context, trx: Db, delivery: Delivery, outcome: Outcome): Promise<void>;
}
