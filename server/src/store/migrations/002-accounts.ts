import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Two-factor sign-in in two steps and without replay, session rotation that lets requests under way
 * finish, and the table that PostgreSQL's replicas count rate limits in (its columns are
 * rate-limiter-flexible's).
 */
export const accounts: Migration = {
  async up(db) {
    for (const line of [
      "alter table users add column totp_pending text",
      "alter table users add column totp_last_step bigint not null default 0",
      "alter table sessions add column previous_token_hash text",
      "create index sessions_previous on sessions (previous_token_hash)",
      "create index sessions_user on sessions (user_id)",
      "create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)",
    ]) {
      await sql.raw(line).execute(db);
    }
  },
};
