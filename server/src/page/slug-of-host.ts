import type { Db } from "../store/db.ts";
import { findSlugOfHost } from "../store/queries/status-pages.ts";

/** The slug of the page whose own host this is (lower case, without a port); null: no page has it. */
export const slugOfHost = (db: Db, host: string): Promise<string | null> => findSlugOfHost(db, host);
