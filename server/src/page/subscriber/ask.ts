import { randomUUIDv7 } from "node:crypto";
import { hashToken, randomToken } from "../../account/token.ts";
import type { Context } from "../../context.ts";
import { countExternalMail } from "../../notification/mail/external-quota.ts";
import type { Db } from "../../store/db.ts";
import { insertSubscriberDeliveries } from "../../store/queries/incident-deliveries.ts";
import { lockAddress } from "../../store/queries/outbox.ts";
import {
  type Asker,
  changeSubscriber,
  countAsked,
  countAskedAddress,
  noteQuestion,
  type Subscriber,
  type SubscriberChange,
} from "../../store/queries/subscribers.ts";
import { askedHash } from "./address.ts";

/** Limits count what was asked within that time. */
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So long the link of a question is good, and so long somebody who does not answer is remembered. */
export const QUESTION_MS = 3 * DAY_MS;
export const UNANSWERED_MS = 7 * DAY_MS;

/** Questions to one mailbox within a day: of one page, and of all pages of the installation. */
const MAX_OF_PAGE_TO_ADDRESS = 1;
const MAX_TO_ADDRESS = 5;
/** Questions within an hour: of one page, and of the installation. What visitors ask themselves and owners' lists are counted apart. */
const MAX_OF_PAGE = 100;
const MAX_OF_ALL = { visitor: 500, list: 300 } as const;
/** Of the mails to others within a day, so that a long list leaves some for invitations. */
const LIST_SHARE = 0.75;

type Asking = Pick<Context, "clock" | "config" | "secrets"> & { db: Db };

/**
 * What came of the question to a subscriber: it is sent; or their own address received too many of them within a day; or the person
 * who has added them, or the organization, has sent as many mails to others as they may within a day.
 */
export type Asked = "asked" | "address limit" | "person limit" | "organization limit";

/** Whether the page, or the whole installation, has asked so many addresses for such an asker that it asks nobody now. */
export async function asksTooMany(
  { db, clock }: Pick<Asking, "db" | "clock">,
  pageId: number,
  asker: Asker,
): Promise<boolean> {
  const lately = { now: clock.now(), forMs: HOUR_MS };
  const { ofPage, ofAll } = await countAsked(db, { pageId, asker }, lately);
  return ofPage >= MAX_OF_PAGE || ofAll >= MAX_OF_ALL[asker];
}

/**
 * Writes the question whether they want to be told into the outbox, unless their address was asked too often within a day: who
 * types other people's addresses fills nobody's inbox. Whoever is told already gets the link to their choice instead.
 * `wanted`: what they choose where they are asked; who has not been heard of yet changes nothing of it by asking again.
 */
export async function askSubscriber(
  ctx: Asking,
  subscriber: Subscriber,
  { asker, wanted = {} }: { asker: Asker; wanted?: SubscriberChange },
): Promise<Asked> {
  const { db, clock, secrets } = ctx;
  const { id, organizationId, pageId } = subscriber;
  const now = clock.now();
  const addressHash = askedHash(secrets, subscriber);
  await lockAddress(db, addressHash);
  const asked = await countAskedAddress(db, { pageId, addressHash }, { now, forMs: DAY_MS });
  if (asked.ofPage >= MAX_OF_PAGE_TO_ADDRESS || asked.ofAll >= MAX_TO_ADDRESS) {
    return "address limit";
  }
  const full = asker === "list" ? await fullQuota(ctx, subscriber) : null;
  if (full !== null) return full;
  await noteQuestion(db, { organizationId, pageId, addressHash, asker }, now);
  const token = randomToken();
  const asking = { questionHash: hashToken(token), askedAt: now };
  await changeSubscriber(db, id, subscriber.state === "active" ? asking : { ...wanted, ...asking }, now);
  const question = { uuid: randomUUIDv7(), organizationId, subscriberId: id, newsId: null };
  const content = secrets.seal(JSON.stringify({ token }));
  const due = { ...question, event: "subscription.question", content, givesUpAt: now + DAY_MS };
  await insertSubscriberDeliveries(db, [due], now);
  return "asked";
}

/**
 * Where anybody may sign up, a mail that asks somebody whom an owner has added counts like any other to somebody else's address
 * (account/external-mail.ts), or a page's list would be a way around that limit. Null: it has been counted.
 */
async function fullQuota(ctx: Asking, { kind, address, addedBy, organizationId }: Subscriber) {
  if (kind !== "email" || addedBy === null || ctx.config.signup !== "open") return null;
  const full = await countExternalMail(ctx, { userId: addedBy, organizationId }, address, LIST_SHARE);
  if (full === null) return null;
  return full === "recipient" ? "address limit" : (`${full} limit` as const);
}
