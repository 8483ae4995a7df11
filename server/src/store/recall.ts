import type { Store } from "./open.ts";

const VALUES_KEPT = 200;

interface Memory {
  version: string;
  values: Map<string, unknown>;
}

/** What was read of a store at its present version. */
const memories = new WeakMap<Store, Memory>();

/**
 * What `read` gives, without reading again as long as nobody, in this process or another, has written
 * anything to the store: so never out of date, not by a moment. For small things: 200 are kept. `key` says what is read; the value is
 * shared and must not be changed, and undefined is not kept. Where the store has no version it is read each time.
 */
export async function recall<Value>(store: Store, key: string, read: () => Promise<Value>): Promise<Value> {
  const version = store.version();
  if (version === null) return read();
  const known = memories.get(store);
  const memory = known?.version === version ? known : { version, values: new Map<string, unknown>() };
  if (memory !== known) memories.set(store, memory);
  const value = memory.values.get(key);
  if (value !== undefined) return value as Value;
  const found = await read();
  if (found === undefined) return found;
  // If something was written meanwhile, this memory is one that nobody asks any more.
  if (memory.values.size >= VALUES_KEPT) memory.values.delete(memory.values.keys().next().value as string);
  memory.values.set(key, found);
  return found;
}
