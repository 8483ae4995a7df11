import type { Clock } from "../../clock.ts";
import type { LiveEvents, Logger } from "../../context.ts";
import type { Store } from "../../store/open.ts";
import {
  deleteEventsBefore,
  eventBounds,
  readEventsAfter,
  type StoredEvent,
} from "../../store/queries/events.ts";
import { listenForEvents } from "./notify.ts";
import { createSubscribers } from "./subscribers.ts";

const BATCH = 500;
/** Between looks when nobody woke us: SQLite's other processes cannot; PostgreSQL's NOTIFY may be lost. */
const POLL_MS = { sqlite: 1_000, postgres: 5_000 };
const KEEP_MS = 24 * 3_600_000;
const PRUNE_EVERY_MS = 10 * 60_000;
const PRUNE_SLICE = 1_000;

export interface LiveHub extends Required<LiveEvents> {
  /** Calls back with the payload of every event of this type, of any organization and any replica. */
  onEvent(type: string, listener: (payload: Record<string, unknown>, event: StoredEvent) => void): void;
  close(): Promise<void>;
}

/** Reads the event log as it grows, on whichever process, and hands every event on in order. */
export function createLive(store: Store, clock: Clock, log: Logger): LiveHub {
  const byType = new Map<string, ((payload: Record<string, unknown>, event: StoredEvent) => void)[]>();
  const subscribers = createSubscribers(store);
  let cursor: number | null = null;
  let pumping: Promise<void> | null = null;
  let again = false;
  let closed = false;

  const pumpOnce = async (): Promise<void> => {
    cursor ??= (await eventBounds(store.db)).last;
    for (;;) {
      const events = await readEventsAfter(store.db, cursor, BATCH);
      for (const event of events) {
        cursor = event.id;
        subscribers.deliver(event);
        for (const listener of byType.get(event.type) ?? []) listener(event.payload, event);
      }
      if (events.length < BATCH || closed) return;
    }
  };
  const pump = (): void => {
    again = true;
    if (pumping || closed) return;
    pumping = (async () => {
      while (again && !closed) {
        again = false;
        await pumpOnce().catch((error: unknown) => log.warn({ err: error }, "live events cannot be read"));
      }
      pumping = null;
    })();
  };

  const poll = setInterval(pump, POLL_MS[store.engine]);
  const prune = setInterval(() => void forget(store, clock, log), PRUNE_EVERY_MS);
  const stopListening = store.pool ? listenForEvents(store.pool, log, pump) : null;
  pump();
  return {
    wake: pump,
    subscribe: (organizationId, afterId, listener) =>
      subscribers.add(organizationId, afterId, listener, async () => {
        await pumping;
        return cursor ?? 0;
      }),
    onEvent(type, listener) {
      byType.set(type, [...(byType.get(type) ?? []), listener]);
    },
    async close() {
      closed = true;
      clearInterval(poll);
      clearInterval(prune);
      await stopListening?.();
      await pumping;
    },
  };
}

async function forget(store: Store, clock: Clock, log: Logger): Promise<void> {
  try {
    while ((await deleteEventsBefore(store.db, clock.now() - KEEP_MS, PRUNE_SLICE)) === PRUNE_SLICE);
  } catch (error) {
    log.warn({ err: error }, "old live events cannot be removed");
  }
}
