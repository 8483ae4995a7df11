import type pg from "pg";
import type { Logger } from "../../context.ts";
import { EVENT_CHANNEL } from "../../store/queries/events.ts";

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

/**
 * Calls `onNotify` whenever any replica has appended events, and after each (re)connection, since
 * what was told meanwhile was missed. Returns how to stop.
 */
export function listenForEvents(pool: pg.Pool, log: Logger, onNotify: () => void): () => Promise<void> {
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
