import type { LiveEvent, LiveSubscription } from "../../context.ts";
import type { Store } from "../../store/open.ts";
import { eventBounds, readEventsAfter } from "../../store/queries/events.ts";

const BATCH = 500;

interface Subscriber {
  listener: (event: LiveEvent) => void;
  /** The newest event it was given, or need not be given. */
  sentId: number;
  /** Reading what it missed; what happens meanwhile is read with it. */
  replaying: boolean;
  ended: boolean;
}

/** Who listens to which organization. Every subscriber gets each event once, in order. */
export function createSubscribers(store: Store) {
  const byOrganization = new Map<number, Set<Subscriber>>();

  /** `caughtUp`: the id up to which the hub has delivered. */
  async function replay(
    organizationId: number,
    subscriber: Subscriber,
    caughtUp: () => Promise<number>,
  ): Promise<void> {
    for (;;) {
      const upTo = await caughtUp();
      const only = { organizationId, upTo };
      const events = await readEventsAfter(store.db, subscriber.sentId, BATCH, only);
      if (subscriber.ended) return;
      for (const event of events) hand(subscriber, event);
      if (events.length === BATCH) continue;
      subscriber.sentId = Math.max(subscriber.sentId, upTo);
      if (upTo === delivered) break;
    }
    subscriber.replaying = false;
  }

  let delivered = 0;
  return {
    deliver(event: LiveEvent & { organizationId: number }): void {
      delivered = event.id;
      for (const subscriber of byOrganization.get(event.organizationId) ?? []) {
        if (!subscriber.replaying) hand(subscriber, event);
      }
    },
    async add(
      organizationId: number,
      afterId: number | null,
      listener: (event: LiveEvent) => void,
      caughtUp: () => Promise<number>,
    ): Promise<LiveSubscription> {
      const at = await caughtUp();
      delivered = Math.max(delivered, at);
      const complete = afterId === null || (await isKept(store, afterId));
      const subscriber: Subscriber = {
        listener,
        sentId: complete && afterId !== null ? afterId : delivered,
        replaying: complete && afterId !== null,
        ended: false,
      };
      const group = byOrganization.get(organizationId) ?? new Set();
      byOrganization.set(organizationId, group.add(subscriber));
      const startId = subscriber.sentId;
      const replayed = subscriber.replaying
        ? replay(organizationId, subscriber, caughtUp)
        : Promise.resolve();
      return {
        complete,
        startId,
        replayed,
        end() {
          subscriber.ended = true;
          group.delete(subscriber);
          if (group.size === 0 && byOrganization.get(organizationId) === group) {
            byOrganization.delete(organizationId);
          }
        },
      };
    },
  };
}

function hand(subscriber: Subscriber, event: LiveEvent): void {
  if (event.id <= subscriber.sentId || subscriber.ended) return;
  subscriber.sentId = event.id;
  subscriber.listener(event);
}

/** Whether nothing after `id` has been forgotten, and `id` is not of another database's future. */
async function isKept(store: Store, id: number): Promise<boolean> {
  const { first, last } = await eventBounds(store.db);
  return id >= 0 && id <= last && id >= first - 1;
}
