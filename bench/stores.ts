import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreLocation } from "../server/src/store/open.ts";
import { findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import type { Measurement } from "./measurement.ts";

/** The settings of a PostgreSQL that keeps what it has acknowledged; those of tests are faster and do not. */
export const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", autovacuum: "on" };

/** A store of either engine to measure on, empty. */
export interface BenchStore {
  engine: "SQLite" | "PostgreSQL";
  location: StoreLocation;
}

/** Measures on an empty SQLite file and then, where it is installed, on a durable PostgreSQL; both are removed. */
export async function onEachStore(
  measure: (store: BenchStore) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const found = await onSqlite(measure);
  const binaries = findPostgres();
  if (!binaries) {
    console.error("PostgreSQL is not installed, so its half is left out.");
    return found;
  }
  const server = await startPostgres(binaries, DURABLE);
  try {
    return [
      ...found,
      ...(await measure({ engine: "PostgreSQL", location: { url: `${server.url}/postgres` } })),
    ];
  } finally {
    await server.stop();
  }
}

/** The SQLite half alone. */
export async function onSqlite(
  measure: (store: BenchStore) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "vedette-bench-"));
  try {
    return await measure({ engine: "SQLite", location: { file: join(folder, "vedette.db") } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
