import { sql } from "kysely";
import { type Fact, factJson } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import type { DeliveryAttemptTable } from "../schema/outbox.ts";

/** What was sent, secrets masked. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came back. */
export interface ReceivedAnswer {
  status: number;
  body: string;
}

/** One try to send something to a channel. */
export interface DeliveryAttempt {
  deliveryId: number;
  at: number;
  durationMs: number;
  outcome: DeliveryAttemptTable["outcome"];
  fact: Fact | null;
  request: SentRequest | null;
  answer: ReceivedAnswer | null;
}

/** When a row of the outbox, or the message that says it among other things, was tried last; null: it was not yet. */
export const lastTriedAt = sql<number | null>`(select max(delivery_attempts.at) from delivery_attempts
  where delivery_attempts.delivery_id = outbox.id)`;

export async function insertAttempt(
  trx: Db,
  organizationId: number,
  attempt: DeliveryAttempt,
): Promise<void> {
  const { deliveryId, at, durationMs, outcome, fact, request, answer } = attempt;
  await trx
    .insertInto("delivery_attempts")
    .values({
      organization_id: organizationId,
      delivery_id: deliveryId,
      at,
      duration_ms: durationMs,
      outcome,
      fact: factJson(fact),
      request: request && JSON.stringify(request),
      answer: answer && JSON.stringify(answer),
    })
    .execute();
}

/** The tries of these deliveries, oldest first. */
export async function listAttempts(db: Db, deliveryIds: readonly number[]): Promise<DeliveryAttempt[]> {
  const rows = await db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where(among(db, "delivery_id", deliveryIds))
    .orderBy("id")
    .execute();
  return rows.map(({ delivery_id, at, duration_ms, outcome, fact, request, answer }) => ({
    deliveryId: delivery_id,
    at,
    durationMs: duration_ms,
    outcome,
    fact: fact === null ? null : JSON.parse(fact),
    request: request === null ? null : JSON.parse(request),
    answer: answer === null ? null : JSON.parse(answer),
  }));
}
