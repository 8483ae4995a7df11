import { type Static, Type } from "typebox";
import { OUTCOMES } from "../../checks/outcome.ts";
import { classOf } from "../../checks/reasons.ts";
import { checkKinds } from "../../checks/registry.ts";
import type { ProbeResult } from "../../engine/probe/link.ts";
import { MonitorStatus } from "../../engine/schemas/live.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { msg } from "../../platform/i18n/message.ts";
import { shownStatus } from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  MessageSchema,
  milliseconds,
  ms,
  nullable,
  sentenceOf,
  Timestamp,
  timestamp,
} from "../../platform/operations/field.ts";
import { Phases, projectPhases, ResultState } from "./monitor-input.ts";

/** What one check found, as its caller sees it. */
const checkFields = {
  state: ResultState,
  responseTime: ms("The whole check."),
  message: fromOutside(
    Type.String({
      description: "What came of it, as a sentence: why it failed or was slow, or what it found.",
      examples: ["The check passed."],
    }),
  ),
  messageFact: MessageSchema,
  statusCode: nullable(Type.Integer(), "HTTP status code; null without an answer."),
  reason: fromOutside(nullable(Type.String(), "Why it failed or was slow, as a sentence.")),
  reasonCode: nullable(Type.String(), "The kind of reason, e.g. `timeout`."),
  reasonFact: MessageSchema,
  address: nullable(Type.String(), "The address it connected to."),
  phases: Phases,
};

/** POST of settings that are to be tried. */
export const CheckTest = Type.Object(checkFields, { title: "CheckTest" });

/** POST /api/services/{id}/check. */
export const ManualCheck = Type.Object(
  {
    status: Type.Unsafe<Static<typeof MonitorStatus>>({
      ...MonitorStatus,
      description: "What this check says; degraded reads `up`. The monitor's own status needs confirmation.",
    }),
    ...checkFields,
    location: Type.String({ description: "Code of the location it was made from.", examples: ["local"] }),
    timestamp: Type.Unsafe<string>({ ...Timestamp, description: "Of the result in the history." }),
  },
  { title: "ManualCheck" },
);

/** What one check found whose result is not stored. */
export function projectCheckTest(
  outcome: Pick<ProbeResult, "verdict" | "reason" | "message" | "statusCode" | "address" | "phases">,
): Static<typeof CheckTest> {
  const { verdict, reason, message, statusCode, address, phases } = outcome;
  const sentence = reason ?? message ?? msg("check.passed");
  return {
    state: OUTCOMES[verdict].state,
    responseTime: milliseconds(phases.totalUs),
    message: inEnglish(sentence),
    messageFact: sentence,
    statusCode,
    reason: sentenceOf(reason),
    reasonCode: reason && classOf(reason),
    reasonFact: reason,
    address,
    phases: projectPhases(phases),
  };
}

/** A check on demand that is stored. */
export const projectManualCheck = (result: ProbeResult): Static<typeof ManualCheck> => ({
  status: shownStatus(OUTCOMES[result.verdict].state),
  ...projectCheckTest(result),
  location: result.location,
  timestamp: timestamp(result.scheduledAt),
});

/** The phases that a check of each kind measures, in order; the app's build reads them from here. */
export const CHECK_PHASES = Object.fromEntries(
  Object.values(checkKinds).map(({ type, phases }) => [type, phases]),
);
