import type { Context } from "../context.ts";
import type { Delivery } from "../store/queries/outbox.ts";
import type { Fact } from "../texts/fact.ts";

/** What became of one attempt to send something. */
export type Outcome =
  /** The other side has it. `said`: its answer. */
  | { is: "sent"; said: Fact }
  /** It will never take it. */
  | { is: "refused"; why: Fact }
  /** Not this time. */
  | { is: "postponed"; why: Fact };

/** A delivery as its channel sees it, with what was encrypted. */
export type OpenDelivery = Pick<Delivery, "uuid" | "recipient" | "createdAt"> & { content: string };

/** A way to reach people. */
export interface Channel {
  /** Makes one attempt, within a minute; gives it up when the signal says so. What it throws counts as postponed. */
  send(ctx: Context, delivery: OpenDelivery, signal: AbortSignal): Promise<Outcome>;
}
