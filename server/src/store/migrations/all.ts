import type { Migration } from "kysely/migration";
import { baseline } from "./001-baseline.ts";

export type Migrations = Readonly<Record<string, Migration>>;

/** Every migration, oldest first: the number in the name is the order. From the first release on none is ever changed. */
export const MIGRATIONS: Migrations = { "001-baseline": baseline };

/**
 * What databases have had whose schema grew migration by migration, before the baseline: the first of those and the last, after
 * which they were as the baseline makes them, and the last commit that has them.
 */
export const BEFORE_BASELINE = { first: "001-foundation", last: "152-refusals", commit: "50ac10ec" } as const;
