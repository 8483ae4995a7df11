import type { PublicMaintenance, PublicPage } from "../document/public-page.ts";

/** When there was something new of a maintenance: that it was planned or changed, or that it began. */
export const maintenanceChangedAt = ({ updatedAt, startsAt, isRunning }: PublicMaintenance): number =>
  isRunning ? Math.max(updatedAt, startsAt) : updatedAt;

/** When something of a page changed last, by which readers tell whether there is anything new. */
export const pageChangedAt = (page: PublicPage): number =>
  Math.max(
    page.changedAt,
    ...[...page.incidents, ...page.history].map(({ updatedAt }) => updatedAt),
    ...page.maintenance.map(maintenanceChangedAt),
    ...page.groups.flatMap(({ components }) => components.map(({ since }) => since ?? 0)),
  );
