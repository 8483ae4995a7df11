import type { PublicIncident, PublicMaintenance } from "../document/public-page.ts";

/** `withdrawn`: the page no longer shows it, without having said that it is over. */
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

/** Contains only what is, and was, public. */
export interface PageNotification {
  event: PageNotificationEvent;
  /** Null for `maintenance.…`. */
  incident: PublicIncident | null;
  maintenance: PublicMaintenance | null;
  /** Of unsent updates. */
  fresh: string[];
  /**
   * Uuids of components it had when sent before: subscribers who chose these get what follows. Absent in
   * older ones.
   */
  former?: string[];
}

export const isWithdrawal = ({ event }: Pick<PageNotification, "event">): boolean =>
  event === "incident.withdrawn" || event === "maintenance.withdrawn";

/** Null: all. */
export function concerns(
  { incident, maintenance, former = [] }: PageNotification,
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  const named = (incident ?? maintenance)?.components.map(({ uuid }) => uuid) ?? [];
  return isConcerned([...named, ...former], chosen);
}

/** Null: all. */
export function isConcerned(
  named: readonly string[],
  chosen: ReadonlySet<string> | readonly string[] | null,
): boolean {
  if (chosen === null) return true;
  const own = new Set(chosen);
  return named.some((uuid) => own.has(uuid));
}
