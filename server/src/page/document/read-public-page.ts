import { partition } from "../../partition.ts";
import type { Db } from "../../store/db.ts";
import { listOpenWindows } from "../../store/queries/maintenance-windows.ts";
import {
  findPageIncidents,
  listPageIncidents,
  type PageIncident,
} from "../../store/queries/page-incidents.ts";
import { readPageUpdates } from "../../store/queries/page-updates.ts";
import {
  type ComponentState,
  listPageAffected,
  readComponentStates,
} from "../../store/queries/public-pages.ts";
import {
  listComponents,
  listGroups,
  type PageComponent,
  type PageGroup,
} from "../../store/queries/status-page-components.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { pageUrl } from "../page-url.ts";
import { appearanceOf } from "./appearance.ts";
import { lastDays, PAGE_DAYS } from "./days.ts";
import { publicComponents, publicGroups, withReported } from "./public-components.ts";
import { publicIncident } from "./public-incidents.ts";
import { publicMaintenance } from "./public-maintenance.ts";
import type { ComponentName, PublicIncident, PublicPage } from "./public-page.ts";
import { overallOf } from "./rules.ts";

/** Of those that are open, and then of those that ended last, however long the page keeps them. */
const MAX_INCIDENTS = 300;
const NO_UPDATES = { newest: [], publishedFrom: null, hasOlder: false };

/** When it is, and where this installation is reached (VEDETTE_PUBLIC_URL). */
export interface ReadOptions {
  now: number;
  publicUrl: string | null;
  /** Uuids of incidents that are read although there are too many others. */
  also?: readonly string[];
}

/** What a page shows. */
interface Shown {
  groups: readonly PageGroup[];
  components: readonly PageComponent[];
}

/**
 * All that visitors may know of a page: the only way from the store to them. A dozen statements, and one more for every 20
 * of its incidents. Whether the one who asks may know it is for `admit` to say. `draft`: what it would show, in place of what is stored.
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

/**
 * What visitors read of one incident, however many others there are; null: nothing. `components`: of the page, those of what
 * it affects.
 */
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

/** The page's components by their monitors, and those of these that flap. */
interface Monitors {
  names: ReadonlyMap<number, ComponentName>;
  flapping: ReadonlySet<number>;
}

/** The incidents that the page tells of, newest first: those that are open, or were since then. `isReported`: by a person. */
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
