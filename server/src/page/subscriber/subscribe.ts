import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { invalidInput, notFound, PublicError } from "../../errors.ts";
import type { Db } from "../../store/db.ts";
import { lockAddress } from "../../store/queries/outbox.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { findPageAt } from "../../store/queries/status-pages.ts";
import {
  deleteSubscriber,
  findSubscriberAt,
  insertSubscribers,
  readSubscriber,
  type Subscriber,
} from "../../store/queries/subscribers.ts";
import { msg } from "../../texts/message.ts";
import { type Running, verb } from "../../verb/verb.ts";
import { SubscriptionCreate } from "../../wire/subscribers.ts";
import { admit, lockedPage } from "../access/admit.ts";
import { readAddress, type SubscriberAddress } from "./address.ts";
import { SUBSCRIBER_CHANNELS } from "./channel/registry.ts";
import { sealDestination } from "./channel/sending.ts";
import { assertRoom, componentsChosen } from "./found-subscriber.ts";
import { isOverRequestLimit, requestConfirmation } from "./request-confirmation.ts";

const RETRY_SECONDS = 600;

/**
 * Asks an address whether it wants to be told what a page says. The answer is the same whether it is told already, was asked
 * lately, or is new. Throws 404 and 401 as the page itself does; 403 for what this installation cannot send; 422 for what is
 * wrong; 429 where too many were asked.
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
    // What is for members only is told to nobody else, and members have channels.
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
    if (await isOverRequestLimit(ctx, page.id, "visitor")) {
      throw new PublicError("rate_limited", msg("subscriber.many_asked"), {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    const wanted = {
      components: await componentsChosen(db, page, components),
      language: language ?? visitor.language ?? "en",
    };
    // Who asks twice at once is known the second time.
    await lockAddress(db, read.hash);
    const known = await findSubscriberAt(db, page.id, read.hash, { lock: true });
    const subscriber = known ?? (await newSubscriber(ctx, page, { read, wanted }));
    const outcome = await requestConfirmation(ctx, subscriber, {
      asker: "visitor",
      wanted: { ...wanted, state: "waiting", endedReason: null },
    });
    // Who waits is asked later by itself, which only owners may have done.
    if (outcome !== "requested" && !known) await deleteSubscriber(db, subscriber.id);
    return {};
  },
});

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
