import { Type } from "typebox";
import {
  listChangeActivity,
  listIncidentActivity,
  listStatusActivity,
  type Activity as StoredActivity,
} from "../store/queries/activity.ts";
import { verb } from "../verb/verb.ts";
import { Activity, ActivityQuery, projectActivity } from "../wire/dashboard.ts";
import { createActivityIds } from "./activity-id.ts";
import { describeActivity } from "./describe-activity.ts";

const readers = { status: listStatusActivity, incident: listIncidentActivity, change: listChangeActivity };

/**
 * What happened last in the caller's organization, newest first: status changes, incidents, and what people
 * changed, or only one `type` of these.
 */
export const listRecentActivity = verb({
  resource: "dashboard",
  action: "read",
  input: ActivityQuery,
  output: Type.Array(Activity),
  async run(ctx, { type, limit }) {
    const wanted = type ? [readers[type]] : Object.values(readers);
    const activity: StoredActivity[] = [];
    for (const read of wanted) activity.push(...(await read(ctx.db, ctx.caller.organizationId, limit)));
    const publicIdOf = createActivityIds(ctx);
    return activity
      .sort((a, b) => b.at - a.at)
      .slice(0, limit)
      .map((each) =>
        projectActivity({ ...each, message: describeActivity(each), publicId: publicIdOf(each) }),
      );
  },
});
