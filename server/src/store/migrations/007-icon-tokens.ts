import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * An icon's address needs no credentials, so it must not be guessable: a random token instead of the monitor's
 * uuid. The icons known so far are only a cache and are looked for again.
 */
export const iconTokens: Migration = {
  async up(db) {
    for (const line of [
      "delete from icons",
      "alter table icons add column token text not null default ''",
      "create unique index icons_token on icons (token)",
    ]) {
      await sql.raw(line).execute(db);
    }
  },
};
