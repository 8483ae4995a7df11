import type { PublicIncident, PublicMaintenance } from "../document/public-page.ts";

/** Events for subscribers. `withdrawn`: the page no longer shows it, without having said that it is over. */
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

/** A notification for a page's subscribers: contains only what is, and was, public. */
export interface PageNotification {
  event: PageNotificationEvent;
  /** Of `maintenance.…` null. */
  incident: PublicIncident | null;
  maintenance: PublicMaintenance | null;
  /** Uuids of the updates that were not sent yet. */
  fresh: string[];
  /**
   * Uuids of components that it had when it was sent before: subscribers who chose these receive what follows. Absent in older
   * ones.
   */
  former?: string[];
}

export const isWithdrawal = ({ event }: Pick<PageNotification, "event">): boolean =>
  event === "incident.withdrawn" || event === "maintenance.withdrawn";

/** Whether it is for a subscriber who chose these components (null: all). */
export function concerns(
  { incident, maintenance, former = [] }: PageNotification,
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  const named = (incident ?? maintenance)?.components.map(({ uuid }) => uuid) ?? [];
  return isConcerned([...named, ...former], chosen);
}

/** Whether these components are among those chosen (null: all). */
export function isConcerned(
  named: readonly string[],
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  if (chosen === null) return true;
  const own = new Set(chosen);
  return named.some((uuid) => own.has(uuid));
}
