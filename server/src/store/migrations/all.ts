import type { Migration } from "kysely/migration";
import { baseline } from "./001-baseline.ts";

export type Migrations = Readonly<Record<string, Migration>>;

/** Every migration, oldest first: the number in the name is the order. From the first release on none is ever changed. */
export const MIGRATIONS: Migrations = { "001-baseline": baseline };

/** The first and the last of the migrations that were there before the baseline, which creates the same, and the last commit with them. */
export const BEFORE_BASELINE = { first: "001-foundation", last: "152-refusals", commit: "2d82b5a0" } as const;
