import type { PublicIncident, PublicMaintenance, PublicPage } from "../public-page.ts";

/** What subscribers are told of. */
export const NEWS_EVENTS = [
  "incident.opened",
  "incident.updated",
  "incident.resolved",
  "maintenance.planned",
  "maintenance.started",
  "maintenance.ended",
] as const;
export type NewsEvent = (typeof NEWS_EVENTS)[number];

/** What a page's subscribers are told: of the public page, and nothing that is not on it. */
export interface PageNews {
  event: NewsEvent;
  /** Of `maintenance.…` null. */
  incident: PublicIncident | null;
  maintenance: PublicMaintenance | null;
  /** Uuids of the updates that they were not told of yet. */
  fresh: string[];
}

interface ToldIncident {
  /** When they were told last. */
  at: number;
  isResolved: boolean;
  updates: string[];
}

interface ToldMaintenance {
  at: number;
  shown: PublicMaintenance;
}

/** What subscribers know of a page, by uuids. */
export interface Told {
  /** When the page was read. */
  readAt: number;
  incidents: Record<string, ToldIncident>;
  maintenance: Record<string, ToldMaintenance>;
}

/** Of one thing they are told no more often; what comes meanwhile is told together. */
const PAUSE_MS = 60_000;
/** What is older is no news. */
const FRESH_MS = 86_400_000;

/** What has come to a page since `told`, what is known then, and when there may be more without anything happening. */
export interface Look {
  news: PageNews[];
  told: Told;
  again: number;
}

/** What is on the page, as if all of it had been told. */
export const toldOf = (page: PublicPage): Told => ({
  readAt: page.updatedAt,
  incidents: Object.fromEntries(
    [...page.incidents, ...page.history].map((one) => [one.uuid, knownOf(one, 0)]),
  ),
  maintenance: Object.fromEntries(page.maintenance.map((shown) => [shown.uuid, { at: 0, shown }])),
});

const knownOf = ({ resolvedAt, updates }: PublicIncident, at: number): ToldIncident => ({
  ...{ at, isResolved: resolvedAt !== null, updates: updates.map(({ uuid }) => uuid) },
});

/** Compares a page with what its subscribers know of it. */
export function lookAt(page: PublicPage, told: Told): Look {
  const now = page.updatedAt;
  const known = toldOf(page);
  const found: { news: PageNews; at: number }[] = [];
  let again = Number.POSITIVE_INFINITY;
  /** Keeps what was known of something that is told of later. */
  const wait = (since: number) => void (again = Math.min(again, since + PAUSE_MS));
  for (const incident of [...page.incidents, ...page.history]) {
    const before = told.incidents[incident.uuid];
    const news = newsOfIncident(incident, before, now);
    const own = known.incidents[incident.uuid] as ToldIncident;
    own.at = before?.at ?? 0;
    if (!news) continue;
    if (before && now < before.at + PAUSE_MS) {
      known.incidents[incident.uuid] = before;
      wait(before.at);
    } else {
      own.at = now;
      found.push({ news, at: incident.updatedAt });
    }
  }
  // What is gone for a while, and then there again, is not new.
  for (const [uuid, own] of Object.entries(told.incidents)) {
    if (own.at > now - FRESH_MS) known.incidents[uuid] ??= own;
  }
  for (const { news, before } of newsOfMaintenance(page, told, now)) {
    const { uuid } = news.maintenance as PublicMaintenance;
    const own = known.maintenance[uuid];
    if (before && now < before.at + PAUSE_MS) {
      known.maintenance[uuid] = before;
      wait(before.at);
    } else {
      if (own) own.at = now;
      found.push({ news, at: now });
    }
  }
  const news = found.sort((a, b) => a.at - b.at).map((one) => one.news);
  return { news, told: known, again: Math.min(again, nextEdge(page, now)) };
}

