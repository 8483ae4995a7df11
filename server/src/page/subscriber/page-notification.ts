import type { PublicIncident, PublicMaintenance } from "../document/public-page.ts";

/** What subscribers are told of. `withdrawn`: the page does not show it any more, without having said that it is over. */
export const PAGE_NOTIFICATION_EVENTS = [
  "incident.opened",
  "incident.updated",
  "incident.resolved",
  "incident.withdrawn",
  "maintenance.planned",
  "maintenance.started",
  "maintenance.ended",
  "maintenance.withdrawn",
] as const;
export type PageNotificationEvent = (typeof PAGE_NOTIFICATION_EVENTS)[number];

/** What a page's subscribers are told: of the public page, and nothing that is not, or was not when they were told of it. */
export interface PageNotification {
  event: PageNotificationEvent;
  /** Of `maintenance.…` null. */
  incident: PublicIncident | null;
  maintenance: PublicMaintenance | null;
  /** Uuids of the updates that they were not told of yet. */
  fresh: string[];
  /** Uuids of components that it had when it was told before: who chose these hears how it goes on. Absent in older ones. */
  former?: string[];
}

export const isWithdrawal = ({ event }: Pick<PageNotification, "event">): boolean =>
  event === "incident.withdrawn" || event === "maintenance.withdrawn";

/** Whether somebody who chose these components (null: all) wants to hear of it. */
export function concerns(
  { incident, maintenance, former = [] }: PageNotification,
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  const named = (incident ?? maintenance)?.components.map(({ uuid }) => uuid) ?? [];
  return isConcerned([...named, ...former], chosen);
}

/** Whether what is told of these components is for somebody who chose those (null: all). */
export function isConcerned(
  named: readonly string[],
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  if (chosen === null) return true;
  const own = new Set(chosen);
  return named.some((uuid) => own.has(uuid));
}
