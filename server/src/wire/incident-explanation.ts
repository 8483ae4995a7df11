import { Type } from "typebox";
import { RESULT_STATES } from "../check/outcome.ts";
import { MONITOR_KINDS } from "../monitor/monitor-defaults.ts";
import { STATUSES } from "../status/state.ts";
import { inEnglish } from "../texts/english.ts";
import type { MessageDescriptor } from "../texts/message.ts";
import { MessageSchema } from "./fact.ts";
import { fromOutside, IdText, ms, nullable, oneOf, Timestamp, Uuid } from "./field.ts";

const VOTES = ["ok", "suspect", "failing", "recovering", "stale"] as const;

const setting = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

/** GET /api/incidents/{id}/explain. With any of the settings it says what these would have done. */
export const ExplainQuery = Type.Object({
  id: IdText,
  confirmations: setting(10, "What if so many failures in a row had been needed at a location?"),
  recoveries: setting(10, "What if so many successes in a row had been needed to be up again?"),
  quorum: setting(100, "What if so many locations had to fail, instead of more than half of them?"),
});

const Sentence = Type.Object(
  {
    // It may say why a check failed, in a server's own words.
    message: fromOutside(Type.String({ examples: ["local: up, 3 in a row since 2026-11-21 09:30:00 UTC."] })),
    fact: MessageSchema,
  },
  { title: "ToldFact" },
);

const ExplainedVote = Type.Object(
  {
    location: Type.String({ examples: ["local"] }),
    vote: oneOf(VOTES),
    failures: Type.Integer({ description: "In a row." }),
    successes: Type.Integer({ description: "In a row." }),
    since: Type.Unsafe<string>({ ...Timestamp, description: "Of that row, or when it was last heard." }),
    ...Sentence.properties,
  },
  { title: "ExplainedVote" },
);

const ExplainedResult = Type.Object(
  {
    location: Type.String({ examples: ["local"] }),
    at: Timestamp,
    state: oneOf(RESULT_STATES),
    responseTime: ms("How long the check took."),
    isRecheck: Type.Boolean({
      description: "Whether it was an extra check, made to confirm the one before.",
    }),
    sincePrevious: nullable(
      Type.Integer({ examples: [2000] }),
      "Milliseconds since the one before at this location; null: none is known.",
    ),
    message: fromOutside(nullable(Type.String({ examples: ["The connection was refused."] }))),
    fact: MessageSchema,
  },
  { title: "ExplainedResult" },
);

const ExplainedTransition = Type.Object(
  {
    from: oneOf(STATUSES),
    to: oneOf(STATUSES),
    at: Timestamp,
    detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
    ...Sentence.properties,
    locationsHeard: Type.Integer({ description: "Locations whose votes counted." }),
    locationsFailing: Type.Integer({ description: "Locations that were confirmed to fail." }),
    failingNeeded: Type.Integer({ description: "How many failing locations it takes to open an outage." }),
    upNeeded: Type.Integer({ description: "How many locations that are up it takes to end it." }),
    votes: Type.Array(ExplainedVote, { description: "Empty where the results are no longer kept." }),
    results: Type.Array(ExplainedResult, { description: "The checks that made the votes, oldest first." }),
  },
  { title: "ExplainedTransition" },
);

const WhatIf = Type.Object(
  {
    confirmations: Type.Integer({ description: "Failures in a row until down." }),
    recoveries: Type.Integer({ description: "Successes in a row until up again." }),
    quorum: nullable(Type.Integer(), "Failing locations needed; null: more than half of them."),
    alarms: Type.Integer({ description: "How many outages would have been opened; 0: no alarm at all." }),
    detectedAt: nullable(Timestamp, "Of the first of them."),
    resolvedAt: nullable(Timestamp, "When the end of the last of them would have been confirmed."),
    assumedResults: Type.Integer({
      description:
        "Rechecks that were never made and are assumed to have come out like the checks around them.",
    }),
    sentences: Type.Array(Sentence),
  },
  { title: "WhatIf" },
);

const ExplainedOutage = Type.Object(
  {
    name: Type.String({ description: "As it was at the time.", examples: ["Shop"] }),
    monitorId: nullable(Type.Integer()),
    monitorUuid: nullable(Uuid, "Null: it was deleted."),
    kind: nullable(oneOf(MONITOR_KINDS)),
    startedAt: Timestamp,
    endedAt: nullable(Timestamp, "Null while it is down."),
    maintenanceUntil: nullable(
      Timestamp,
      "When the maintenance window that the monitor is in now ends; null: it is in none.",
    ),
    confirmations: nullable(
      Type.Integer(),
      "Failures in a row until down, as set now; null: the monitor was deleted.",
    ),
    recoveries: nullable(Type.Integer(), "The same of successes until it is up again."),
    recheckDelaySeconds: nullable(Type.Integer(), "Between a check and the recheck that confirms it."),
    isReproduced: Type.Boolean({
      description: "Whether replaying the stored results with its present settings gives what was recorded.",
    }),
    notes: Type.Array(Sentence, { description: "What you need to know to read the rest." }),
    transitions: Type.Array(ExplainedTransition),
    whatIf: Type.Unsafe<Type.Static<typeof WhatIf> | null>({
      ...nullable(WhatIf, "Null where no other settings were asked for, or the results are no longer kept."),
    }),
  },
  { title: "ExplainedOutage" },
);

/** Why an incident opened and closed. */
export const IncidentExplanation = Type.Object(
  {
    outages: Type.Array(ExplainedOutage, {
      description: "The outages of each monitor in it, in the order in which they joined.",
    }),
    notes: Type.Array(Sentence),
  },
  { title: "IncidentExplanation" },
);

/** A message with its English sentence. */
export const toSentence = (message: MessageDescriptor): Type.Static<typeof Sentence> => ({
  message: inEnglish(message),
  fact: message,
});

/** The same as it is sent. */
export type ShownExplanation = Type.Static<typeof IncidentExplanation>;
