import type { Coverable } from "../../engine/results/store-results.ts";
import { membersToName } from "../../incidents/group-words.ts";
import { isOfHealth, isTitleOfOlder } from "../../incidents/title-rules.ts";
import { covers } from "../../monitors/maintenance/active-windows.ts";
import { type Occurrence, occurrencesOf } from "../../monitors/maintenance/occurrences.ts";
import type { MaintenanceWindow } from "../../monitors/queries/maintenance-windows.ts";
import type { IncidentStatus } from "../../platform/monitor-defaults.ts";
import { derivedUuid } from "../page-url.ts";
import type { PageAffected, PageIncident, PageUpdate, PageUpdates } from "../queries/page-incidents.ts";
import type { ComponentName, PublicIncident, PublicMaintenance, Said } from "./public-page.ts";

/** By the new status; all other messages are not public. */
const PUBLIC_MESSAGES: ReadonlySet<string> = new Set(["incident.status_set", "incident.reopened"]);

interface IncidentToShow {
  incident: PageIncident;
  /** Of the whole incident, including monitors that are not on the page. */
  affected: readonly PageAffected[];
  updates: PageUpdates;
  /** By monitor. */
  names: ReadonlyMap<number, ComponentName>;
  flapping: ReadonlySet<number>;
  showAutomatic: boolean;
}

interface Outage {
  component: ComponentName;
  flapping: boolean;
  from: number;
  to: number | null;
}

/**
 * Null where the incident is not published. Automatic texts get the page's names and its components' outages
 * alone: others with the same cause are not disclosed.
 */
export function publicIncident(given: IncidentToShow): PublicIncident | null {
  const { incident, affected, showAutomatic } = given;
  const { publishedFrom } = given.updates;
  const outages = outagesOf(given);
  const isShown = incident.automatic && showAutomatic && !isOfHealthAlone(given);
  if (publishedFrom === null && !isShown) return null;
  const said = saidOf(given.updates, isShown ? 0 : (publishedFrom ?? 0));
  const components = componentsOf(given);
  const resolvedAt = resolutionOf(incident, outages, affected);
  const begins = outages.map(({ from }) => from);
  const startedAt = incident.automatic && begins.length > 0 ? Math.min(...begins) : incident.startedAt;
  const updates = updatesOf(incident, said, { outages: isShown ? outages : [], resolvedAt });
  return {
    uuid: incident.uuid,
    title: titleOf(given, { components, outages, isOver: resolvedAt !== null }),
    impact: incident.impact,
    status: resolvedAt === null ? incident.status : "resolved",
    startedAt,
    resolvedAt,
    updatedAt: Math.max(startedAt, resolvedAt ?? 0, ...updates.map(({ at }) => at)),
    components,
    updates,
    hasOlder: given.updates.hasOlder && (said[0]?.id ?? Infinity) > (publishedFrom ?? Infinity),
  };
}

/** A machine's load concerns only its operators; that it was offline is public. */
const isOfHealthAlone = (given: IncidentToShow): boolean => {
  const monitors = given.affected.filter(({ outageStartedAt }) => outageStartedAt !== null);
  const isShared = new Set(monitors.map(({ monitorId }) => monitorId)).size > 1;
  return isOfHealth(given.incident) && !isShared && !wasAway(given);
};

const wasAway = ({ affected, names, updates }: IncidentToShow): boolean =>
  updates.publishedFrom === null &&
  affected.some(({ monitorId, offline }) => monitorId !== null && names.has(monitorId) && offline !== null);

/** A state without text publishes nothing: it is shown where the incident was on the page already. */
const saidOf = ({ newest }: PageUpdates, from: number): PageUpdate[] =>
  newest.filter(({ id, descriptor: own }) => id >= from && (own === null || PUBLIC_MESSAGES.has(own.code)));

function componentsOf({ affected, names }: IncidentToShow): ComponentName[] {
  const found = affected.flatMap(({ monitorId }) => (monitorId === null ? [] : (names.get(monitorId) ?? [])));
  return [...new Set(found)];
}

const outagesOf = ({ affected, names, flapping, updates }: IncidentToShow): Outage[] =>
  (updates.publishedFrom === null ? affected.flatMap(timesAway) : affected).flatMap(
    ({ monitorId, outageStartedAt: from, outageEndedAt: to }) => {
      const component = monitorId === null ? undefined : names.get(monitorId);
      if (monitorId === null || !component || from === null) return [];
      return { component, flapping: flapping.has(monitorId), from, to };
    },
  );

/** For a device with critical health the times it was offline, otherwise the outage itself. */
export const timesAway = (one: PageAffected): PageAffected[] =>
  one.offline?.map(([from, to]) => ({
    ...{ ...one, offline: null, outageStartedAt: from },
    outageEndedAt: to ?? one.outageEndedAt,
  })) ?? [one];

