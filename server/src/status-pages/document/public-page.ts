import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { Language } from "../../platform/i18n/render.ts";
import type { StatusPageTexts } from "../../platform/i18n/status-pages/en.ts";
import type { Impact } from "../../platform/monitor-defaults.ts";

export type MeasuredStatus = (typeof MEASURED_STATUSES)[number];
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
export type Overall = (typeof OVERALL_STATUSES)[number];

/** All that visitors may know: everything sent to them is made from this. Times in milliseconds. */
export interface PublicPage {
  uuid: string;
  slug: string;
  name: string;
  /** Plain text. */
  description: string;
  /** Absolute; null: unknown. */
  url: string | null;
  /** IANA; days begin in it. */
  timeZone: string;
  updatedAt: number;
  /** Of the page's settings. */
  changedAt: number;
  overall: Overall;
  /** Ungrouped components are in one whose name is null. */
  groups: PublicGroup[];
  /** Newest first. */
  incidents: PublicIncident[];
  /** Resolved in the last 90 days, newest first. */
  history: PublicIncident[];
  /** Active ones, then those ahead (30 days), soonest first. */
  maintenance: PublicMaintenance[];
  appearance: Appearance;
}

export interface PublicGroup {
  uuid: string;
  name: string | null;
  isCollapsed: boolean;
  status: ShownStatus;
  components: PublicComponent[];
}

export interface ComponentName {
  /** The component's own, not the monitor's. */
  uuid: string;
  name: string;
}

export interface ComponentGroup {
  name: string | null;
  components: readonly ComponentName[];
}

export interface PublicComponent extends ComponentName {
  description: string;
  /** The worse of what is measured and what open incidents report. */
  status: ShownStatus;
  /** Uuids of those incidents. */
  incidents: string[];
  /** Null: longer than is known. */
  since: number | null;
  /** Percent over the days shown, two decimals, rounded down; null: not public, or nothing known. */
  uptime: number | null;
  /** Since when its uptime is known, where that is later than the days shown; null otherwise. */
  measuredSince: number | null;
  /** 90, oldest first, today last; null: not public. */
  days: PublicDay[] | null;
  /** Hourly medians of 24 hours; null: not public. */
  responseTimes: { at: number; ms: number | null }[] | null;
}

export interface PublicDay {
  /** `2026-11-23`, in the page's time zone. */
  date: string;
  /** The worst of the day. */
  status: MeasuredStatus | "no_data";
  uptime: number | null;
  /** Within the day, in order of time, at most the 10 longest; `to` null: ongoing. */
  outages: { from: number; to: number | null }[];
}

/** A message in the visitor's language; a person's own text is a string. */
export type Said = string | MessageDescriptor<keyof StatusPageTexts>;

export interface PublicIncident {
  uuid: string;
  title: Said;
  impact: Impact;
  status: string;
  startedAt: number;
  resolvedAt: number | null;
  updatedAt: number;
  /** Only those of this page. */
  components: ComponentName[];
  /** Newest first, without an author. The text is empty where only the status changed. */
  updates: { uuid: string; at: number; status: string; text: Said }[];
  hasOlder: boolean;
}

export interface PublicMaintenance {
  /** Each occurrence of a recurring window has its own. */
  uuid: string;
  title: Said;
  description: string;
  startsAt: number;
  endsAt: number;
  updatedAt: number;
  isRunning: boolean;
  components: ComponentName[];
}

export interface Appearance {
  theme: "auto" | "light" | "dark";
  /** `#rrggbb`; null: the default. */
  accent: string | null;
  /** Part of its address; null: there is none. */
  logo: string | null;
  /** Safe HTML. */
  footer: string | null;
  /** Sanitised. */
  css: string | null;
  /** In the page's order; empty: all. */
  languages: Language[];
}

export const MEASURED_STATUSES = [
  "operational",
  "degraded",
  "outage",
  "maintenance",
  "unknown",
  "paused",
] as const;

export const SHOWN_STATUSES = [...MEASURED_STATUSES, "partial_outage"] as const;

/** The worst component's, or an outage of some or all. */
export const OVERALL_STATUSES = [
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
  "unknown",
] as const;
