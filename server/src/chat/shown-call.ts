import type { AssistantCall as Call } from "../store/queries/assistant-calls.ts";
import type { CALL_STATES, ShownCall } from "../wire/assistant.ts";
import { timestamp, timestampOrNull } from "../wire/field.ts";

/** No call takes longer: what is still running then was cut off by the end of its server. */
const MAX_CALL_MS = 10 * 60_000;
const MAX_PROBLEM_LENGTH = 2_000;

/** How far a call is at that time. */
export function stateAt(
  { state, expiresAt, decidedAt }: Pick<Call, "state" | "expiresAt" | "decidedAt">,
  now: number,
): (typeof CALL_STATES)[number] {
  if (state === "waiting" && (expiresAt ?? 0) <= now) return "expired";
  if (state === "running" && (decidedAt ?? 0) + MAX_CALL_MS <= now) return "unknown";
  return state;
}

/** Why it failed, without the marks that models are told of. */
const problemIn = (result: string): string =>
  result
    .replaceAll(/<\/?untrusted>/g, "")
    .slice(0, MAX_PROBLEM_LENGTH)
    .toWellFormed();

/** A call as its person sees it. */
export function shownCall(call: Call, now: number): ShownCall {
  const { uuid, messageId, tool, title, description, subject, result } = call;
  const state = stateAt(call, now);
  return {
    ...{ uuid, messageId, tool, title, description, state },
    arguments: call.arguments,
    subject: subject === null ? [] : (JSON.parse(subject) as { name: string; value: string }[]),
    problem: state === "failed" && result !== null ? problemIn(result) : null,
    createdAt: timestamp(call.createdAt),
    decidedAt: timestampOrNull(call.decidedAt),
    expiresAt: timestampOrNull(call.expiresAt),
  };
}
