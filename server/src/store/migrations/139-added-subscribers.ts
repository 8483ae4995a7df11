import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Who of a page's owners has added a subscriber: the mail that asks such a one counts as theirs. */
export const addedSubscribers: Migration = {
  async up(db) {
    const column = sql`added_by_id bigint references users (id) on delete set null`;
    await sql`alter table status_page_subscribers add column ${column}`.execute(db);
    // Those who wait already count as added by the organization's first owner.
    await sql`update status_page_subscribers set added_by_id = (
      select min(user_id) from memberships
      where memberships.organization_id = status_page_subscribers.organization_id and role = 'owner'
    ) where state = 'waiting' and asked_at is null`.execute(db);
  },
};
