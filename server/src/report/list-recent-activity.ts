import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import {
  type Activity,
  listChangeActivity,
  listIncidentActivity,
  listStatusActivity,
} from "../store/queries/activity.ts";
import { describeActivity } from "./describe-activity.ts";

/** One thing that happened, with a sentence about it. */
export type DescribedActivity = Activity & { message: string };

/**
 * What happened last in an organization: status changes, incidents, and what people changed, newest
 * first. Throws 404 for an organization that is not the caller's.
 */
export async function listRecentActivity(
  ctx: CallerContext,
  input: { organization?: string | undefined; limit: number },
): Promise<DescribedActivity[]> {
  const { db } = ctx.store;
  const organizationId = await organizationScope(ctx, input.organization);
  const activity: Activity[] = [
    ...(await listStatusActivity(db, organizationId, input.limit)),
    ...(await listIncidentActivity(db, organizationId, input.limit)),
    ...(await listChangeActivity(db, organizationId, input.limit)),
  ];
  return activity
    .sort((a, b) => b.at - a.at)
    .slice(0, input.limit)
    .map((each) => ({ ...each, message: describeActivity(each) }));
}
