import { Type } from "typebox";
import { readRollups } from "../../engine/queries/rollups.ts";
import { statusHistory } from "../../engine/queries/transitions.ts";
import { bucketStart } from "../../engine/results/precision.ts";
import type { StatusChange } from "../../engine/status/uptime.ts";
import { listOpenWindows } from "../../monitors/queries/maintenance-windows.ts";
import { percentile } from "../../platform/database/histogram.ts";
import type { Db } from "../../platform/database/schema.ts";
import { notFound } from "../../platform/errors.ts";
import type { LookSettings } from "../../platform/formats/contrast.ts";
import { html } from "../../platform/formats/html.ts";
import { markdown } from "../../platform/formats/markdown.ts";
import { partition } from "../../platform/lru-cache.ts";
import { verb } from "../../platform/operations/operation.ts";
import { admit, lockedPage } from "../access/admit.ts";
import { inGroups } from "../contents/arrangement.ts";
import { readCss } from "../look/read-css.ts";
import { pageUrl } from "../page-url.ts";
import {
  type ComponentState,
  findPageIncidents,
  listPageAffected,
  listPageIncidents,
  type PageIncident,
  readComponentStates,
  readPageUpdates,
} from "../queries/page-incidents.ts";
import {
  listComponents,
  listGroups,
  type PageComponent,
  type PageGroup,
} from "../queries/status-page-components.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import { wordsFor } from "../render/view.ts";
import { PublicStatusPage, projectPublicPage } from "../schemas/public-page.ts";
import { publicIncident, publicMaintenance } from "./public-incidents.ts";
import type {
  Appearance,
  ComponentName,
  MeasuredStatus,
  PublicComponent,
  PublicGroup,
  PublicIncident,
  PublicPage,
} from "./public-page.ts";
import {
  type CalendarDay,
  componentStatus,
  groupStatus,
  lastDays,
  MEASURED_STATUS_OF,
  measuredSince,
  overallOf,
  PAGE_DAYS,
  publicDays,
  reportedStatus,
  uptimeOverDays,
} from "./rules.ts";

/** Open ones, then those that ended last. */
const MAX_INCIDENTS = 300;
const NO_UPDATES = { newest: [], publishedFrom: null, hasOlder: false };

interface ReadOptions {
  now: number;
  publicUrl: string | null;
  /** Uuids of incidents that are read beyond the limit. */
  also?: readonly string[];
}

interface Shown {
  groups: readonly PageGroup[];
  components: readonly PageComponent[];
}

/**
 * The only way from the store to visitors; access is decided by `admit`. A dozen statements, and one more for
 * every 20 incidents. `draft`: shown in place of what is stored.
 */
export async function readPublicPage(
  db: Db,
  page: StatusPage,
  { now, publicUrl, also = [] }: ReadOptions,
  draft?: Shown,
): Promise<PublicPage> {
  const days = lastDays(now, page.timeZone, PAGE_DAYS);
  const { groups, components } = draft ?? (await readShown(db, page));
  const monitorIds = components.map(({ monitorId }) => monitorId);
  const states = await readComponentStates(db, monitorIds);
  const measured = await publicComponents(db, components, states, { now, days });
  const names = namesOf(components);
  const flapping = flappingAmong(states);
  const incidents = await readIncidents(db, page, { names, flapping, since: days[0]?.from ?? now, also });
  const [open, history] = partition(incidents, ({ shown: { resolvedAt } }) => resolvedAt === null);
  const reported = open.flatMap((one) => (one.isReported ? one.shown : []));
  const { uuid, slug, name, description, timeZone, updatedAt: changedAt } = page;
  return {
    ...{ uuid, slug, name, description, timeZone, changedAt, url: pageUrl(page, publicUrl), updatedAt: now },
    appearance: appearanceOf(page.look, page.logo),
    overall: overallOf(
      measured.map(({ status }) => status),
      reported.map(({ impact }) => impact),
    ),
    groups: publicGroups(
      page,
      groups,
      withReported(measured, reported).map((one, at) => ({
        ...one,
        groupId: components[at]?.groupId ?? null,
      })),
    ),
    incidents: open.map((one) => one.shown),
    history: history.map((one) => one.shown),
    maintenance: publicMaintenance(
      await listOpenWindows(db, now, page.organizationId),
      [...states.values()].flatMap(({ monitorId, tags }) => {
        const component = names.get(monitorId);
        const { organizationId } = page;
        return component ? { component, monitor: { monitorId, organizationId, tags } } : [];
      }),
      now,
    ),
  };
}

