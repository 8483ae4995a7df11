import type { Clock } from "../clock.ts";

/**
 * `make`, whose answer of a key also serves those who ask for it within `forMs` milliseconds after the first, or while it is
 * made. One that fails is not kept.
 */
export function rememberShortly<Key, Value>(
  clock: Clock,
  forMs: number,
  make: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, { at: number; answer: Promise<Value> }>();
  return (key) => {
    const now = clock.now();
    // A clock that has been set back makes nothing young again.
    for (const [each, { at }] of known) if (at > now || now - at >= forMs) known.delete(each);
    const found = known.get(key);
    if (found) return found.answer;
    const made = { at: now, answer: make(key) };
    known.set(key, made);
    made.answer.catch(() => {
      if (known.get(key) === made) known.delete(key);
    });
    return made.answer;
  };
}
