import { randomUUIDv7 } from "node:crypto";
import { type Static, Type } from "typebox";
import { assertAddressConfirmed } from "../../alerts/mail/external-mail.ts";
import { sendsMail } from "../../alerts/mail/send-mail.ts";
import { invalidInput, notFound } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { Deleted } from "../../platform/operations/field.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../../platform/operations/paging.ts";
import { findPageMeant, rereadPage } from "../found-page.ts";
import { watchPages } from "../queries/page-notifications.ts";
import {
  countSubscribers,
  deleteSubscriber,
  findSubscriberAt,
  insertSubscribers,
  listSubscribers as queryAll,
} from "../queries/subscribers.ts";
import {
  AddedSubscriber,
  projectSubscriber,
  Subscriber,
  SubscriberCreate,
  SubscriberFilter,
  SubscriberParams,
  SubscriberQuery,
} from "../schemas/subscribers.ts";
import { readAddress } from "./address.ts";
import { sealDestination } from "./channels/channel.ts";
import { SUBSCRIBER_CHANNELS } from "./channels/registry.ts";
import {
  assertMayAgree,
  assertRoom,
  componentsChosen,
  findOwnPage,
  requiresConfirmation,
  subscriberMeant,
} from "./found-subscriber.ts";

const ofPages = { resource: "status-pages", feature: "team" } as const;

/** Newest first. Throws 404, and 403 for callers who may not change the page. */
export const listSubscribers = verb({
  ...ofPages,
  action: "read",
  input: SubscriberQuery,
  output: Type.Array(Subscriber),
  paged: true,
  find: findOwnPage,
  async run({ db }, { id: _, kind, state, search, ...query }, { id: pageId }) {
    const paging = pagingOf(query);
    const filter = { pageId, kind, state, search };
    const items = (await queryAll(db, filter, paging)).map(projectSubscriber);
    const page = paging.isPaged ? pageIn(paging, await countSubscribers(db, filter)) : undefined;
    return { items, page };
  },
});

/**
 * A mailbox has to confirm, unless its owner has agreed elsewhere; with open sign-up a webhook, too. Throws
 * 404; 422 for invalid or existing ones; 403 at the limit.
 */
export const addSubscriber = verb({
  ...ofPages,
  action: "write",
  audit: "add subscriber",
  hints: { openWorld: true },
  input: SubscriberCreate,
  output: AddedSubscriber,
  find: findPageMeant,
  async run(ctx, { kind, address: typed, components, language = "en", agreed = false }, found) {
    const { db, clock, network, secrets } = ctx;
    const page = await rereadPage(ctx, found);
    assertMayAgree(ctx, agreed);
    if (kind === "email" && sendsMail(ctx.config)) await assertAddressConfirmed(ctx);
    const read = readAddress(kind, typed, network.policy);
    if ("problem" in read) throw invalidInput({ address: [read.problem] });
    const { address, hash } = read;
    const destination = read.destination && { ...read.destination, mayBeInside: true as const };
    if (await findSubscriberAt(db, page.id, hash)) {
      throw invalidInput({ address: [msg("subscriber.known")] });
    }
    await assertRoom(ctx, page, 1);
    const isConfirmationRequired = requiresConfirmation(ctx, kind, agreed);
    const subscriber = {
      ...{ uuid: randomUUIDv7(), organizationId: page.organizationId, pageId: page.id, kind, address },
      ...{ addressHash: hash, secrets: sealDestination(secrets, destination), language },
      components: await componentsChosen(db, page, components),
      state: isConfirmationRequired ? ("waiting" as const) : ("active" as const),
      confirmedAt: isConfirmationRequired ? null : clock.now(),
      addedBy: ctx.caller.userId,
    };
    await insertSubscribers(db, [subscriber], clock.now());
    if (!isConfirmationRequired) await watchPages(db, [page], clock.now());
    const added = await findSubscriberAt(db, page.id, hash);
    if (!added) throw notFound();
    ctx.record({ id: page.id, name: page.name });
    return {
      ...projectSubscriber(added),
      secret: SUBSCRIBER_CHANNELS[kind].isSigned ? (destination?.secret ?? null) : null,
    };
  },
});

/** Throws 404. */
export const removeSubscriber = verb({
  ...ofPages,
  action: "write",
  audit: "remove subscriber",
  input: SubscriberParams,
  output: Deleted,
  find: findPageMeant,
  async run(ctx, { subscriberId }, page) {
    const { id } = await subscriberMeant(ctx.db, page, subscriberId);
    if (!(await deleteSubscriber(ctx.db, id))) throw notFound();
    // The audit log must not contain the removed address.
    ctx.record({ id: page.id, name: page.name });
    return { id };
  },
});

const EXPORT_BATCH = 500;

/** As `listSubscribers`; `subscribers` is read while the file is sent. Throws 404 and 403. */
export const exportSubscribers = verb({
  ...ofPages,
  action: "read",
  input: SubscriberFilter,
  output: Type.Object({}),
  find: findOwnPage,
  async run(ctx, { id: _, ...filter }, { id: pageId, slug }) {
    return { slug, subscribers: subscribersOf(ctx, { ...filter, pageId }) };
  },
});

async function* subscribersOf(
  { db }: Running,
  filter: Parameters<typeof queryAll>[1],
): AsyncGenerator<Static<typeof Subscriber>> {
  for (let before: number | undefined; ; ) {
    const some = await queryAll(db, filter, { limit: EXPORT_BATCH, before });
    for (const one of some) yield projectSubscriber(one);
    before = some.at(-1)?.id;
    if (some.length < EXPORT_BATCH) return;
  }
}
