import { type IncidentFilter, incidentFilters } from "../../api/incidents.ts";

/** What the address of the list says: which incidents, and part of their titles. */
export const incidentSearch = (search: Record<string, unknown>): { which?: IncidentFilter; q?: string } => ({
  which: incidentFilters.find((name) => name === search.which),
  // The router reads `?q=404` as a number.
  q:
    typeof search.q === "string" || typeof search.q === "number"
      ? String(search.q).slice(0, 255) || undefined
      : undefined,
});