/** For visitors it is over when all components of this page work again. */
function resolutionOf(
  incident: PageIncident,
  outages: readonly Outage[],
  affected: readonly PageAffected[],
): number | null {
  if (incident.resolvedAt !== null || !incident.automatic || outages.length === 0) return incident.resolvedAt;
  const isElsewhere = affected.some((one) => one.outageStartedAt !== null && one.outageEndedAt === null);
  const ends = outages.flatMap(({ to }) => to ?? []);
  return isElsewhere && ends.length === outages.length ? Math.max(...ends) : null;
}

/** A person's title, else one made from the page's names: the stored one names the monitor. */
function titleOf(
  given: IncidentToShow,
  {
    components,
    outages,
    isOver,
  }: { components: readonly ComponentName[]; outages: readonly Outage[]; isOver: boolean },
): Said {
  const { incident, affected } = given;
  const { automatic, title, titleMessage } = incident;
  const names = affected.map((one) => one.name);
  if (!automatic || (titleMessage === null && !isTitleOfOlder(title, names))) return title;
  // A reopened incident describes the former outages, unless something is down again.
  const { named, is } = membersToName(outages, ({ to }) => to === null && !isOver);
  const own = named.length > 0 ? named.map(({ component }) => component) : components;
  const [{ name } = { name: "" }, ...more] = new Set(own);
  if (isOfHealthAlone(given))
    return { code: isOver ? "automatic.degraded_over" : "automatic.degraded", params: { name } };
  if (more.length === 0) return { code: TITLE_OF_ONE[is], params: { name } };
  return { code: TITLE_OF_SEVERAL[is], params: { name, others: more.length } };
}

const TITLE_OF_ONE = {
  down: "automatic.down",
  flapping: "automatic.unstable",
  over: "automatic.down_over",
} as const;

const TITLE_OF_SEVERAL = {
  down: "automatic.down_several",
  flapping: "automatic.unstable_several",
  over: "automatic.down_several_over",
} as const;

export const uuidOfWriting = (incident: string, entryId: number): string =>
  derivedUuid(incident, `update ${entryId}`);

/** `component`: its uuid. */
export const uuidOfHappening = (
  incident: string,
  { component, what, from }: { component: string; what: "went_down" | "came_back"; from: number },
): string => derivedUuid(incident, `${component} ${what} ${from}`);

interface Happened {
  outages: readonly Outage[];
  resolvedAt: number | null;
}

/** Newest first. */
function updatesOf(
  { uuid }: PageIncident,
  said: readonly PageUpdate[],
  { outages, resolvedAt }: Happened,
): PublicIncident["updates"] {
  const written = said.map(({ id, at, status, message }) => ({
    ...{ uuid: uuidOfWriting(uuid, id), at, status, text: message ?? "" },
  }));
  const happened = outages.flatMap(({ component: { uuid: own, name }, flapping, from, to }) => {
    const eventOf = (what: "went_down" | "came_back", at: number) => ({
      ...{ uuid: uuidOfHappening(uuid, { component: own, what, from }), at, status: null },
      // "Not available" would contradict the title while it is up every other minute.
      text: {
        code: `automatic.${flapping && to === null ? "keeps_failing" : what}`,
        params: { name },
      } as const,
    });
    return [eventOf("went_down", from), ...(to === null ? [] : [eventOf("came_back", to)])];
  });
  let status: IncidentStatus = "open";
  return [...happened, ...written]
    .sort((a, b) => a.at - b.at)
    .map((update) => {
      const isOver = resolvedAt !== null && update.at >= resolvedAt;
      status = update.status ?? (isOver ? "resolved" : status);
      return { ...update, status };
    })
    .reverse();
}

const AHEAD_MS = 30 * 86_400_000;
/** Of a recurring window. */
const MAX_OF_A_WINDOW = 5;
/** Of a whole page. */
export const MAX_MAINTENANCE = 50;

interface MaintainedComponent {
  monitor: Coverable;
  component: ComponentName;
}

/** Active maintenance, then what is planned for the next 30 days, soonest first. */
export function publicMaintenance(
  windows: readonly MaintenanceWindow[],
  components: readonly MaintainedComponent[],
  now: number,
): PublicMaintenance[] {
  return windows
    .flatMap((window) => {
      const own = components.filter(({ monitor }) => covers(window, monitor));
      return own.length === 0 ? [] : timesOf(window, own, now);
    })
    .sort((a, b) => Number(b.isRunning) - Number(a.isRunning) || a.startsAt - b.startsAt)
    .slice(0, MAX_MAINTENANCE);
}

function timesOf(
  window: MaintenanceWindow,
  own: readonly MaintainedComponent[],
  now: number,
): PublicMaintenance[] {
  const { uuid, title, description, recurrence, updatedAt } = window;
  const components = own.map(({ component }) => component);
  return comingOf(window, now).map(({ startsAt, endsAt }) => ({
    ...{ description, startsAt, endsAt, updatedAt, components },
    title: title === "" ? { code: "maintenance.untitled" } : title,
    uuid: recurrence === null ? uuid : derivedUuid(uuid, startsAt),
    isRunning: startsAt <= now,
  }));
}

const comingOf = (window: MaintenanceWindow, now: number): Occurrence[] =>
  occurrencesOf(window).between(now, now + AHEAD_MS, MAX_OF_A_WINDOW);