/** What is new of an incident; null: nothing, or nothing recent. */
function newsOfIncident(
  incident: PublicIncident,
  before: ToldIncident | undefined,
  now: number,
): PageNews | null {
  const { resolvedAt, updates, updatedAt, startedAt } = incident;
  const known = new Set(before?.updates);
  const fresh = updates.filter(({ uuid }) => !known.has(uuid));
  const isResolved = resolvedAt !== null;
  const hasTurned = before !== undefined && before.isResolved !== isResolved;
  if (before && fresh.length === 0 && !hasTurned) return null;
  const newest = Math.max(startedAt, updatedAt, ...fresh.map(({ at }) => at));
  if (newest < now - FRESH_MS) return null;
  const event = eventOf(before, isResolved);
  return { event, incident, maintenance: null, fresh: fresh.map(({ uuid }) => uuid) };
}

function eventOf(before: ToldIncident | undefined, isResolved: boolean): NewsEvent {
  if (isResolved && !before?.isResolved) return "incident.resolved";
  return before ? "incident.updated" : "incident.opened";
}

interface FoundMaintenance {
  news: PageNews;
  before: ToldMaintenance | undefined;
}

const maintenanceNews = (event: NewsEvent, maintenance: PublicMaintenance): PageNews => ({
  ...{ event, incident: null, maintenance, fresh: [] },
});

/** What was planned or moved lately, has begun, or is over. */
function newsOfMaintenance(page: PublicPage, told: Told, now: number): FoundMaintenance[] {
  const announced = new Set<string>();
  const found = page.maintenance.flatMap((shown): FoundMaintenance[] => {
    const before = told.maintenance[shown.uuid];
    if (shown.isRunning) {
      return before?.shown.isRunning ? [] : [{ news: maintenanceNews("maintenance.started", shown), before }];
    }
    const isMoved = before && before.shown.startsAt !== shown.startsAt;
    const isLonger = before && before.shown.endsAt !== shown.endsAt;
    if (before && !isMoved && !isLonger) return [];
    // Each time of a window that recurs comes into sight a month ahead, which is not when it was planned; and the first says it.
    const window = `${shown.updatedAt} ${shown.title}`;
    if (shown.updatedAt < now - FRESH_MS || shown.updatedAt < told.readAt - PAUSE_MS) return [];
    if (announced.has(window)) return [];
    announced.add(window);
    return [{ news: maintenanceNews("maintenance.planned", shown), before }];
  });
  return [...found, ...endedMaintenance(page, told)];
}

/** What was under way and is not any more, of what the page still shows. */
function endedMaintenance(page: PublicPage, told: Told): FoundMaintenance[] {
  const shownNow = new Set(page.maintenance.map(({ uuid }) => uuid));
  const names = new Map(
    page.groups.flatMap(({ components }) => components.map(({ uuid, name }) => [uuid, name])),
  );
  return Object.values(told.maintenance).flatMap(({ shown, at }): FoundMaintenance[] => {
    if (!shown.isRunning || shownNow.has(shown.uuid)) return [];
    const components = shown.components.flatMap(({ uuid }) => {
      const name = names.get(uuid);
      return name === undefined ? [] : { uuid, name };
    });
    if (components.length === 0) return [];
    const ended = { ...shown, components, isRunning: false, endsAt: Math.min(shown.endsAt, page.updatedAt) };
    return [{ news: maintenanceNews("maintenance.ended", ended), before: { at, shown } }];
  });
}

/** When maintenance begins or ends next. */
const nextEdge = ({ maintenance }: PublicPage, now: number): number =>
  Math.min(
    ...maintenance
      .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
      .filter((at) => at > now)
      .concat(Number.POSITIVE_INFINITY),
  );

/** Whether somebody who chose these components (null: all) wants to hear of it. */
export function concerns(
  { incident, maintenance }: PageNews,
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  if (chosen === null) return true;
  const own = new Set(chosen);
  return (incident ?? maintenance)?.components.some(({ uuid }) => own.has(uuid)) ?? false;
}
