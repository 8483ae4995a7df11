const POLL_MS = 20;

/**
 * Calls `look` again and again until `holds` is true of what it gives, and returns that. Fails after
 * `withinMs` with the last value seen, so that the message shows how far things got. `pollMs`: between two looks, longer
 * where the server counts them.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  holds: (value: T) => boolean,
  withinMs = 10_000,
  pollMs = POLL_MS,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (performance.now() > end) {
      throw new Error(`not true within ${withinMs} ms; last seen: ${JSON.stringify(value, null, 1)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
