import { PublicError } from "../errors.ts";

/**
 * Throws 403 when one more would be too many. `limit` comes from the plan (null: unlimited), `count`
 * is how many there are now, `what` is their name in the plural, e.g. "monitors".
 */
export function assertQuota(what: string, count: number, limit: number | null): void {
  if (limit === null || count < limit) return;
  throw new PublicError("quota_reached", `Your plan allows ${limit} ${what}, and you have ${count}.`);
}
