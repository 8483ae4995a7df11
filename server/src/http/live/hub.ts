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
import { createPump } from "./pump.ts";
import { createSubscribers } from "./subscribers.ts";

const BATCH = 500;
/** Between looks when nobody woke us: SQLite's other processes cannot; PostgreSQL's NOTIFY may be lost. */
const POLL_MS = { sqlite: 1_000, postgres: 5_000 };
const KEEP_MS = 24 * 3_600_000;
const PRUNE_EVERY_MS = 10 * 60_000;
const PRUNE_SLICE = 1_000;

type TypeListener = (payload: Record<string, unknown>, event: StoredEvent) => void;

export interface LiveHub extends Required<LiveEvents> {
  /** Calls back with the payload of every event of this type, of any organization and any replica. */
  onEvent(type: string, listener: TypeListener): void;
  close(): Promise<void>;
}

/** Reads the event log as it grows, on whichever process, and hands every event on in order. */
export function createLive(store: Store, clock: Clock, log: Logger): LiveHub {
  const byType = new Map<string, TypeListener[]>();
  let cursor: number | null = null;

  const take = (event: StoredEvent): void => {
    cursor = event.id;
    subscribers.deliver(event);
    for (const listener of byType.get(event.type) ?? []) listener(event.payload, event);
  };
  const readOn = async (): Promise<void> => {
    cursor ??= (await eventBounds(store.db)).last;
    for (let read = BATCH; read === BATCH; ) {
      const events = await readEventsAfter(store.db, cursor, BATCH);
      events.forEach(take);
      read = events.length;
    }
  };
  let isFailing = false;
  const pump = createPump(() =>
    readOn().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing) log.warn({ err: error }, "Live events cannot be read; they are tried again");
        isFailing = true;
      },
    ),
  );
  const subscribers = createSubscribers(store, async () => {
    await pump.idle();
    return cursor ?? 0;
  });
  const timers = [
    setInterval(pump.run, POLL_MS[store.engine]),
    setInterval(() => void forget(store, clock, log), PRUNE_EVERY_MS),
  ];
  const stopListening = store.pool ? listenForEvents(store.pool, log, pump.run) : null;
  pump.run();
  return {
    wake: pump.run,
    subscribe: subscribers.add,
    onEvent: (type, listener) => void byType.set(type, [...(byType.get(type) ?? []), listener]),
    async close() {
      pump.stop();
      timers.forEach(clearInterval);
      await stopListening?.();
      await pump.idle();
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
