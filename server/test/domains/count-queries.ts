import type { Store } from "../../src/store/open.ts";

/** How many queries the store's connection got while `work` ran. */
export async function countQueries(store: Store, work: () => Promise<unknown>): Promise<number> {
  const executor = store.db.getExecutor();
  const original = executor.executeQuery;
  let count = 0;
  executor.executeQuery = (...parameters) => {
    count += 1;
    return original.call(executor, ...parameters) as never;
  };
  try {
    await work();
  } finally {
    executor.executeQuery = original;
  }
  return count;
}
