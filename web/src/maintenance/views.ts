export const maintenanceViews = ["planned", "calendar", "past"] as const;
export type MaintenanceView = (typeof maintenanceViews)[number];

export const maintenanceSearch = (
  search: Record<string, unknown>,
): { view?: MaintenanceView; month?: string } => ({
  view: maintenanceViews.find((name) => name === search.view),
  month:
    typeof search.month === "string" && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(search.month)
      ? search.month
      : undefined,
});
