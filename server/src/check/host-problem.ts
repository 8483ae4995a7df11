import type { MessageDescriptor } from "../texts/message.ts";
import { assertHostAllowed, GuardError, type TargetPolicy } from "./guard.ts";

/** Why a host must not be checked; null when it may be, or when its addresses will decide at each check. */
export function hostProblem(host: string, policy: TargetPolicy): MessageDescriptor | null {
  try {
    assertHostAllowed(host, policy);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return error.reason;
    throw error;
  }
}
