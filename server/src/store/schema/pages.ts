import type { Generated } from "kysely";
import { table } from "../table.ts";
import type { Flag } from "./values.ts";

/** A status page. */
export interface StatusPageTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  name: string;
  /** Its part of the address, in the whole installation. */
  slug: string;
  /** Plain text. */
  description: string;
  /** 0: for members of the organization only. */
  is_public: Flag;
  /** 1: outages are incidents of the page without anybody writing of them. */
  show_automatic: Flag;
  time_zone: string;
  /** Null: nobody is asked for one. */
  password_hash: string | null;
  /** JSON array of networks (CIDR); empty: from everywhere. */
  allowed_networks: string;
  /** Host name of its own, in lower case. */
  custom_domain: string | null;
  /** What the last look at the DNS found, and when. */
  domain_state: string | null;
  domain_checked_at: number | null;
  /** JSON of what differs from the usual (page/appearance.ts). */
  appearance: string;
  created_at: number;
  updated_at: number;
}

export interface StatusPageGroupTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  page_id: number;
  name: string;
  position: number;
  is_collapsed: Flag;
}

/** What a page shows of a monitor. */
export interface StatusPageComponentTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  page_id: number;
  monitor_id: number;
  group_id: number | null;
  /** Among those of its group, or of none. */
  position: number;
  /** What visitors read; the monitor's own name is never shown. */
  display_name: string;
  description: string;
  shows_uptime: Flag;
  shows_days: Flag;
  shows_response_times: Flag;
}

export interface StatusPageLogoTable {
  page_id: number;
  content_type: string;
  data: Uint8Array;
  /** Stands in its address. */
  hash: string;
}

/** Tables of status pages. */
export const PAGE_TABLES = {
  status_pages: table<StatusPageTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_groups: table<StatusPageGroupTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_components: table<StatusPageComponentTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_logos: table<StatusPageLogoTable>({
    tenant: { column: "page_id", of: "status_pages" },
    retention: "kept",
  }),
};
