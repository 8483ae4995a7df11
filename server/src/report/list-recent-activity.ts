import type { CallerContext } from "../context.ts";
import {
  type Activity,
  listChangeActivity,
  listIncidentActivity,
  listStatusActivity,
} from "../store/queries/activity.ts";
import { createActivityIds } from "./activity-id.ts";
import { describeActivity } from "./describe-activity.ts";

/** One thing that happened, with a sentence about it, and the name that clients know it by. */
export type DescribedActivity = Activity & { message: string; publicId: string };

/**
 * What happened last in the caller's organization, newest first: status changes, incidents, and what people
 * changed, or only one `type` of these.
 */
export async function listRecentActivity(
  ctx: CallerContext,
  input: { type?: Activity["kind"] | undefined; limit: number },
): Promise<DescribedActivity[]> {
  const { db } = ctx.store;
  const { organizationId } = ctx.caller;
  const readers = { status: listStatusActivity, incident: listIncidentActivity, change: listChangeActivity };
  const wanted = input.type ? [readers[input.type]] : Object.values(readers);
  const activity: Activity[] = [];
  for (const read of wanted) activity.push(...(await read(db, organizationId, input.limit)));
  const publicIdOf = createActivityIds(ctx);
  return activity
    .sort((a, b) => b.at - a.at)
    .slice(0, input.limit)
    .map((each) => ({ ...each, message: describeActivity(each), publicId: publicIdOf(each) }));
}
