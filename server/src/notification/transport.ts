import type { Context } from "../context.ts";
import type { Db } from "../store/db.ts";
import type { ReceivedAnswer, SentRequest } from "../store/queries/channel-deliveries.ts";
import type { Delivery } from "../store/queries/outbox.ts";
import type { MessageDescriptor } from "../texts/message.ts";

/** What went back and forth in one attempt, secrets masked. */
export interface AttemptLog {
  durationMs: number;
  request: SentRequest | null;
  answer: ReceivedAnswer | null;
}

/**
 * What became of one attempt to send something. `destination`: of the channel when it was sent (channel/post.ts); what was
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
  /** It will never take it. `ended`: nor anything else that is sent there. `noMailbox`: nobody has that address. */
  | { is: "refused"; why: MessageDescriptor; ended?: boolean; noMailbox?: boolean }
  /** Not this time. `afterMs`: nor before so long. `isRefusal`: as if nobody was there; for a day, that counts as the end. */
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
