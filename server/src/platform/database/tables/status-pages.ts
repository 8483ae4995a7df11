import type { Language } from "../../i18n/render.ts";
import { bigint, blob, flag, id, integer, type RowOf, table, text } from "../table.ts";

export const PAGE_TABLES = {
  update_templates: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      name: text(),
      /** JSON of its texts by language (status-pages/update/template-text.ts). */
      texts: text(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      update_templates_organization: "(organization_id, id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  status_pages: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      // Each setting of status-pages/plain-settings.ts.
      name: text(),
      slug: text().unique(),
      description: text(),
      time_zone: text(),
      is_public: flag(),
      show_automatic: flag(),
      /** Null: no password is required. */
      password_hash: text().nullable(),
      /** JSON array of networks (CIDR); empty: from everywhere. */
      allowed_networks: text(),
      /** The host name at which it is served, in lower case: that of status_page_domains, once it is proved. */
      custom_domain: text().nullable().unique(),
      /** JSON of what differs from the usual (platform/formats/contrast.ts). */
      appearance: text(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      status_pages_organization: "(organization_id, id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  status_page_groups: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint(),
      page_id: bigint().references("status_pages"),
      name: text(),
      position: integer(),
      is_collapsed: flag(),
    },
    indexes: {
      status_page_groups_page: "(page_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** What a page shows of a monitor. */
  status_page_components: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint(),
      page_id: bigint().references("status_pages"),
      monitor_id: bigint().references("monitors"),
      group_id: bigint().nullable().references("status_page_groups", "set null"),
      /** Among those of its group, or of none. */
      position: integer(),
      /** What visitors read; the monitor's own name is never shown. */
      display_name: text(),
      description: text(),
      // Each figure of status-pages/contents/component-metrics.ts.
      shows_uptime: flag(),
      shows_days: flag(),
      shows_response_times: flag(),
    },
    unique: [["page_id", "monitor_id"]],
    indexes: {
      status_page_components_monitor: "(monitor_id)",
      status_page_components_group: "(group_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  status_page_logos: table({
    columns: {
      page_id: bigint().references("status_pages"),
      content_type: text(),
      data: blob(),
      /** Part of its address. */
      hash: text(),
    },
    primaryKey: ["page_id"],
    tenant: { column: "page_id", of: "status_pages" },
    retention: "until deleted",
  }),
  status_page_subscribers: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint(),
      page_id: bigint().references("status_pages"),
      kind: text<"email" | "webhook" | "slack">(),
      /** Of e-mail the address, in lower case; of the others the host. */
      address: text(),
      /** SHA-256 of kind and whole address, hex: each once a page. */
      address_hash: text(),
      /** Encrypted JSON of where it leads (status-pages/subscriber/address.ts); null for e-mail. */
      secrets: text().nullable(),
      /** JSON array of the uuids of the components that they subscribe to; null: all. */
      components: text().nullable(),
      language: text<Language>(),
      state: text<"active" | "waiting" | "ended">(),
      /** SHA-256 of the token by which they say that they want it, hex. */
      confirmation_hash: text().nullable(),
      /** Null: consent has not been requested yet. */
      confirmation_requested_at: bigint().nullable(),
      confirmed_at: bigint().nullable(),
      /** JSON of the message descriptor that says why. */
      ended_reason: text().nullable(),
      /** Who of the page's owners has added them; null: they have subscribed themselves. */
      added_by_id: bigint().nullable().references("users", "set null"),
      created_at: bigint(),
      updated_at: bigint(),
    },
    unique: [["page_id", "address_hash"]],
    indexes: {
      status_page_subscribers_page: "(page_id, id)",
      status_page_subscribers_confirmation: "unique (confirmation_hash) where confirmation_hash is not null",
      status_page_subscribers_waiting: "(id) where state = 'waiting'",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  status_page_confirmation_requests: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      page_id: bigint().references("status_pages"),
      address_hash: text(),
      at: bigint(),
      /** 1: caused by the page's owners; 0: by a visitor. */
      is_listed: flag().default(0),
    },
    indexes: {
      status_page_confirmation_requests_address: "(address_hash, at)",
      status_page_confirmation_requests_page: "(page_id, at)",
      status_page_confirmation_requests_at: "(at)",
    },
    tenant: "organization_id",
    retention: { days: 2, since: "at" },
  }),
  status_page_notifications: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint(),
      page_id: bigint().references("status_pages"),
      /** The uuid of the incident or maintenance. */
      subject: text(),
      event: text(),
      /** JSON: of the public page, nothing else (status-pages/subscriber/page-notification.ts). */
      content: text(),
      at: bigint(),
      /** Up to which subscriber it is in the outbox; null: all of them. */
      notified_up_to: bigint().nullable(),
    },
    indexes: {
      status_page_notifications_subject: "(page_id, subject, id)",
      status_page_notifications_open: "(id) where notified_up_to is not null",
      status_page_notifications_by_age: "(at)",
    },
    tenant: "organization_id",
    // As long as what is sent of it.
    retention: { days: 30, since: "at" },
    backup: "not restored",
  }),
  status_page_snapshots: table({
    columns: {
      page_id: bigint().references("status_pages"),
      organization_id: bigint(),
      /** JSON; null: not read yet, so that nothing on it is new. */
      snapshot: text().nullable(),
      look_at: bigint(),
    },
    primaryKey: ["page_id"],
    indexes: {
      status_page_snapshots_due: "(look_at)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** A slug that a page had before, at which it is found as long as no other page has it. */
  status_page_former_slugs: table({
    columns: {
      slug: text(),
      organization_id: bigint(),
      page_id: bigint().references("status_pages"),
      /** When the page had another one. */
      given_up_at: bigint(),
    },
    primaryKey: ["slug"],
    indexes: {
      status_page_former_slugs_page: "(page_id, given_up_at)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** The host name that a page claims. Others may claim the same: status_pages.custom_domain is unique, and only once it is proved. */
  status_page_domains: table({
    columns: {
      page_id: bigint().references("status_pages"),
      /** In lower case, as the DNS has it. */
      host: text(),
      claimed_at: bigint(),
      /** Null: not checked yet. */
      checked_at: bigint().nullable(),
      /** Null: only on request. */
      next_check_at: bigint().nullable(),
      /** Since when it is no more as it was when it was proved. */
      failing_since: bigint().nullable(),
      /** JSON: what the last look at the DNS found. */
      findings: text().nullable(),
    },
    primaryKey: ["page_id"],
    indexes: {
      status_page_domains_due: "(next_check_at) where next_check_at is not null",
    },
    tenant: { column: "page_id", of: "status_pages" },
    retention: "until deleted",
  }),
};

export type StatusPageTable = RowOf<(typeof PAGE_TABLES)["status_pages"]>;
export type StatusPageSubscriberTable = RowOf<(typeof PAGE_TABLES)["status_page_subscribers"]>;
export type StatusPageDomainTable = RowOf<(typeof PAGE_TABLES)["status_page_domains"]>;
