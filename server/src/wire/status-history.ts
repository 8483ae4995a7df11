import { type Static, Type } from "typebox";
import type { StatusPeriod as Period } from "../monitor/status-history.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { fromOutside, nullable, Timestamp, timestamp, timestampOrNull } from "./field.ts";
import { FullState } from "./monitor-fields.ts";

/** GET /api/domains/{id}/monitoring/status-history; of services likewise. */
export const StatusHistoryQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: "How many days back from now." }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 1000,
    description: "This many of the newest periods.",
  }),
});

export const StatusPeriod = Type.Object(
  {
    state: FullState,
    startedAt: Type.Unsafe<string>({
      ...Timestamp,
      description: "When it became so: of an outage, its first failure.",
    }),
    endedAt: nullable(Timestamp, "When the next period began; null while it goes on."),
    maintenance: Type.Boolean({ description: "Whether it lies in a maintenance window." }),
    reason: fromOutside(nullable(Type.String(), "Why, as a sentence.")),
    reasonFact: Fact,
  },
  { title: "StatusPeriod" },
);

/** One period of a monitor's status. */
export const projectStatusPeriod = (period: Period): Static<typeof StatusPeriod> => ({
  state: period.state,
  startedAt: timestamp(period.startedAt),
  endedAt: timestampOrNull(period.endedAt),
  maintenance: period.maintenance,
  reason: sentenceOf(period.reason),
  reasonFact: period.reason,
});
