import { randomUUIDv7 } from "node:crypto";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { insertMany } from "../bulk.ts";
import { createIndex, createTable, references } from "../ddl.ts";

interface Membership {
  organization_id: number;
  user_id: number;
  name: string;
  email: string;
  language: string | null;
  time_zone: string | null;
}

/** What people want to be told themselves, and the channels that follow from it: until they say otherwise, an e-mail. */
export const notificationSettings: Migration = {
  async up(db) {
    await createTable(
      db,
      "notification_settings",
      {
        user_id: "bigint",
        email_notifications: "integer",
        browser_notifications: "integer",
        email_incidents: "integer",
        email_downtime: "integer",
        email_weekly_reports: "integer",
        slack_enabled: "integer",
        quiet_hours: "text?",
        slack: "text?",
        slack_target: "text?",
        slack_ended: "text?",
        webhook: "text?",
        webhook_target: "text?",
        webhook_ended: "text?",
        updated_at: "bigint",
      },
      ["primary key (user_id)", references("user_id", "users")],
    );
    const ofPerson = sql`bigint references users (id) on delete cascade`;
    await sql`alter table channels add column user_id ${ofPerson}`.execute(db);
    await createIndex(db, "unique index channels_person on channels (organization_id, user_id, type)");
    await createIndex(db, "index channels_user on channels (user_id) where user_id is not null");
    const { rows } = await sql<Membership>`
      select organization_id, user_id, name, email, language, time_zone
      from memberships join users on users.id = memberships.user_id`.execute(db);
    await insertMany(db, "channels", rows.map(emailOf));
  },
};

const emailOf = ({ organization_id, user_id, name, email, language, time_zone }: Membership) => {
  const now = Date.now();
  return {
    uuid: randomUUIDv7(),
    organization_id,
    user_id,
    name,
    type: "email",
    config: JSON.stringify({ address: email }),
    secrets: null,
    target: email,
    events: JSON.stringify([
      "monitor.down",
      "monitor.up",
      "monitor.degraded",
      "monitor.flapping",
      "monitor.stopped",
      "incident.opened",
      "incident.updated",
      "incident.resolved",
    ]),
    severities: "[]",
    tags: "[]",
    hours: null,
    language: language ?? "en",
    time_zone: time_zone ?? "UTC",
    enabled: 1,
    created_at: now,
    updated_at: now,
  };
};
