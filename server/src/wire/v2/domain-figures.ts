import { Type } from "typebox";
import { Day, DomainFilter, PhasesEntry, Stats, Summary, Trend } from "../legacy/domain-figures.ts";
import { HistoryEntry, LocationsData, RangeQuery } from "../legacy/domain-history.ts";
import { snakeSchema } from "./snake-case.ts";

/** GET /v2/domains/response-time-trends. */
export const V2TrendsQuery = Type.Object({
  domain: DomainFilter,
  range: RangeQuery,
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "Page, from 1." }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 15, description: "Domains a page." }),
});

/** The figures are those of the legacy family, in snake_case. */
export const V2Stats = snakeSchema(Stats);
export const V2Trend = snakeSchema(Trend);
export const V2Summary = snakeSchema(Summary);
export const V2Day = snakeSchema(Day);
export const V2PhasesEntry = snakeSchema(PhasesEntry);
export const V2HistoryEntry = snakeSchema(HistoryEntry);
export const V2LocationsData = snakeSchema(LocationsData);
