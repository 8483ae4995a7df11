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
  const known = new Map<Key, { at: number; isMade: boolean; answer: Promise<Value> }>();
  return (key) => {
    const now = clock.now();
    for (const [each, { at, isMade }] of known) {
      // However long it takes, it is not begun twice; and a clock that has been set back makes nothing young again.
      if (isMade && (at > now || now - at >= forMs)) known.delete(each);
    }
    const found = known.get(key);
    if (found) return found.answer;
    const made = { at: now, isMade: false, answer: make(key) };
    known.set(key, made);
    made.answer.then(
      () => {
        made.isMade = true;
      },
      () => void known.delete(key),
    );
    return made.answer;
  };
}
