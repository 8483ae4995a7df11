import { join } from "node:path";
import { openStore, type StoreLocation } from "../server/src/platform/database/open.ts";
import type { Store } from "../server/src/platform/database/store.ts";
import { findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import { type Measurement, withFolder } from "./harness.ts";

/** The settings of a PostgreSQL that keeps what it has acknowledged; those of tests are faster and do not. */
export const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", autovacuum: "on" };

/** A store of either engine to measure on, empty and open. */
export interface BenchStore {
  engine: "SQLite" | "PostgreSQL";
  location: StoreLocation;
  store: Store;
}

type Measure = (bench: BenchStore) => Promise<Measurement[]>;

/** Measures on an empty SQLite file and then, where it is installed, on a durable PostgreSQL; both are removed. */
export async function onEachStore(measure: Measure): Promise<Measurement[]> {
  const found = await onSqlite(measure);
  const binaries = findPostgres();
  if (!binaries) {
    console.error("PostgreSQL is not installed, so its half is left out.");
    return found;
  }
  const server = await startPostgres(binaries, DURABLE);
  try {
    return [...found, ...(await measureOn("PostgreSQL", { url: `${server.url}/postgres` }, measure))];
  } finally {
    await server.stop();
  }
}

/** The SQLite half alone. */
export async function onSqlite(measure: Measure): Promise<Measurement[]> {
  return withFolder((folder) => measureOn("SQLite", { file: join(folder, "vedette.db") }, measure));
}

async function measureOn(engine: BenchStore["engine"], location: StoreLocation, measure: Measure) {
  const store = await openStore(location);
  try {
    return await measure({ engine, location, store });
  } finally {
    await store.close();
  }
}
