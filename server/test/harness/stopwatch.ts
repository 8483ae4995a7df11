const TICK_MS = 10;
/** Less is what timers are late by anyway. */
const NOTICED_MS = 15;

export interface Timed<T> {
  value: T;
  /** How long it took. */
  tookMs: number;
  /** How much of that this process was held up: by so much a bare timer beside it was late. */
  blockedMs: number;
}

/** The longest for which this process was held up, until `stop`: how busy the machine is. */
export function watchLateness(): { mostMs(): number; stop(): void } {
  let mostMs = 0;
  let dueMs = performance.now() + TICK_MS;
  const timer = setInterval(() => {
    mostMs = Math.max(mostMs, performance.now() - dueMs);
    dueMs = performance.now() + TICK_MS;
  }, TICK_MS);
  return { mostMs: () => mostMs, stop: () => clearInterval(timer) };
}

/** Measures how long something takes, and how busy the machine was meanwhile. */
export async function timed<T>(run: () => Promise<T>): Promise<Timed<T>> {
  let blockedMs = 0;
  let dueMs = performance.now() + TICK_MS;
  const look = () => {
    const lateMs = performance.now() - dueMs;
    if (lateMs > NOTICED_MS) blockedMs += lateMs;
  };
  const tick = () => {
    look();
    dueMs = performance.now() + TICK_MS;
    timer = setTimeout(tick, TICK_MS);
  };
  let timer = setTimeout(tick, TICK_MS);
  const startedMs = performance.now();
  try {
    const value = await run();
    look();
    return { value, tookMs: performance.now() - startedMs, blockedMs };
  } finally {
    clearTimeout(timer);
  }
}
