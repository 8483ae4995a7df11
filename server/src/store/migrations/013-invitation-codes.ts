import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * An e-mail address is no proof of who somebody is while none is verified: an invitation is accepted with a code that
 * the inviter hands over. Those made without one are made again.
 */
export const invitationCodes: Migration = {
  async up(db) {
    await sql`delete from invitations`.execute(db);
    await sql`alter table invitations add column code_hash text not null default ''`.execute(db);
  },
};