/** Null: not public. `components`: the page's, of what the incident affects. */
export async function readPublicIncident(
  db: Db,
  page: StatusPage,
  { components, uuid, now }: { components: readonly PageComponent[]; uuid: string; now: number },
): Promise<PublicIncident | null> {
  const names = namesOf(components);
  const since = lastDays(now, page.timeZone, PAGE_DAYS)[0]?.from ?? now;
  const found = await findPageIncidents(db, { page, monitorIds: [...names.keys()], since, uuids: [uuid] });
  const flapping = flappingAmong(await readComponentStates(db, [...names.keys()]));
  const [one] = await showIncidents(db, page, { names, flapping }, found);
  return one?.shown ?? null;
}

const namesOf = (components: readonly PageComponent[]): ReadonlyMap<number, ComponentName> =>
  new Map(components.map(({ monitorId, uuid, displayName: name }) => [monitorId, { uuid, name }]));

const flappingAmong = (states: ReadonlyMap<number, ComponentState>): ReadonlySet<number> =>
  new Set([...states.values()].flatMap(({ monitorId, flapping }) => (flapping ? monitorId : [])));

const readShown = async (db: Db, { id }: StatusPage): Promise<Shown> => ({
  groups: await listGroups(db, [id]),
  components: await listComponents(db, [id]),
});

interface Monitors {
  names: ReadonlyMap<number, ComponentName>;
  flapping: ReadonlySet<number>;
}

/** Newest first: open ones, and those that ended since. `isReported`: by a person. */
async function readIncidents(
  db: Db,
  page: StatusPage,
  { names, flapping, since, also }: Monitors & { since: number; also: readonly string[] },
): Promise<{ shown: PublicIncident; isReported: boolean }[]> {
  const monitorIds = [...names.keys()];
  if (monitorIds.length === 0) return [];
  const which = { page, monitorIds, since };
  const newest = await listPageIncidents(db, { ...which, limit: MAX_INCIDENTS });
  const read = new Set(newest.map(({ uuid }) => uuid));
  const more = await findPageIncidents(db, { ...which, uuids: also.filter((uuid) => !read.has(uuid)) });
  return showIncidents(db, page, { names, flapping }, [...newest, ...more]);
}

async function showIncidents(
  db: Db,
  page: StatusPage,
  { names, flapping }: Monitors,
  found: readonly PageIncident[],
): Promise<{ shown: PublicIncident; isReported: boolean }[]> {
  const incidentIds = found.map(({ id }) => id);
  if (incidentIds.length === 0) return [];
  const affected = Map.groupBy(await listPageAffected(db, incidentIds), ({ incidentId }) => incidentId);
  const updates = await readPageUpdates(db, { pageId: page.id, incidentIds });
  return found
    .flatMap((incident) => {
      const { id } = incident;
      const own = { affected: affected.get(id) ?? [], updates: updates.get(id) ?? NO_UPDATES };
      const shown = publicIncident({ incident, ...own, names, flapping, showAutomatic: page.showAutomatic });
      return shown ? { shown, isReported: !incident.automatic } : [];
    })
    .sort((a, b) => b.shown.startedAt - a.shown.startedAt);
}

/** Style sheets are filtered again, since the allowed list may have changed. */
export function appearanceOf(
  { theme, accent, footer, css, languages }: LookSettings,
  logo: string | null,
): Appearance {
  return {
    ...{ theme, accent, logo, languages },
    footer: html`${markdown(footer)}`.text || null,
    css: readCss(css).css || null,
  };
}

const HOUR_SECONDS = 3_600;
const HOUR_MS = HOUR_SECONDS * 1000;
const HOURS = 24;

interface Span {
  now: number;
  days: readonly CalendarDay[];
}

type MeasuredComponent = PublicComponent & { status: MeasuredStatus };

/** In the same order. */
async function publicComponents(
  db: Db,
  components: readonly PageComponent[],
  states: ReadonlyMap<number, ComponentState>,
  span: Span,
): Promise<MeasuredComponent[]> {
  const monitorIds = components.map(({ monitorId }) => monitorId);
  const histories = await statusHistory(db, monitorIds, span.days[0]?.from ?? span.now, span.now);
  const medians = await hourlyMedians(db, components, span.now);
  return components.map((component) => {
    const { monitorId, uuid, displayName: name, description, showsDays, showsUptime } = component;
    const history = histories.get(monitorId) ?? [];
    const state = states.get(monitorId);
    const status = state ? componentStatus(state) : "unknown";
    return {
      ...{ uuid, name, description, status, incidents: [] },
      since: sinceWhen(status, state, { history, from: span.days[0]?.from ?? span.now }),
      uptime: showsUptime ? uptimeOverDays(history, span.days, span.now) : null,
      measuredSince: showsUptime ? measuredSince(history, span.days) : null,
      days: showsDays ? publicDays(history, span.days, span.now) : null,
      responseTimes: medians.get(monitorId) ?? null,
    };
  });
}

