import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";
import type { AnyDb } from "../dialect.ts";

/** Who is told what a status page says, what they are told, and how far that is. */
export const subscribers: Migration = {
  async up(db) {
    await createTable(
      db,
      "status_page_subscribers",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        page_id: "bigint",
        kind: "text",
        address: "text",
        address_hash: "text",
        secrets: "text?",
        components: "text?",
        language: "text",
        state: "text",
        question_hash: "text?",
        asked_at: "bigint?",
        confirmed_at: "bigint?",
        ended_reason: "text?",
        created_at: "bigint",
        updated_at: "bigint",
      },
      ["unique (uuid)", "unique (page_id, address_hash)", references("page_id", "status_pages")],
    );
    await createIndex(db, "index status_page_subscribers_page on status_page_subscribers (page_id, id)");
    await createIndex(
      db,
      "unique index status_page_subscribers_question on status_page_subscribers (question_hash) where question_hash is not null",
    );
    await createIndex(
      db,
      "index status_page_subscribers_waiting on status_page_subscribers (id) where state = 'waiting'",
    );
    await questions(db);
    await news(db);
    await deliveries(db);
  },
};

/** How often addresses were asked, of which no more than a hash is kept. */
async function questions(db: AnyDb): Promise<void> {
  await createTable(
    db,
    "status_page_questions",
    { id: "id", organization_id: "bigint", page_id: "bigint", address_hash: "text", at: "bigint" },
    [references("page_id", "status_pages")],
  );
  await createIndex(db, "index status_page_questions_address on status_page_questions (address_hash, at)");
  await createIndex(db, "index status_page_questions_page on status_page_questions (page_id, at)");
  await createIndex(db, "index status_page_questions_at on status_page_questions (at)");
}

async function news(db: AnyDb): Promise<void> {
  await createTable(
    db,
    "status_page_news",
    {
      id: "id",
      uuid: "text",
      organization_id: "bigint",
      page_id: "bigint",
      subject: "text",
      event: "text",
      content: "text",
      at: "bigint",
      told_to: "bigint?",
    },
    ["unique (uuid)", references("page_id", "status_pages")],
  );
  await createIndex(db, "index status_page_news_subject on status_page_news (page_id, subject, id)");
  await createIndex(db, "index status_page_news_open on status_page_news (id) where told_to is not null");
  await createTable(
    db,
    "status_page_told",
    { page_id: "bigint", organization_id: "bigint", told: "text?", look_at: "bigint" },
    ["primary key (page_id)", references("page_id", "status_pages")],
  );
  await createIndex(db, "index status_page_told_look on status_page_told (look_at)");
}

async function deliveries(db: AnyDb): Promise<void> {
  for (const column of ["subscriber_id", "news_id"]) {
    await sql`alter table outbox add column ${sql.ref(column)} bigint`.execute(db);
  }
  await createIndex(
    db,
    "index outbox_subscriber on outbox (subscriber_id, id) where subscriber_id is not null",
  );
  await createIndex(
    db,
    "index outbox_subscribers_waiting on outbox (organization_id, next_try_at) where state = 'waiting' and channel = 'subscriber'",
  );
}
