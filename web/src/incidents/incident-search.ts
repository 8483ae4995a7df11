import {
  type IncidentFilter,
  type IncidentSort,
  incidentFilters,
  incidentSorts,
  severities,
  usualSort,
} from "../api/incident-list.ts";
import { type Severity } from "../api/incidents.ts";

/** The list's filters in its address, without the defaults. */
export interface IncidentSearch {
  which?: IncidentFilter | undefined;
  q?: string | undefined;
  severity?: Severity | undefined;
  /** The uuid of a monitor. */
  monitor?: string | undefined;
  sort?: IncidentSort | undefined;
}

const uuidLength = 36;

export const incidentSearch = (search: Record<string, unknown>): IncidentSearch => ({
  which: incidentFilters.find((name) => name === search["which"] && name !== "active"),
  // The router reads `?q=404` as a number.
  q:
    typeof search["q"] === "string" || typeof search["q"] === "number"
      ? String(search["q"]).slice(0, 255) || undefined
      : undefined,
  severity: severities.find((name) => name === search["severity"]),
  monitor:
    typeof search["monitor"] === "string" && search["monitor"].length === uuidLength
      ? search["monitor"]
      : undefined,
  sort: incidentSorts.find((name) => name === search["sort"] && name !== usualSort),
});
