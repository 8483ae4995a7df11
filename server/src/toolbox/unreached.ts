import { classOf, type Reason } from "../check/reasons.ts";
import { fact } from "../texts/fact.ts";
import { ToolError } from "./tool.ts";

const NOT_CONNECTED = new Set<string>(["dns", "guard", "refused", "unreachable"]);
const NOT_CONNECTED_IN_TIME = new Set<string>(["timeout.dns", "timeout.connect", "timeout.unanswered"]);

/** Whether a request got nowhere at all, so that there is nothing of it to show. */
export const isNotConnected = (reason: Reason | null): boolean =>
  reason !== null && (NOT_CONNECTED.has(classOf(reason)) || NOT_CONNECTED_IN_TIME.has(reason.code));

const CALLERS_MISTAKES = new Set<string>(["dns.missing", "dns.not_public", "dns.empty"]);

/** Why nothing was found out: a host that must not be asked, or that does not exist, is the caller's mistake; silence is not. */
export function unreached(reason: Reason | null, field: string): ToolError {
  if (reason === null) return new ToolError(fact("tool.given_up"));
  const isUnfit = classOf(reason) === "guard" || CALLERS_MISTAKES.has(reason.code);
  return new ToolError(reason, isUnfit ? field : undefined);
}
