import type { Context, LiveEvents, Logger } from "../../context.ts";
import { lastEventId, readEventsAfter, type StoredEvent } from "../../store/queries/events.ts";
import { takeTurns } from "../../turns.ts";
import { createCursors } from "./cursor.ts";
import { listenForEvents } from "./notify.ts";
import { createPump, type Pump } from "./pump.ts";
import { createSubscribers } from "./subscribers.ts";

const BATCH = 100;
/** Between looks when nobody woke us: SQLite's other processes cannot; PostgreSQL's NOTIFY may be lost. */
const POLL_MS = { sqlite: 1_000, postgres: 5_000 };
const FORGET_IDLE_EVERY_MS = 30_000;

type TypeListener = (payload: Record<string, unknown>) => void;

export interface LiveHub extends Required<LiveEvents> {
  close(): Promise<void>;
}

/** Reads the event log as it grows, on whichever process, and hands every event on in order. */
export function createLive({ store, log, secrets }: Pick<Context, "store" | "log" | "secrets">): LiveHub {
  const byType = new Map<string, TypeListener[]>();
  let cursor: number | null = null;

  const take = (event: StoredEvent): void => {
    cursor = event.id;
    subscribers.deliver(event);
    const listeners = byType.get(event.type);
    if (!listeners) return;
    const payload = JSON.parse(event.payload) as Record<string, unknown>;
    for (const listener of listeners) listener(payload);
  };
  const readOn = async (): Promise<void> => {
    cursor ??= await lastEventId(store.db);
    const giveWay = takeTurns();
    for (;;) {
      const events = await readEventsAfter(store.db, cursor, BATCH);
      events.forEach(take);
      if (events.length < BATCH) return;
      // SQLite answers within this turn of the event loop: give way to everything else.
      await giveWay();
    }
  };
  const pump = createPump(tellOnce(readOn, log));
  const caughtUp = async (id = 0): Promise<void> => {
    await pump.idle();
    if (cursor !== null && id <= cursor) return;
    pump.run();
    await pump.idle();
    if (cursor === null) throw new Error("The event log cannot be read.");
  };
  const cursors = createCursors(secrets.derive("live stream positions"));
  const subscribers = createSubscribers({ store, log, cursors, caughtUp, position: () => cursor ?? 0 });
  const timers = [
    setInterval(pump.run, POLL_MS[store.engine]),
    setInterval(subscribers.forgetIdle, FORGET_IDLE_EVERY_MS),
  ];
  const stopListening = store.pool ? listenForEvents(store.pool, log, pump.run) : null;
  pump.run();
  return {
    wake: pump.run,
    subscribe: subscribers.add,
    onEvent: (type, listener) => void byType.set(type, [...(byType.get(type) ?? []), listener]),
    close: () => closeHub(timers, pump, stopListening),
  };
}

async function closeHub(
  timers: NodeJS.Timeout[],
  pump: Pump,
  stopListening: (() => Promise<void>) | null,
): Promise<void> {
  pump.stop();
  timers.forEach(clearInterval);
  await stopListening?.();
  await pump.idle();
}

/** The work, which warns of its first failure in a row instead of rejecting. */
function tellOnce(work: () => Promise<void>, log: Logger): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "Live events cannot be read; they are tried again");
      isFailing = true;
    }
  };
}
