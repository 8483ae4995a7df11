import type pg from "pg";
import type { Context, LiveEvents, Logger } from "../../platform/context.ts";
import {
  EVENT_CHANNEL,
  lastEventId,
  readEventsAfter,
  type StoredEvent,
} from "../../platform/database/events.ts";
import { takeTurns } from "../../platform/turns.ts";
import { createCursors } from "./cursor.ts";
import { typesFor } from "./events.ts";
import { createSubscribers } from "./subscribers.ts";

const BATCH = 100;
/** Polls without a wake-up: SQLite's other processes send none; PostgreSQL's NOTIFY may be lost. */
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
  const pump = createPump(sendOnce(readOn, log));
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
    typesFor,
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
function sendOnce(work: () => Promise<void>, log: Logger): () => Promise<void> {
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

/** Work that is repeated when requested while it runs, but never twice at a time. */
interface Pump {
  run(): void;
  /** Resolves when no work is under way. */
  idle(): Promise<void>;
  stop(): void;
}

/** `work` must not reject. */
function createPump(work: () => Promise<void>): Pump {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (again && !stopped) {
      again = false;
      await work();
    }
    running = null;
  };
  return {
    run() {
      again = true;
      if (!stopped) running ??= loop();
    },
    idle: async () => {
      await running;
    },
    stop() {
      stopped = true;
    },
  };
}

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

/**
 * When any replica has appended events, and after each (re)connection, since notifications were missed
 * meanwhile. Returns how to stop.
 */
function listenForEvents(pool: pg.Pool, log: Logger, onNotify: () => void): () => Promise<void> {
  let client: pg.PoolClient | null = null;
  let timer: NodeJS.Timeout | null = null;
  let retryMs = FIRST_RETRY_MS;
  let stopped = false;

  const lose = (error: unknown): void => {
    client?.release(true);
    client = null;
    if (stopped || timer) return;
    if (retryMs === FIRST_RETRY_MS) {
      log.warn(
        { err: error },
        "The connection for live events is lost; it is made again, and events are looked for meanwhile",
      );
    }
    timer = setTimeout(() => {
      timer = null;
      connecting = connect();
    }, retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  };
  const connect = async (): Promise<void> => {
    try {
      const fresh = await pool.connect();
      if (stopped) return fresh.release(true);
      client = fresh;
      fresh.on("notification", onNotify);
      fresh.once("error", (error) => client === fresh && lose(error));
      await fresh.query(`listen ${EVENT_CHANNEL}`);
      retryMs = FIRST_RETRY_MS;
      onNotify();
    } catch (error) {
      lose(error);
    }
  };
  let connecting = connect();
  return async () => {
    stopped = true;
    if (timer) clearTimeout(timer);
    await connecting;
    client?.release(true);
    client = null;
  };
}
