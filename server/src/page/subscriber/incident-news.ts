import type { PublicIncident } from "../document/public-page.ts";
import { type FoundNews, type Looking, stillNamed } from "./looking.ts";
import type { NewsEvent, PageNews } from "./news.ts";
import { everNamed, FRESH_MS, freshOf, PAUSE_MS, type ToldIncident, withdrawnAt } from "./told.ts";

/** What is new of incidents on the page, and of those that are not on it any more. */
export const lookAtIncidents = (looking: Looking): FoundNews[] => [
  ...[...looking.page.incidents, ...looking.page.history].flatMap((one) => lookAtIncident(looking, one)),
  ...Object.entries(looking.told.incidents).flatMap(([uuid, one]) =>
    looking.known.incidents[uuid] ? [] : missIncident(looking, uuid, one),
  ),
];

function lookAtIncident({ page, told, known, lookAgain }: Looking, incident: PublicIncident): FoundNews[] {
  const now = page.updatedAt;
  const { uuid } = incident;
  const before = told.incidents[uuid];
  const shown = known.incidents[uuid] as ToldIncident;
  // The page may leave out older ones for a while.
  const updates = [...new Set([...(before?.updates ?? []), ...shown.updates])];
  const own = { ...shown, ...knownStill(before), updates };
  known.incidents[uuid] = own;
  const news = newsOfIncident(incident, before, now);
  if (!news) return [];
  if (before && now < before.at + PAUSE_MS) {
    known.incidents[uuid] = { ...before, goneAt: undefined };
    lookAgain(before.at + PAUSE_MS);
    return [];
  }
  const components = everNamed(incident.components, before?.components);
  const last = { ...incident, updates: [] };
  known.incidents[uuid] = { ...own, ...{ at: now, components, last, isWithdrawn: false } };
  return [{ news, at: incident.updatedAt }];
}

/** What remains of what was known where nothing is told. */
const knownStill = (before: ToldIncident | undefined) => ({
  at: before?.at ?? 0,
  components: before?.components,
  last: before?.last,
});

/** What is new of an incident; null: nothing, or nothing recent. */
function newsOfIncident(
  incident: PublicIncident,
  before: ToldIncident | undefined,
  now: number,
): PageNews | null {
  const { resolvedAt, updates, updatedAt, startedAt } = incident;
  const fresh = freshOf(updates, before);
  const isResolved = resolvedAt !== null;
  // Who was told that it is gone is told that it is back.
  const isBack = before?.isWithdrawn === true;
  const hasTurned = before !== undefined && before.isResolved !== isResolved;
  if (before && fresh.length === 0 && !hasTurned && !isBack) return null;
  const newest = Math.max(startedAt, updatedAt, ...fresh.map(({ at }) => at));
  if (newest < now - FRESH_MS && !isBack) return null;
  return {
    ...{ event: eventOf(before, isResolved), incident, maintenance: null },
    ...{ fresh: fresh.map(({ uuid }) => uuid), former: before?.components ?? [] },
  };
}

function eventOf(before: ToldIncident | undefined, isResolved: boolean): NewsEvent {
  if (isResolved && !before?.isResolved) return "incident.resolved";
  return before ? "incident.updated" : "incident.opened";
}

/** An incident that was on the page, and is not any more: merged, deleted, published no more, or of something else by now. */
function missIncident({ page, known, lookAgain }: Looking, uuid: string, before: ToldIncident): FoundNews[] {
  const now = page.updatedAt;
  const { last, isResolved, isWithdrawn, components = [] } = before;
  if (!last || isResolved || isWithdrawn) {
    // What is gone for a while, and then there again, is not new.
    if (before.at > now - FRESH_MS) known.incidents[uuid] = before;
    return [];
  }
  const missing = { ...before, goneAt: before.goneAt ?? now };
  known.incidents[uuid] = missing;
  const due = withdrawnAt(missing);
  if (now < due) {
    lookAgain(due);
    return [];
  }
  known.incidents[uuid] = { ...missing, at: now, isWithdrawn: true };
  const incident = { ...last, components: stillNamed(page, last.components) };
  const told = { event: "incident.withdrawn", incident, maintenance: null } as const;
  return [{ news: { ...told, fresh: [], former: components }, at: now }];
}
