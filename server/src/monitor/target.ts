import { assertHostAllowed, GuardError, type TargetPolicy } from "../check/guard.ts";
import { inEnglish } from "../texts/english.ts";

/**
 * Why a host must not be checked, as a sentence; null when it may be, or when its addresses will decide at each check.
 */
export function hostProblem(host: string, policy: TargetPolicy): string | null {
  try {
    assertHostAllowed(host, policy);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return inEnglish(error.reason);
    throw error;
  }
}
