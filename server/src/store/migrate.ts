import { Migrator } from "kysely/migration";
import { foundation } from "./migrations/001-foundation.ts";
import type { Store } from "./open.ts";

/** Every migration, oldest first. The number in the name is the order; none is ever changed. */
const MIGRATIONS = { "001-foundation": foundation } as const;

/**
 * Applies what is missing, under Kysely's migration lock (PostgreSQL: an advisory lock, so replicas
 * that start together wait for each other). Throws when the database knows migrations that this
 * program does not.
 */
export async function migrate(store: Store): Promise<string[]> {
  const migrator = new Migrator({
    db: store.db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
