import { useSyncExternalStore } from "react";

/** `off` only after the stream has been gone for longer than a moment. */
export type LiveState = "connecting" | "on" | "off";

let state: LiveState = "connecting";
const listeners = new Set<() => void>();

/** Tells everyone who shows it. */
export function setLiveState(next: LiveState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Whether changes are arriving. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribe, () => state);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
