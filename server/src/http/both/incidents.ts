import { getIncident } from "../../incident/get-incident.ts";
import { listIncidents } from "../../incident/list-incidents.ts";
import type { DefineBoth } from "../both-families.ts";

/** Outages and what people report: list and detail. */
export function describeIncidents(define: DefineBoth): void {
  define({
    verb: listIncidents,
    method: "GET",
    url: "/api/incidents",
    summary: "List incidents",
    description: "Newest first: all, up to 1,000, or one page when `page` or `limit` is given.",
    v2: {
      description: "One page of the outages that were found and of what people reported, newest first.",
    },
  });
  define({
    verb: getIncident,
    method: "GET",
    url: "/api/incidents/:id",
    summary: "Get an incident",
    description: "When it began, was confirmed and ended, what it affects, and why.",
  });
}
