import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";

/** What a plan allows so many of. */
export type Counted = "monitors" | "devices";

/** Throws 403 when one more would be too many. `limit` comes from the plan (null: unlimited), `count` is how many there are. */
export function assertQuota(what: Counted, count: number, limit: number | null): void {
  if (limit === null || count < limit) return;
  throw new PublicError("quota_reached", fact(`quota.${what}`, { limit, count }));
}
