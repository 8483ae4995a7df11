import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** A connection or a transaction: every query function takes one as its first argument. */
export type Db = Kysely<Schema>;
