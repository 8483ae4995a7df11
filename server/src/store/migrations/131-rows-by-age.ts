import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** What goes by age, with the time that says how old a row is. */
const BY_AGE = {
  audit_log: "at",
  delivery_attempts: "at",
  deployments: "created_at",
  device_changes: "at",
  invitations: "expires_at",
  mailed_tokens: "expires_at",
  notifications: "created_at",
  outbox: "created_at",
  sessions: "seen_at",
  status_page_news: "at",
};

/** Retention finds old rows by their time: where a clock was ahead for a while, the lowest ids are not the oldest. */
export const rowsByAge: Migration = {
  async up(db) {
    for (const [table, time] of Object.entries(BY_AGE)) {
      await createIndex(db, `index ${table}_by_age on ${table} (${time})`);
    }
  },
};