/** `reported`: the open incidents. */
const withReported = (
  components: readonly MeasuredComponent[],
  reported: readonly PublicIncident[],
): PublicComponent[] =>
  components.map((component) => {
    const own = reported.filter((one) => one.components.some(({ uuid }) => uuid === component.uuid));
    const status = reportedStatus(
      component.status,
      own.map(({ impact }) => impact),
    );
    const causes = own.filter(({ impact }) => reportedStatus("unknown", [impact]) === status);
    const since =
      status === component.status ? component.since : Math.min(...causes.map(({ startedAt }) => startedAt));
    return { ...component, status, since, incidents: own.map(({ uuid }) => uuid) };
  });

/** From the history or, where that begins later, from the state. */
function sinceWhen(
  status: MeasuredStatus,
  state: ComponentState | undefined,
  { history, from }: { history: readonly StatusChange[]; from: number },
): number | null {
  let since: number | null = null;
  for (const { at, ...change } of history.toReversed()) {
    const was = change.maintenance ? "maintenance" : MEASURED_STATUS_OF[change.status];
    if (was !== (status === "paused" ? "unknown" : status)) return since;
    since = at;
  }
  if (since === null || since > from) return since;
  const isSteady = status !== "maintenance" && state !== undefined && state.statusSince !== null;
  return isSteady ? Math.min(since, state.statusSince as number) : null;
}

/** By monitor, of components that show them. */
async function hourlyMedians(
  db: Db,
  components: readonly PageComponent[],
  now: number,
): Promise<Map<number, NonNullable<PublicComponent["responseTimes"]>>> {
  const monitorIds = components.flatMap((one) => (one.showsResponseTimes ? one.monitorId : []));
  if (monitorIds.length === 0) return new Map();
  const from = bucketStart(now, HOUR_SECONDS) - (HOURS - 1) * HOUR_MS;
  const points = await readRollups(db, {
    ...{ monitorIds, from, to: now + 1, periodSeconds: HOUR_SECONDS },
    groupBy: "monitor_bucket",
    histograms: true,
  });
  const medians = new Map(
    points.map(({ monitorId, bucketAt, histogram }) => [
      `${monitorId} ${bucketAt}`,
      percentile(histogram, 50),
    ]),
  );
  const hours = Array.from({ length: HOURS }, (_, hour) => from + hour * HOUR_MS);
  return new Map(
    monitorIds.map((id) => [
      id,
      hours.map((at) => ({ at, ms: wholeMs(medians.get(`${id} ${at}`) ?? null) })),
    ]),
  );
}

/** Buckets of a histogram are 4 % wide: more digits would be noise. */
const wholeMs = (us: number | null): number | null =>
  us === null ? null : Math.max(1, Math.round(us / 1000));

/** Ungrouped components first, if any. Empty groups are left out. */
function publicGroups(
  page: { uuid: string },
  groups: readonly PageGroup[],
  components: readonly (PublicComponent & { groupId: number | null })[],
): PublicGroup[] {
  return inGroups(groups, components).map(({ group, items }) => {
    const { uuid, name, isCollapsed } = group ?? { uuid: page.uuid, name: null, isCollapsed: false };
    const status = groupStatus(items.map((one) => one.status));
    return { uuid, name, isCollapsed, status, components: items.map(({ groupId: _, ...one }) => one) };
  });
}

/** For programs. Throws 404 for an unknown or hidden page, 401 for one that requires a password. */
export const getPublicPage = verb({
  resource: null,
  action: "read",
  by: "anyone",
  input: Type.Object({
    slug: Type.String({ description: "Of the page.", examples: ["example"] }),
  }),
  output: PublicStatusPage,
  async run({ db, clock, secrets, visitor }, { slug }) {
    const { address, signedIn = async () => null, atPage, readPage, language = "en" } = visitor;
    const cached = await readPage?.(slug);
    if (!cached) throw notFound();
    const { page, document } = cached;
    const admission = await admit({ db, clock, secrets }, page, atPage ?? { address, signedIn });
    if (admission === "hidden") throw notFound();
    if (admission === "locked") throw lockedPage();
    return projectPublicPage(document, wordsFor(language, page.timeZone).sentence);
  },
});
