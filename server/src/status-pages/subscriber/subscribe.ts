import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { countExternalMail } from "../../alerts/mail/send-mail.ts";
import { insertSubscriberDeliveries } from "../../alerts/queries/incident-deliveries.ts";
import { lockAddress } from "../../alerts/queries/outbox.ts";
import { hasConfirmedOwner } from "../../platform/access/queries/members.ts";
import { hashToken, randomToken } from "../../platform/access/random-tokens.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { CONFIRMATION_EVENT } from "../../platform/database/tables/outbox.ts";
import { invalidInput, notFound, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { admit, lockedPage } from "../access/admit.ts";
import { findPageAt, type StatusPage } from "../queries/status-pages.ts";
import {
  changeSubscriber,
  countRequests,
  countRequestsByOrganization,
  countRequestsTo,
  deleteSubscriber,
  findSubscriberAt,
  insertSubscribers,
  listPagesAwaitingRequests,
  nextAwaitingRequest,
  type Requester,
  readSubscriber,
  recordRequest,
  type Subscriber,
  type SubscriberChange,
} from "../queries/subscribers.ts";
import { SubscriptionCreate } from "../schemas/subscribers.ts";
import { readAddress, recipientHash, type SubscriberAddress } from "./address.ts";
import { sealDestination } from "./channels/channel.ts";
import { kindsOffered, SUBSCRIBER_CHANNELS } from "./channels/registry.ts";
import { assertRoom, componentsChosen } from "./found-subscriber.ts";
import { putsOff } from "./maintenance-notifications.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a confirmation link is valid, and an unanswered subscription stored. */
export const CONFIRMATION_MS = 3 * DAY_MS;
export const UNANSWERED_MS = 7 * DAY_MS;

/** To one mailbox within a day: of one page, and of all pages. */
const MAX_OF_PAGE_TO_ADDRESS = 1;
const MAX_TO_ADDRESS = 5;
/** Within an hour: of one page, and of the installation. Visitors' and owners' requests are counted apart. */
const MAX_OF_PAGE = 100;
const MAX_OF_ALL = { visitor: 500, list: 300 } as const;
/** Of the daily mails to others, so that a long list leaves some for invitations. */
const LIST_SHARE = 0.75;

type RequestContext = Pick<Context, "clock" | "config" | "secrets"> & { db: Db };

/** The limits are daily: of the address, and of mails to others by the person or the organization. */
type RequestOutcome = "requested" | "address limit" | "person limit" | "organization limit";

/** Of this origin, by the page or the installation. */
async function isOverRequestLimit(
  { db, clock }: Pick<RequestContext, "db" | "clock">,
  pageId: number,
  requester: Requester,
): Promise<boolean> {
  const lately = { now: clock.now(), forMs: HOUR_MS };
  const { ofPage, ofAll } = await countRequests(db, { pageId, requester }, lately);
  return ofPage >= MAX_OF_PAGE || ofAll >= MAX_OF_ALL[requester];
}

/**
 * Within the address's daily limit, so that entering other people's addresses floods no inbox. Active
 * subscribers get the link to their settings instead. Repeating an unanswered request does not change the
 * components (`wanted`).
 */
async function requestConfirmation(
  ctx: RequestContext,
  subscriber: Subscriber,
  { requester, wanted = {} }: { requester: Requester; wanted?: SubscriberChange },
): Promise<RequestOutcome> {
  const { db, clock, secrets } = ctx;
  const { id, organizationId, pageId } = subscriber;
  const now = clock.now();
  const addressHash = recipientHash(secrets, subscriber);
  await lockAddress(db, addressHash);
  const counts = await countRequestsTo(db, { pageId, addressHash }, { now, forMs: DAY_MS });
  if (counts.ofPage >= MAX_OF_PAGE_TO_ADDRESS || counts.ofAll >= MAX_TO_ADDRESS) {
    return "address limit";
  }
  const full = requester === "list" ? await fullQuota(ctx, subscriber) : null;
  if (full !== null) return full;
  await recordRequest(db, { organizationId, pageId, addressHash, requester }, now);
  const token = randomToken();
  const confirmation = { confirmationHash: hashToken(token), askedAt: now };
  await changeSubscriber(
    db,
    id,
    subscriber.state === "active" ? confirmation : { ...wanted, ...confirmation },
    now,
  );
  const delivery = { uuid: randomUUIDv7(), organizationId, subscriberId: id, pageNotificationId: null };
  const content = secrets.seal(JSON.stringify({ token }));
  const due = { ...delivery, event: CONFIRMATION_EVENT, content, givesUpAt: now + DAY_MS };
  await insertSubscriberDeliveries(db, [due], now);
  return "requested";
}

/**
 * With open sign-up, a request by an owner counts as a mail to another person (alerts/mail/external-mail.ts),
 * or lists would bypass that limit. Null: it has been counted.
 */
async function fullQuota(ctx: RequestContext, { kind, address, addedBy, organizationId }: Subscriber) {
  if (kind !== "email" || addedBy === null || ctx.config.signup !== "open") return null;
  const full = await countExternalMail(ctx, { userId: addedBy, organizationId }, address, LIST_SHARE);
  if (full === null) return null;
  return full === "recipient" ? "address limit" : (`${full} limit` as const);
}

const REQUESTS_AT_ONCE = 20;

interface Owned {
  id: number;
  organizationId: number;
}

/**
 * Within the limits, one request of each page in turn, beginning with the organization that sent fewest
 * lately. Addresses over a limit, and failed requests, come again after the page's others.
 */
export function createConfirmationRounds(ctx: Context): () => Promise<void> {
  const { store, clock, config, log } = ctx;
  const failing = putsOff(log, "Requesting a confirmation from a subscriber of a status page");
  /** The last subscriber tried, by page. */
  let reached = new Map<number, number>();
  const requestNext = async (whom: { id: number; pageId: number }): Promise<Next> => {
    const now = clock.now();
    let next: Next = "another";
    if (failing.ids(now).includes(whom.id)) return next;
    await failing.attempt(whom.id, now, async () => {
      next = await requestOne(ctx, whom);
    });
    return next;
  };
  return async () => {
    const kinds = kindsOffered(config);
    if (kinds.length === 0) return;
    const pages = await listPagesAwaitingRequests(store.db, kinds);
    reached = new Map(pages.map(({ id }) => [id, reached.get(id) ?? 0]));
    if (pages.length === 0) return;
    const counts = await countRequestsByOrganization(store.db, clock.now() - HOUR_MS);
    let open = inTurn(pages, counts);
    for (let left = REQUESTS_AT_ONCE; left > 0 && open.length > 0; ) {
      const going: number[] = [];
      for (const pageId of open.slice(0, left)) {
        const after = reached.get(pageId) ?? 0;
        const id = await nextAwaitingRequest(store.db, { pageId, kinds, after });
        // Starts over in the next round with those that were skipped.
        if (id === null) reached.delete(pageId);
        else {
          const next = await requestNext({ id, pageId });
          if (next !== "none") reached.set(pageId, id);
          if (next === "another") going.push(pageId);
        }
        left--;
      }
      open = going;
    }
  };
}

/** First a page of each organization, then another of each. */
function inTurn(pages: readonly Owned[], counts: ReadonlyMap<number, number>): number[] {
  const before = new Map<number, number>();
  const ranked = pages.map(({ id, organizationId }) => {
    const rank = before.get(organizationId) ?? 0;
    before.set(organizationId, rank + 1);
    return { id, rank, often: counts.get(organizationId) ?? 0 };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || a.often - b.often).map(({ id }) => id);
}

type Next = "another" | "another later" | "none";

function requestOne(
  { store, clock, config, secrets }: Context,
  { id, pageId }: { id: number; pageId: number },
): Promise<Next> {
  return store.transaction(async (db) => {
    const context = { db, clock, config, secrets };
    if (await isOverRequestLimit(context, pageId, "list")) return "none";
    const subscriber = await readSubscriber(db, { id }, { lock: true });
    if (subscriber?.state !== "waiting" || subscriber.askedAt !== null) return "another";
    const outcome = await requestConfirmation(context, subscriber, { requester: "list" });
    if (outcome === "organization limit") return "none";
    return outcome === "person limit" ? "another later" : "another";
  });
}

const RETRY_SECONDS = 600;

/**
 * The answer does not reveal whether the address is active, was requested lately, or is new. Throws 404 and
 * 401 as the page does; 403 for what this installation cannot send; 422 for invalid input; 429.
 */
export const subscribe = verb({
  resource: null,
  action: "write",
  by: "anyone",
  audit: null,
  input: SubscriptionCreate,
  output: Type.Object({}),
  async prepare({ store, clock, secrets, visitor }, { slug }) {
    const { db } = store;
    const page = await findPageAt(db, slug);
    const { address, signedIn = async () => null, atPage = { address, signedIn } } = visitor;
    const admission = page && (await admit({ db, clock, secrets }, page, atPage));
    // Members have alert channels instead.
    if (!page?.isPublic || admission === "hidden") throw notFound();
    if (admission === "locked") throw lockedPage();
    return page;
  },
  async run(ctx, { kind, address, components, language }, page) {
    const { db, config, visitor } = ctx;
    const lack = SUBSCRIBER_CHANNELS[kind].lack(config);
    if (lack) throw new PublicError("forbidden", lack);
    const read = readAddress(kind, address, "public");
    if ("problem" in read) throw invalidInput({ address: [read.problem] });
    if (kind === "email") await assertOwnersKnown(ctx, page);
    if (await isOverRequestLimit(ctx, page.id, "visitor")) {
      throw new PublicError("rate_limited", msg("subscriber.confirmation_limit"), {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    const wanted = {
      components: await componentsChosen(db, page, components),
      language: language ?? visitor.language ?? "en",
    };
    // Of concurrent requests, the second finds the first.
    await lockAddress(db, read.hash);
    const known = await findSubscriberAt(db, page.id, read.hash, { lock: true });
    const subscriber = known ?? (await newSubscriber(ctx, page, { read, wanted }));
    const outcome = await requestConfirmation(ctx, subscriber, {
      requester: "visitor",
      wanted: { ...wanted, state: "waiting", endedReason: null },
    });
    // A waiting subscriber would get a request later, which only owners may cause.
    if (outcome !== "requested" && !known) await deleteSubscriber(db, subscriber.id);
    return {};
  },
});

/** Throws 403 where anybody may sign up and no owner has confirmed an address: others would get mail in the page's name. */
async function assertOwnersKnown({ db, config }: Running<"anyone">, page: StatusPage): Promise<void> {
  if (config.signup !== "open" || (await hasConfirmedOwner(db, page.organizationId))) return;
  throw new PublicError("forbidden", msg("subscriber.owner_unconfirmed"));
}

interface Wish {
  read: SubscriberAddress;
  wanted: Pick<Subscriber, "components" | "language">;
}

async function newSubscriber(ctx: Running<"anyone">, page: StatusPage, wish: Wish): Promise<Subscriber> {
  const { db, clock, secrets } = ctx;
  const { read, wanted } = wish;
  const now = clock.now();
  await assertRoom(ctx, page, 1);
  const { kind, address, hash, destination } = read;
  const added = {
    ...{ uuid: randomUUIDv7(), organizationId: page.organizationId, pageId: page.id, kind, address },
    ...{ addressHash: hash, secrets: sealDestination(secrets, destination), ...wanted },
    ...{ state: "waiting" as const, confirmedAt: null, addedBy: null },
  };
  await insertSubscribers(db, [added], now);
  const found = await findSubscriberAt(db, page.id, hash);
  return reread(db, found?.id ?? 0);
}

async function reread(db: Db, id: number): Promise<Subscriber> {
  const subscriber = await readSubscriber(db, { id });
  if (!subscriber) throw notFound();
  return subscriber;
}
