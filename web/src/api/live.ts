import type { QueryClient } from "@tanstack/react-query";
import { apiPaths } from "../paths.ts";
import { liveHandlers } from "./live-events.ts";
import { setConnection, shownAt } from "./live-state.ts";
import { checkSession } from "./session.ts";

/** A shorter gap is not worth a message. */
const offAfterMs = 4_000;
/** A longer one is a server that is away: what is shown is old, and looks it. */
const awayMs = 10_000;
const longestPauseMs = 30_000;
/** A tab hidden for this long closes its connection; the browser has only six. */
const hiddenGraceMs = 300_000;

/**
 * One connection; events go to live-events.ts. The browser resumes it; what it gives up is retried with
 * growing pauses, from the last event or, without one, by reading everything anew, as after `reset`. Returns
 * what ends it.
 */
export function startLive(client: QueryClient): () => void {
  let source: EventSource | null = null;
  let attempts = 0;
  let lastEventId = "";
  let missedEvents = false;
  let broken = false;
  const timers = { retry: 0, off: 0, away: 0, hidden: 0 };

  const close = () => {
    source?.close();
    source = null;
    clearTimeout(timers.retry);
  };
  const stopWaiting = () => {
    clearTimeout(timers.off);
    clearTimeout(timers.away);
    timers.off = timers.away = 0;
  };
  const lose = () => {
    broken = true;
    if (timers.off) return;
    const lostAt = shownAt();
    setConnection({ lostAt });
    timers.off = window.setTimeout(() => setConnection({ state: "off" }), offAfterMs);
    timers.away = window.setTimeout(() => setConnection({ awaySince: lostAt }), awayMs);
  };
  const open = () => {
    close();
    source = new EventSource(apiPaths.eventsAfter(lastEventId));
    source.addEventListener("open", () => {
      attempts = 0;
      stopWaiting();
      setConnection({ state: "on", awaySince: null, lostAt: null });
      // Requests that failed while the server was away are sent again; missed events are replayed.
      const failed = (query: { state: { status: string } }) => query.state.status === "error";
      if (missedEvents) void client.invalidateQueries();
      else if (broken) void client.invalidateQueries({ predicate: failed });
      missedEvents = broken = false;
    });
    source.addEventListener("error", () => {
      lose();
      if (source?.readyState !== EventSource.CLOSED) return;
      missedEvents ||= lastEventId === "";
      // Refused: perhaps the session was ended elsewhere.
      void checkSession(client);
      const pauseMs = Math.min(longestPauseMs, 1_000 * 2 ** attempts++);
      timers.retry = window.setTimeout(open, pauseMs);
    });
    for (const [type, handle] of Object.entries(liveHandlers)) {
      source.addEventListener(type, (event) => {
        lastEventId = event.lastEventId;
        handle(client, JSON.parse(event.data) as never);
      });
    }
  };
  const followVisibility = () => {
    clearTimeout(timers.hidden);
    if (document.hidden) {
      timers.hidden = window.setTimeout(close, hiddenGraceMs);
    } else if (source === null || source.readyState === EventSource.CLOSED) {
      missedEvents ||= lastEventId === "";
      open();
    }
  };

  open();
  document.addEventListener("visibilitychange", followVisibility);
  window.addEventListener("online", followVisibility);
  return () => {
    close();
    stopWaiting();
    clearTimeout(timers.hidden);
    document.removeEventListener("visibilitychange", followVisibility);
    window.removeEventListener("online", followVisibility);
    setConnection({ state: "connecting", awaySince: null, lostAt: null });
  };
}
