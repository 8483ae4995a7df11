import { type Static, Type } from "typebox";
import type { CheckOutcome } from "../check/check.ts";
import { OUTCOMES } from "../check/outcome.ts";
import { classOf } from "../check/reasons.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { milliseconds, ms, nullable } from "./field.ts";
import { Phases, projectPhases, ResultState } from "./monitor-fields.ts";

export const DomainTest = Type.Object(
  {
    state: ResultState,
    responseTime: ms("The whole check."),
    statusCode: nullable(Type.Integer(), "HTTP status code; null without an answer."),
    reason: nullable(Type.String(), "Why it failed or was slow, as a sentence."),
    reasonCode: nullable(Type.String(), "The kind of reason, e.g. `timeout`."),
    reasonFact: Fact,
    address: nullable(Type.String(), "The address it connected to."),
    phases: Phases,
  },
  { title: "DomainTest" },
);

/** What one check found whose result is not kept. */
export const projectDomainTest = (outcome: CheckOutcome): Static<typeof DomainTest> => ({
  state: OUTCOMES[outcome.verdict].state,
  responseTime: milliseconds(outcome.phases.totalUs),
  statusCode: outcome.statusCode,
  reason: sentenceOf(outcome.reason),
  reasonCode: outcome.reason && classOf(outcome.reason),
  reasonFact: outcome.reason,
  address: outcome.address,
  phases: projectPhases(outcome.phases),
});
