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
 * What happened last in an organization, newest first: status changes, incidents, and what people
 * changed, or only one `type` of these. Throws 404 for an organization that is not the caller's.
 */
export async function listRecentActivity(
  ctx: CallerContext,
  input: { organization?: string | undefined; type?: Activity["kind"] | undefined; limit: number },
): Promise<DescribedActivity[]> {
  const { db } = ctx.store;
  const organizationId = await organizationScope(ctx, input.organization);
  const readers = { status: listStatusActivity, incident: listIncidentActivity, change: listChangeActivity };
  const wanted = input.type ? [readers[input.type]] : Object.values(readers);
  const activity: Activity[] = [];
  for (const read of wanted) activity.push(...(await read(db, organizationId, input.limit)));
  return activity
    .sort((a, b) => b.at - a.at)
    .slice(0, input.limit)
    .map((each) => ({ ...each, message: describeActivity(each) }));
}
