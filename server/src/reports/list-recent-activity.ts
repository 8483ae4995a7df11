import { createHmac } from "node:crypto";
import { Type } from "typebox";
import { listUnnotifiedIncidents } from "../alerts/queries/unnotified.ts";
import { countActiveIncidents } from "../incidents/queries/incidents.ts";
import { monitorStats } from "../monitors/monitor-stats.ts";
import { countMonitorsByStatus } from "../monitors/queries/monitor-names.ts";
import type { Caller } from "../platform/access/caller.ts";
import type { SecretBox } from "../platform/context.ts";
import { verb } from "../platform/operations/operation.ts";
import { describeActivity } from "./describe-activity.ts";
import {
  type Activity,
  listChangeActivity,
  listIncidentActivity,
  listStatusActivity,
  type Activity as StoredActivity,
} from "./queries/activity.ts";
import {
  ActivityQuery,
  Activity as ActivitySchema,
  DashboardStats,
  projectActivity,
  projectDashboardStats,
} from "./schemas/dashboard.ts";

/** 96 bits: unique among a thousand. */
const LENGTH = 16;

/**
 * Stable public ids: `status-` and an opaque part. Table ids are shared by all organizations, and would
 * reveal how much happens at others.
 */
export function createActivityIds({
  secrets,
  caller,
}: {
  secrets: Pick<SecretBox, "derive">;
  caller: Pick<Caller, "organizationId">;
}): (activity: Pick<Activity, "kind" | "id">) => string {
  const key = secrets.derive("activity ids");
  return ({ kind, id }) => {
    const sealed = createHmac("sha256", key).update(`${caller.organizationId} ${kind} ${id}`);
    return `${kind}-${sealed.digest("base64url").slice(0, LENGTH)}`;
  };
}

const readers = { status: listStatusActivity, incident: listIncidentActivity, change: listChangeActivity };

/** Newest first: status changes, incidents, and people's changes, or one `type` of these. */
export const listRecentActivity = verb({
  resource: "dashboard",
  action: "read",
  input: ActivityQuery,
  output: Type.Array(ActivitySchema),
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

/** A later notification of an outage causes a warning. */
const NOTIFIED_WITHIN_MS = 120_000;
const MAX_UNNOTIFIED = 10;

export const getDashboardStats = verb({
  resource: "dashboard",
  action: "read",
  input: Type.Object({}),
  output: DashboardStats,
  async run(ctx) {
    const { db } = ctx;
    const { organizationId } = ctx.caller;
    return projectDashboardStats({
      domains: await monitorStats(ctx, { kind: "domain" }),
      services: await countMonitorsByStatus(db, organizationId, "service"),
      devices: await countMonitorsByStatus(db, organizationId, "device"),
      incidents: {
        ...(await countActiveIncidents(db, organizationId)),
        unnotified: await listUnnotifiedIncidents(db, organizationId, {
          before: ctx.clock.now() - NOTIFIED_WITHIN_MS,
          limit: MAX_UNNOTIFIED,
        }),
      },
    });
  },
});
