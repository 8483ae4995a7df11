import type {
  Overall,
  PublicComponent,
  PublicGroup,
  PublicIncident,
  PublicMaintenance,
  PublicPage,
  ShownStatus,
} from "../document/public-page.ts";
import { jsonOf, maintenanceChangedAt, pageChangedAt } from "./feeds.ts";
import type { View } from "./view.ts";
import { pageAddress } from "./view.ts";

/*
 * Atlassian's Statuspage API (https://metastatuspage.com/api/v2), so that its clients can read our pages.
 * Unknown values are null or false.
 */

/** Atlassian's format has no word for an unknown status. */
const COMPONENT_STATUSES: Record<ShownStatus, string> = {
  operational: "operational",
  degraded: "degraded_performance",
  outage: "major_outage",
  partial_outage: "partial_outage",
  maintenance: "under_maintenance",
  unknown: "operational",
  paused: "operational",
};

/** Clients compare these texts, so that no language changes them. */
const STATUSES: Record<Overall, { indicator: string; description: string }> = {
  operational: { indicator: "none", description: "All Systems Operational" },
  maintenance: { indicator: "maintenance", description: "Service Under Maintenance" },
  degraded: { indicator: "minor", description: "Partially Degraded Service" },
  partial_outage: { indicator: "major", description: "Partial System Outage" },
  major_outage: { indicator: "critical", description: "Major Service Outage" },
  unknown: { indicator: "none", description: "Status Unknown" },
};

/** As many as Atlassian lists. */
const MAX_INCIDENTS = 50;

type Part = (view: View) => object;

const PARTS = {
  status: ({ page }) => STATUSES[page.overall],
  components: ({ page }) => components(page),
  unresolved: (view) => view.page.incidents.map((one) => incident(view, one)),
  incidents: (view) =>
    [...view.page.incidents, ...view.page.history].slice(0, MAX_INCIDENTS).map((one) => incident(view, one)),
  active: (view) => maintenance(view, (one) => one.isRunning),
  upcoming: (view) => maintenance(view, (one) => !one.isRunning),
  planned: (view) => maintenance(view, () => true),
} satisfies Record<string, Part>;

/** By their content beside `page`. */
const FILES: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  summary: {
    components: PARTS.components,
    incidents: PARTS.unresolved,
    scheduled_maintenances: PARTS.planned,
    status: PARTS.status,
  },
  status: { status: PARTS.status },
  components: { components: PARTS.components },
  incidents: { incidents: PARTS.incidents },
  "incidents/unresolved": { incidents: PARTS.unresolved },
  "scheduled-maintenances": { scheduled_maintenances: PARTS.planned },
  "scheduled-maintenances/active": { scheduled_maintenances: PARTS.active },
  "scheduled-maintenances/upcoming": { scheduled_maintenances: PARTS.upcoming },
};

export const atlassianFiles = Object.entries(FILES).map(([name, parts]) => ({
  name,
  render(view: View): string {
    const own = Object.entries(parts).map(([part, of]) => [part, of(view)]);
    return jsonOf({ page: pageDetails(view), ...Object.fromEntries(own) });
  },
}));

const iso = (at: number) => new Date(at).toISOString();
const isoOrNull = (at: number | null) => (at === null ? null : iso(at));

const pageDetails = (view: View) => ({
  id: view.page.uuid,
  name: view.page.name,
  url: pageAddress(view),
  time_zone: view.page.timeZone,
  updated_at: iso(pageChangedAt(view.page)),
});

/** Groups are components, too, and come before their members. */
function components(page: PublicPage): object[] {
  return page.groups.flatMap((group, at) => {
    const id = group.name === null ? null : group.uuid;
    const members = group.components.map((one, place) => component(page, one, id, place + 1));
    return id === null ? members : [groupComponent(page, group, at + 1), ...members];
  });
}

const component = (page: PublicPage, one: PublicComponent, groupId: string | null, position: number) => ({
  id: one.uuid,
  name: one.name,
  status: COMPONENT_STATUSES[one.status],
  created_at: iso(one.since ?? pageChangedAt(page)),
  updated_at: iso(one.since ?? pageChangedAt(page)),
  position,
  description: one.description || null,
  showcase: one.uptime !== null,
  start_date: one.days?.[0]?.date ?? null,
  group_id: groupId,
  page_id: page.uuid,
  group: false,
  only_show_if_degraded: false,
});

function groupComponent(page: PublicPage, group: PublicGroup, position: number): object {
  const { components } = group;
  const changedAt = iso(Math.max(0, ...components.map(({ since }) => since ?? 0)) || pageChangedAt(page));
  return {
    id: group.uuid,
    name: group.name,
    status: COMPONENT_STATUSES[group.status],
    created_at: changedAt,
    updated_at: changedAt,
    position,
    description: null,
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: page.uuid,
    group: true,
    only_show_if_degraded: false,
    components: components.map(({ uuid }) => uuid),
  };
}

/** Their clients do not know `open`. */
const incidentStatus = (status: string) => (status === "open" ? "investigating" : status);

function incident(view: View, one: PublicIncident): object {
  const { page, words } = view;
  const monitoring = one.updates.findLast(({ status }) => status === "monitoring");
  return {
    id: one.uuid,
    name: words.sentence(one.title),
    status: incidentStatus(one.status),
    created_at: iso(one.startedAt),
    updated_at: iso(one.updatedAt),
    monitoring_at: isoOrNull(monitoring?.at ?? null),
    resolved_at: isoOrNull(one.resolvedAt),
    impact: one.impact,
    shortlink: pageAddress(view, `/incidents/${one.uuid}`),
    started_at: iso(one.startedAt),
    page_id: page.uuid,
    incident_updates: one.updates.map(({ uuid, status, text, at }) =>
      update({
        id: uuid,
        incidentId: one.uuid,
        status: incidentStatus(status),
        body: words.sentence(text),
        at,
      }),
    ),
    components: named(page, one.components),
  };
}

interface Update {
  id: string;
  incidentId: string;
  status: string;
  body: string;
  at: number;
}

const update = ({ id, incidentId, status, body, at }: Update) => ({
  id,
  status,
  body,
  incident_id: incidentId,
  created_at: iso(at),
  updated_at: iso(at),
  display_at: iso(at),
  affected_components: null,
  deliver_notifications: false,
  custom_tweet: null,
  tweet_id: null,
});

function named(page: PublicPage, wanted: readonly { uuid: string }[]): object[] {
  const ids = new Set(wanted.map(({ uuid }) => uuid));
  return (components(page) as { id: string }[]).filter(({ id }) => ids.has(id));
}

function maintenance(view: View, isWanted: (one: PublicMaintenance) => boolean): object[] {
  const { page } = view;
  return page.maintenance.filter(isWanted).map((one) => {
    const id = one.uuid;
    const status = one.isRunning ? "in_progress" : "scheduled";
    const changedAt = maintenanceChangedAt(one);
    return {
      id,
      name: view.words.sentence(one.title),
      status,
      created_at: iso(one.updatedAt),
      updated_at: iso(changedAt),
      monitoring_at: null,
      resolved_at: null,
      impact: "maintenance",
      shortlink: pageAddress(view),
      started_at: iso(one.startsAt),
      page_id: page.uuid,
      incident_updates: [update({ id, incidentId: id, status, body: one.description, at: changedAt })],
      components: named(page, one.components),
      scheduled_for: iso(one.startsAt),
      scheduled_until: iso(one.endsAt),
    };
  });
}
