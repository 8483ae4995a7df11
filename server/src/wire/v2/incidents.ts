import { Type } from "typebox";
import { Incident, IncidentFilters } from "../legacy/incidents.ts";
import { V2PageQuery } from "../page.ts";
import { snakeSchema } from "./snake-case.ts";

/** GET /v2/incidents. */
export const V2IncidentsQuery = Type.Object({
  ...V2PageQuery,
  ...IncidentFilters,
});

export const V2Incident = snakeSchema(Incident);
