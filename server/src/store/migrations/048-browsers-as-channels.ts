import { randomUUIDv7 } from "node:crypto";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { insertMany } from "../bulk.ts";
import { createIndex } from "../ddl.ts";

interface Browser {
  id: number;
  uuid: string;
  address: string;
  user_id: number;
  organization_id: number;
  name: string;
  language: string;
  time_zone: string | null;
  browser_notifications: number | null;
  quiet_hours: string | null;
}

/** Browsers become channels of their people, one for each membership, and what waits for them goes by these. */
export const browsersAsChannels: Migration = {
  async up(db) {
    const ofBrowser = sql`bigint references push_subscriptions (id) on delete cascade`;
    await sql`alter table channels add column push_subscription_id ${ofBrowser}`.execute(db);
    await sql`drop index channels_person`.execute(db);
    await createIndex(
      db,
      "unique index channels_person on channels (organization_id, user_id, type, coalesce(push_subscription_id, 0))",
    );
    await createIndex(
      db,
      "index channels_browser on channels (push_subscription_id) where push_subscription_id is not null",
    );
    const { rows } = await sql<Browser>`
      select push_subscriptions.id, push_subscriptions.uuid, address, users.id as user_id, organization_id, users.name,
        coalesce(users.language, push_subscriptions.language) as language, users.time_zone,
        browser_notifications, quiet_hours
      from push_subscriptions
        join users on users.id = push_subscriptions.user_id
        join memberships on memberships.user_id = users.id
        left join notification_settings on notification_settings.user_id = users.id`.execute(db);
    await insertMany(db, "channels", rows.map(channelOf));
    await sql`update outbox set channel = 'person', channel_id = (
        select channels.id from channels
        where channels.target = outbox.recipient and channels.organization_id = outbox.organization_id)
      where channel = 'push' and state = 'waiting'`.execute(db);
    await sql`delete from outbox where channel = 'person' and channel_id is null`.execute(db);
  },
};

const channelOf = (browser: Browser) => {
  const now = Date.now();
  return {
    uuid: randomUUIDv7(),
    organization_id: browser.organization_id,
    user_id: browser.user_id,
    push_subscription_id: browser.id,
    name: browser.name,
    type: "push",
    config: "{}",
    secrets: browser.address,
    target: browser.uuid,
    events: JSON.stringify([
      "monitor.down",
      "monitor.up",
      "monitor.degraded",
      "monitor.flapping",
      "monitor.stopped",
    ]),
    severities: "[]",
    tags: "[]",
    hours: browser.quiet_hours,
    language: browser.language,
    time_zone: browser.time_zone ?? "UTC",
    enabled: browser.browser_notifications === 0 ? 0 : 1,
    confirmed_at: now,
    created_at: now,
    updated_at: now,
  };
};
