import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { dueRow } from "./outbox.ts";

/** Something for the subscriber of a status page: news, or the question whether they want any. */
export interface NewSubscriberDelivery {
  uuid: string;
  organizationId: number;
  subscriberId: number;
  newsId: number | null;
  event: string;
  /** Encrypted; empty: the news say it all. */
  content: string;
  givesUpAt: number;
}

/** Adds rows for subscribers, due at once. Their addresses do not stand in them, so that they are gone with the subscriber. */
export const insertSubscriberDeliveries = (
  trx: Db,
  deliveries: readonly NewSubscriberDelivery[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "outbox",
    deliveries.map((each) => ({
      ...dueRow(each, now),
      channel: "subscriber" as const,
      recipient: "",
      content: each.content,
      subscriber_id: each.subscriberId,
      news_id: each.newsId,
    })),
  );
