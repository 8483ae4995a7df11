import { type Static, Type } from "typebox";
import { listSubscribers } from "../../store/queries/subscribers.ts";
import { type Running, verb } from "../../verb/verb.ts";
import { projectSubscriber, type Subscriber, SubscriberFilter } from "../../wire/subscribers.ts";
import { findOwnPage } from "./found-subscriber.ts";

const AT_ONCE = 500;

/** All of what `listSubscribers` lists, for a file: `subscribers` reads them while they are sent. Throws 404 and 403. */
export const exportSubscribers = verb({
  resource: "status-pages",
  feature: "team",
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
  filter: Parameters<typeof listSubscribers>[1],
): AsyncGenerator<Static<typeof Subscriber>> {
  for (let before: number | undefined; ; ) {
    const some = await listSubscribers(db, filter, { limit: AT_ONCE, before });
    for (const one of some) yield projectSubscriber(one);
    before = some.at(-1)?.id;
    if (some.length < AT_ONCE) return;
  }
}
