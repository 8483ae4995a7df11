import type { Language } from "../../platform/i18n/languages.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { StatusPageTexts } from "../../platform/i18n/status-pages/en.ts";
import type { Impact } from "../../platform/states.ts";

export type MeasuredStatus = (typeof MEASURED_STATUSES)[number];
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
export type Overall = (typeof OVERALL_STATUSES)[number];

/** All that a visitor of a status page may get, and nothing else: whatever is sent to one is made from this. Times in milliseconds. */
export interface PublicPage {
  uuid: string;
  slug: string;
  name: string;
  /** Plain text. */
  description: string;
  /** The page's absolute address; null: none is known. */
  url: string | null;
  /** IANA zone, in which days begin. */
  timeZone: string;
  /** When this was read. */
  updatedAt: number;
  /** When what is set of the page was changed last. */
  changedAt: number;
  overall: Overall;
  /** In order. Components without a group are in one whose name is null. */
  groups: PublicGroup[];
  /** Open ones, newest first. */
  incidents: PublicIncident[];
  /** Resolved in the last 90 days, newest first. */
  history: PublicIncident[];
  /** Running ones, then those ahead (30 days), soonest first. */
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

/** Something as the page calls it. */
export interface ComponentName {
  /** The component's own, not the monitor's. */
  uuid: string;
  name: string;
}

/** A heading with its components; null: without one. */
export interface ComponentGroup {
  name: string | null;
  components: readonly ComponentName[];
}

export interface PublicComponent extends ComponentName {
  description: string;
  /** The worse of what is measured and what the open incidents say that people reported. */
  status: ShownStatus;
  /** Those incidents, by their uuids. */
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
  /** What of outages lies in the day, in order of time, at most its 10 longest; `to` null: it goes on. */
  outages: { from: number; to: number | null }[];
}

/** A sentence of ours, said in the visitor's language; what people wrote is a string. */
export type Said = string | MessageDescriptor<keyof StatusPageTexts>;

export interface PublicIncident {
  uuid: string;
  title: Said;
  impact: Impact;
  status: string;
  startedAt: number;
  resolvedAt: number | null;
  /** When its public contents last changed. */
  updatedAt: number;
  /** Only those of this page. */
  components: ComponentName[];
  /** Newest first, without an author. The text is empty where only the status changed. */
  updates: { uuid: string; at: number; status: string; text: Said }[];
  /** There were more updates than these. */
  hasOlder: boolean;
}

export interface PublicMaintenance {
  /** Each time of a window that recurs has its own. */
  uuid: string;
  title: Said;
  description: string;
  startsAt: number;
  endsAt: number;
  /** When it was planned, or changed last. */
  updatedAt: number;
  isRunning: boolean;
  components: ComponentName[];
}

export interface Appearance {
  theme: "auto" | "light" | "dark";
  /** `#rrggbb`: of links and of the line above the page; null: ours. */
  accent: string | null;
  /** Names the logo's picture; null: there is none. */
  logo: string | null;
  /** Safe HTML. */
  footer: string | null;
  /** Sanitised. */
  css: string | null;
  /** What the page offers, its own first; empty: all. */
  languages: Language[];
}

/** The status of a component by its checks; `paused`: it is not checked. */
export const MEASURED_STATUSES = [
  "operational",
  "degraded",
  "outage",
  "maintenance",
  "unknown",
  "paused",
] as const;

/** The public status of a component, including reported incidents, and of a group; `partial_outage`: a part of it is out. */
export const SHOWN_STATUSES = [...MEASURED_STATUSES, "partial_outage"] as const;

/** The status of a page as a whole: that of its worst component, or an outage of some or all of them. */
export const OVERALL_STATUSES = [
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
  "unknown",
] as const;
