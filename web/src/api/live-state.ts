import { useSyncExternalStore } from "react";

/** `off` only after the stream has been gone for longer than a moment. */
export type LiveState = "connecting" | "on" | "off";

interface Connection {
  state: LiveState;
  /** Since when the server has been away, milliseconds; null while it is there, or has been gone for a moment only. */
  awaySince: number | null;
  /** Since when the stream has been broken, however short that is; null while it is not. */
  lostAt: number | null;
  /** The age of the data on screen, where it was stored in an earlier visit; null once it has been read again. */
  savedAt: number | null;
}

let connection: Connection = { state: "connecting", awaySince: null, lostAt: null, savedAt: null };
const listeners = new Set<() => void>();

export function setConnection(change: Partial<Connection>): void {
  const next = { ...connection, ...change };
  if ((["state", "awaySince", "lostAt", "savedAt"] as const).every((name) => next[name] === connection[name]))
    return;
  connection = next;
  for (const listener of listeners) listener();
}

/** From when what is shown is, milliseconds. */
export const shownAt = (): number => connection.savedAt ?? connection.lostAt ?? Date.now();

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => connection.state);

/** Since when the server has been away, milliseconds; null: it is there. */
export const useAwaySince = (): number | null => useSyncExternalStore(subscribe, () => connection.awaySince);

/** From when what is shown is, milliseconds; null: it was read on this visit. */
export const useViewSavedAt = (): number | null => useSyncExternalStore(subscribe, () => connection.savedAt);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
