import type { Generated } from "kysely";
import type { FigureColumn } from "../../page/contents/component-figures.ts";
import type { SwitchColumn, TextColumn } from "../../page/plain-settings.ts";
import type { SubscriberKind, SubscriberState } from "../../page/subscriber/kinds.ts";
import type { Language } from "../../texts/languages.ts";
import { table } from "../table.ts";
import type { Flag } from "./values.ts";

/** A status page. */
export interface StatusPageTable extends Record<TextColumn, string>, Record<SwitchColumn, Flag> {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** Null: nobody is asked for one. */
  password_hash: string | null;
  /** JSON array of networks (CIDR); empty: from everywhere. */
  allowed_networks: string;
  /** The host name at which it is served, in lower case: that of status_page_domains, once it is proved. */
  custom_domain: string | null;
  /** JSON of what differs from the usual (page/look/look.ts). */
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
export interface StatusPageComponentTable extends Record<FigureColumn, Flag> {
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
}

export interface StatusPageLogoTable {
  page_id: number;
  content_type: string;
  data: Uint8Array;
  /** Stands in its address. */
  hash: string;
}

/** Who is told what a page says. */
export interface StatusPageSubscriberTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  page_id: number;
  kind: SubscriberKind;
  /** Of e-mail the address, in lower case; of the others the host. */
  address: string;
  /** SHA-256 of kind and whole address, hex: each once a page. */
  address_hash: string;
  /** Encrypted JSON of where it leads (page/subscriber/address.ts); null for e-mail. */
  secrets: string | null;
  /** JSON array of the uuids of the components that they want to hear of; null: all. */
  components: string | null;
  language: Language;
  state: SubscriberState;
  /** SHA-256 of the token by which they say that they want it, hex. */
  question_hash: string | null;
  /** Null: nobody has asked them yet. */
  asked_at: number | null;
  confirmed_at: number | null;
  /** JSON of the fact why. */
  ended_reason: string | null;
  /** Who of the page's owners has added them; null: they have subscribed themselves. */
  added_by_id: number | null;
  created_at: number;
  updated_at: number;
}

/** That an address was asked whether it wants to be told, by no more than a keyed hash of it. */
export interface StatusPageQuestionTable {
  id: Generated<number>;
  organization_id: number;
  page_id: number;
  address_hash: string;
  at: number;
  /** 1: the page's owners had it asked; 0: a visitor. */
  is_listed: Generated<Flag>;
}

/** What a page's subscribers are told. */
export interface StatusPageNewsTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  page_id: number;
  /** The uuid of the incident or maintenance. */
  subject: string;
  event: string;
  /** JSON: of the public page, nothing else (page/subscriber/news.ts). */
  content: string;
  at: number;
  /** Up to which subscriber it is in the outbox; null: all of them. */
  told_to: number | null;
}

/** What was on a page when it was looked at for its subscribers. */
export interface StatusPageToldTable {
  page_id: number;
  organization_id: number;
  /** JSON; null: not looked at yet, so that nothing on it is news. */
  told: string | null;
  look_at: number;
}

/** The host name that a page claims. */
export interface StatusPageDomainTable {
  page_id: number;
  /** In lower case, as the DNS has it. */
  host: string;
  claimed_at: number;
  /** Null: nobody has looked yet. */
  checked_at: number | null;
  /** Null: only when somebody asks. */
  next_check_at: number | null;
  /** Since when it is no more as it was when it was proved. */
  failing_since: number | null;
  /** JSON: what the last look at the DNS found. */
  findings: string | null;
}

/** A slug that a page had before, at which it is found as long as no other page has it. */
export interface StatusPageFormerSlugTable {
  slug: string;
  organization_id: number;
  page_id: number;
  /** When the page had another one. */
  given_up_at: number;
}

/** What people prepare for telling visitors of incidents. */
export interface UpdateTemplateTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  name: string;
  /** JSON of its texts by language (page/update/template-text.ts). */
  texts: string;
  created_at: number;
  updated_at: number;
}

/** Tables of status pages. */
export const PAGE_TABLES = {
  update_templates: table<UpdateTemplateTable>({ tenant: "organization_id", retention: "kept" }),
  status_pages: table<StatusPageTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_groups: table<StatusPageGroupTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_components: table<StatusPageComponentTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_logos: table<StatusPageLogoTable>({
    tenant: { column: "page_id", of: "status_pages" },
    retention: "kept",
  }),
  status_page_subscribers: table<StatusPageSubscriberTable>({ tenant: "organization_id", retention: "kept" }),
  status_page_questions: table<StatusPageQuestionTable>({
    tenant: "organization_id",
    retention: { days: 2, since: "at" },
  }),
  status_page_news: table<StatusPageNewsTable>({
    tenant: "organization_id",
    // As long as what is sent of it.
    retention: { days: 30, since: "at" },
    backup: "not restored",
  }),
  status_page_told: table<StatusPageToldTable>({
    tenant: "organization_id",
    retention: "kept",
  }),
  status_page_former_slugs: table<StatusPageFormerSlugTable>({
    tenant: "organization_id",
    retention: "kept",
  }),
  status_page_domains: table<StatusPageDomainTable>({
    tenant: { column: "page_id", of: "status_pages" },
    retention: "kept",
  }),
};
