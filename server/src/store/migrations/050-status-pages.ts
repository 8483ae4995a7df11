import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";
import type { AnyDb } from "../dialect.ts";

/** Status pages with what they show, and which of them an update of an incident goes to. */
export const statusPages: Migration = {
  async up(db) {
    await createTable(
      db,
      "status_pages",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        name: "text",
        slug: "text",
        description: "text",
        is_public: "integer",
        show_automatic: "integer",
        time_zone: "text",
        password_hash: "text?",
        allowed_networks: "text",
        custom_domain: "text?",
        domain_state: "text?",
        domain_checked_at: "bigint?",
        appearance: "text",
        created_at: "bigint",
        updated_at: "bigint",
      },
      [
        "unique (uuid)",
        "unique (slug)",
        "unique (custom_domain)",
        references("organization_id", "organizations"),
      ],
    );
    await createIndex(db, "index status_pages_organization on status_pages (organization_id, id)");
    await components(db);
    await publishing(db);
  },
};

async function components(db: AnyDb): Promise<void> {
  await createTable(
    db,
    "status_page_groups",
    {
      id: "id",
      uuid: "text",
      organization_id: "bigint",
      page_id: "bigint",
      name: "text",
      position: "integer",
      is_collapsed: "integer",
    },
    ["unique (uuid)", references("page_id", "status_pages")],
  );
  await createIndex(db, "index status_page_groups_page on status_page_groups (page_id)");
  await createTable(
    db,
    "status_page_components",
    {
      id: "id",
      uuid: "text",
      organization_id: "bigint",
      page_id: "bigint",
      monitor_id: "bigint",
      group_id: "bigint?",
      position: "integer",
      display_name: "text",
      description: "text",
      shows_uptime: "integer",
      shows_days: "integer",
      shows_response_times: "integer",
    },
    [
      "unique (uuid)",
      "unique (page_id, monitor_id)",
      references("page_id", "status_pages"),
      references("monitor_id", "monitors"),
      "foreign key (group_id) references status_page_groups (id) on delete set null",
    ],
  );
  await createIndex(db, "index status_page_components_monitor on status_page_components (monitor_id)");
  await createIndex(db, "index status_page_components_group on status_page_components (group_id)");
  await createTable(
    db,
    "status_page_logos",
    { page_id: "bigint", content_type: "text", data: "blob", hash: "text" },
    ["primary key (page_id)", references("page_id", "status_pages")],
  );
}

/** What was written before there were status pages was not written for them. */
async function publishing(db: AnyDb): Promise<void> {
  await sql`alter table incident_updates add column pages text`.execute(db);
  await sql`alter table incident_updates add column is_opening integer not null default 0`.execute(db);
  await sql`update incident_updates set pages = '[]'`.execute(db);
}
