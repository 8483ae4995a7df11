import type { Store } from "../../src/platform/database/store.ts";

/** What goes on beside a request: the live stream reads its log, a key notes once a minute that it was used. */
const UNCOUNTED = /from "events"|update "api_keys"/;

/** How many queries the store's connection got while `work` ran, for that work. */
export async function countQueries(store: Store, work: () => Promise<unknown>): Promise<number> {
  const executor = store.db.getExecutor();
  const original = executor.executeQuery;
  let count = 0;
  executor.executeQuery = (...parameters) => {
    if (!UNCOUNTED.test(parameters[0].sql)) count += 1;
    return original.call(executor, ...parameters) as never;
  };
  try {
    await work();
  } finally {
    executor.executeQuery = original;
  }
  return count;
}
