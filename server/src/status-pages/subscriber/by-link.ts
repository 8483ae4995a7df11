import { Type } from "typebox";
import { hashToken } from "../../platform/access/random-tokens.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { notFound } from "../../platform/errors.ts";
import { verb } from "../../platform/operations/operation.ts";
import { inGroups, uuidsIn } from "../contents/arrangement.ts";
import type { ComponentGroup } from "../document/public-page.ts";
import { watchPages } from "../queries/page-notifications.ts";
import { listComponents, listGroups } from "../queries/status-page-components.ts";
import { readPage, type StatusPage } from "../queries/status-pages.ts";
import {
  changeSubscriber,
  deleteSubscriber,
  findByConfirmation,
  readSubscriber,
  type Subscriber,
} from "../queries/subscribers.ts";
import { LinkToken, SubscriptionChange } from "../schemas/subscribers.ts";
import { subscriberOfToken } from "./address.ts";
import { CONFIRMATION_MS } from "./subscribe.ts";

/* Reading never changes anything: mail previews and scanners open the links before people do. */

/** Only for our own pages, so there is no schema. */
export interface Subscription {
  subscriber: Subscriber;
  page: StatusPage;
  groups: ComponentGroup[];
}

export type ConfirmationState = "waiting" | "active" | "expired";

const anonymousOperation = { resource: null, by: "anyone", output: Type.Object({}) } as const;

/** Throws 404 for an invalid link, or for a removed subscriber. */
export const readConfirmation = verb({
  ...anonymousOperation,
  action: "read",
  input: LinkToken,
  run: ({ db, clock }, { token }) => findConfirmation({ db, clock }, token),
});

/** Changes nothing where it is not pending. Throws 404. */
export const confirmSubscription = verb({
  ...anonymousOperation,
  action: "write",
  audit: null,
  input: LinkToken,
  async run({ db, clock }, { token }) {
    const confirmation = await findConfirmation({ db, clock }, token, { lock: true });
    if (confirmation.state !== "waiting") return confirmation;
    const { page, subscriber } = confirmation;
    const now = clock.now();
    await changeSubscriber(db, subscriber.id, { state: "active", confirmedAt: now }, now);
    await watchPages(db, [page], now);
    return confirmation;
  },
});

/** Throws 404 for an invalid link, or for a removed subscriber. */
export const readSubscription = verb({
  ...anonymousOperation,
  action: "read",
  input: LinkToken,
  run: ({ db, secrets }, { token }) => subscriptionOf({ db, secrets }, token),
});

/** Components that are not on the page are left out. Throws 404. */
export const changeSubscription = verb({
  ...anonymousOperation,
  action: "write",
  audit: null,
  input: SubscriptionChange,
  async run({ db, secrets, clock }, { token, components, language }) {
    const { subscriber, groups } = await subscriptionOf({ db, secrets }, token, { lock: true });
    const offered = uuidsIn(groups);
    // A page for members only offers no choice.
    const chosen =
      offered.length === 0
        ? subscriber.components
        : components && offered.filter((uuid) => components.includes(uuid));
    await changeSubscriber(db, subscriber.id, { components: chosen, language }, clock.now());
    return subscriptionOf({ db, secrets }, token);
  },
});

/** Deletes the address. Throws 404 where it has ended already. */
export const endSubscription = verb({
  ...anonymousOperation,
  action: "write",
  audit: null,
  input: LinkToken,
  async run({ db, secrets }, { token }) {
    const subscription = await subscriptionOf({ db, secrets }, token, { lock: true });
    await deleteSubscriber(db, subscription.subscriber.id);
    return subscription;
  },
});

async function findConfirmation(
  { db, clock }: Pick<Context, "clock"> & { db: Db },
  token: string,
  how: { lock?: boolean } = {},
): Promise<Subscription & { state: ConfirmationState }> {
  const subscriber = await findByConfirmation(db, hashToken(token), how);
  if (!subscriber) throw notFound();
  const { state, askedAt } = subscriber;
  const isExpired = (askedAt ?? 0) <= clock.now() - CONFIRMATION_MS;
  const answered = state === "active" ? "active" : isExpired ? "expired" : "waiting";
  return { ...(await shown(db, subscriber)), state: answered };
}

async function subscriptionOf(
  { db, secrets }: Pick<Context, "secrets"> & { db: Db },
  token: string,
  how: { lock?: boolean } = {},
): Promise<Subscription> {
  const uuid = subscriberOfToken(secrets, token);
  const subscriber = uuid === null ? null : await readSubscriber(db, { uuid }, how);
  if (!subscriber) throw notFound();
  return shown(db, subscriber);
}

async function shown(db: Db, subscriber: Subscriber): Promise<Subscription> {
  const page = await readPage(db, subscriber.pageId);
  if (!page) throw notFound();
  // A link does not disclose the contents of a page for members.
  const components = page.isPublic ? await listComponents(db, [page.id]) : [];
  const groups = inGroups(await listGroups(db, [page.id]), components).map(({ group, items }) => ({
    name: group?.name ?? null,
    components: items.map(({ uuid, displayName: name }) => ({ uuid, name })),
  }));
  return { subscriber, page, groups };
}
