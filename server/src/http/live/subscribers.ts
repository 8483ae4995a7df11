import type { LiveEvent, LiveSubscription } from "../../context.ts";
import type { Store } from "../../store/open.ts";
import { eventBounds, readEventsAfter } from "../../store/queries/events.ts";

const BATCH = 500;

type Listener = (event: LiveEvent) => void;

interface Subscriber {
  organizationId: number;
  listener: Listener;
  /** The newest event it was given, or need not be given. */
  sentId: number;
  /** Reading what it missed; what happens meanwhile is read with it. */
  replaying: boolean;
  ended: boolean;
}

interface State {
  store: Store;
  /** The id up to which the hub has read, once it has done what it is doing. */
  caughtUp: () => Promise<number>;
  /** The newest event handed to subscribers. */
  delivered: number;
  byOrganization: Map<number, Set<Subscriber>>;
}

export interface Subscribers {
  deliver(event: LiveEvent & { organizationId: number }): void;
  add(organizationId: number, afterId: number | null, listener: Listener): Promise<LiveSubscription>;
}

/** Who listens to which organization. Every subscriber gets each event once, in order. */
export function createSubscribers(store: Store, caughtUp: () => Promise<number>): Subscribers {
  const state: State = { store, caughtUp, delivered: 0, byOrganization: new Map() };
  return {
    deliver(event) {
      state.delivered = event.id;
      for (const subscriber of state.byOrganization.get(event.organizationId) ?? []) {
        if (!subscriber.replaying) hand(subscriber, event);
      }
    },
    add: (organizationId, afterId, listener) => subscribe(state, organizationId, afterId, listener),
  };
}

async function subscribe(
  state: State,
  organizationId: number,
  afterId: number | null,
  listener: Listener,
): Promise<LiveSubscription> {
  const readUpTo = await state.caughtUp();
  const complete = afterId === null || (await isKept(state.store, afterId));
  state.delivered = Math.max(state.delivered, readUpTo);
  const resumes = complete && afterId !== null;
  const startId = resumes ? afterId : state.delivered;
  const subscriber = { organizationId, listener, sentId: startId, replaying: resumes, ended: false };
  const group = state.byOrganization.get(organizationId) ?? new Set();
  state.byOrganization.set(organizationId, group.add(subscriber));
  return {
    complete,
    startId,
    replayed: resumes ? replay(state, subscriber) : Promise.resolve(),
    end: () => unsubscribe(state, subscriber),
  };
}

function unsubscribe(state: State, subscriber: Subscriber): void {
  subscriber.ended = true;
  const group = state.byOrganization.get(subscriber.organizationId);
  group?.delete(subscriber);
  if (group?.size === 0) state.byOrganization.delete(subscriber.organizationId);
}

/** Reads on until nothing has been delivered to others that this subscriber has not read. */
async function replay(state: State, subscriber: Subscriber): Promise<void> {
  const { organizationId } = subscriber;
  for (;;) {
    const upTo = await state.caughtUp();
    const only = { organizationId, upTo };
    const events = await readEventsAfter(state.store.db, subscriber.sentId, BATCH, only);
    if (subscriber.ended) return;
    for (const event of events) hand(subscriber, event);
    if (events.length === BATCH) continue;
    subscriber.sentId = Math.max(subscriber.sentId, upTo);
    if (upTo >= state.delivered) break;
  }
  subscriber.replaying = false;
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
