import { useEffect, useState, useSyncExternalStore } from "react";
import { useAwaySince, useViewSavedAt } from "../api/live-state.ts";

const tickMs = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Milliseconds since 1970, renewed every ten seconds by one timer. It stops while the server is away, as
 * nothing newer is known.
 */
export function useNow(): number {
  const present = useSyncExternalStore(subscribe, () => now);
  const awaySince = useAwaySince();
  return useViewSavedAt() ?? awaySince ?? present;
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The value once it has stayed the same for `quietMs`. */
export function useDebounced<T>(value: T, quietMs: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return debounced;
}
