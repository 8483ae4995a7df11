import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A person's own mails wait like others until the address is known to be theirs, and they are asked once by themselves. */
export const ownAddresses: Migration = {
  async up(db) {
    await sql`alter table users add column email_asked_at bigint`.execute(db);
    await sql`
      update channels set confirmed_at = null
      where user_id in (select id from users where email_confirmed_at is null) and type = 'email'`.execute(
      db,
    );
  },
};
