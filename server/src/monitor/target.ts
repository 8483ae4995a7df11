import { assertHostAllowed, GuardError, type TargetPolicy } from "../check/guard.ts";

/**
 * Why the host that a normalised URL names must not be checked, as a sentence; null when it may be, or when its
 * addresses will decide at each check.
 */
export function targetProblem(url: string, policy: TargetPolicy): string | null {
  try {
    assertHostAllowed(new URL(url).hostname, policy);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}
