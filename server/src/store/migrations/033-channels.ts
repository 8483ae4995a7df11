import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Where an organization's people are told, what each was told, and the log of the tries. */
export const channels: Migration = {
  async up(db) {
    await createTable(
      db,
      "channels",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        name: "text",
        type: "text",
        config: "text",
        secrets: "text?",
        target: "text",
        events: "text",
        severities: "text",
        tags: "text",
        hours: "text?",
        language: "text",
        time_zone: "text",
        enabled: "integer",
        disabled_reason: "text?",
        held_until: "bigint?",
        created_at: "bigint",
        updated_at: "bigint",
      },
      ["unique (uuid)", references("organization_id", "organizations")],
    );
    await createIndex(db, "index channels_organization on channels (organization_id, id)");
    await createTable(
      db,
      "channel_threads",
      {
        id: "id",
        organization_id: "bigint",
        channel_id: "bigint",
        monitor_id: "bigint",
        opened_at: "bigint",
        closed_at: "bigint?",
        told_at: "bigint?",
        reference: "text?",
      },
      [references("channel_id", "channels")],
    );
    await createIndex(
      db,
      "unique index channel_threads_open on channel_threads (channel_id, monitor_id) where closed_at is null",
    );
    const ofChannel = sql`bigint references channels (id) on delete cascade`;
    await sql`alter table outbox add column channel_id ${ofChannel}`.execute(db);
    for (const column of ["thread_id", "leased_until"]) {
      await sql`alter table outbox add column ${sql.ref(column)} bigint`.execute(db);
    }
    for (const column of ["event", "message"]) {
      await sql`alter table outbox add column ${sql.ref(column)} text`.execute(db);
    }
    await createIndex(db, "index outbox_channel on outbox (channel_id, id) where channel_id is not null");
    await createIndex(
      db,
      "index outbox_channel_waiting on outbox (channel_id, id) where state = 'waiting' and channel_id is not null",
    );
    await createTable(
      db,
      "delivery_attempts",
      {
        id: "id",
        organization_id: "bigint",
        delivery_id: "bigint",
        at: "bigint",
        duration_ms: "integer",
        outcome: "text",
        fact: "text?",
        request: "text?",
        answer: "text?",
      },
      [references("delivery_id", "outbox")],
    );
    await createIndex(db, "index delivery_attempts_delivery on delivery_attempts (delivery_id, id)");
  },
};
