import { Type } from "typebox";
import { OrganizationFilter } from "../field.ts";
import { Incident, IncidentFilters } from "../legacy/incidents.ts";
import { V2PageQuery } from "../page.ts";
import { snakeSchema } from "./snake-case.ts";

/** GET /v2/incidents. */
export const V2IncidentsQuery = Type.Object({
  ...V2PageQuery,
  ...IncidentFilters,
  organization: OrganizationFilter,
});

export const V2Incident = snakeSchema(Incident);
