import { Type } from "typebox";
import { OrganizationFilter } from "../field.ts";
import { Activity, activityLimit, activityType, DashboardStats } from "../legacy/dashboard.ts";
import { snakeSchema } from "./snake-case.ts";

/** GET /v2/dashboard/stats. */
export const V2DashboardQuery = Type.Object({ organization: OrganizationFilter });
/** GET /v2/dashboard/recent-activity. */
export const V2ActivityQuery = Type.Object({
  organization: OrganizationFilter,
  type: activityType,
  limit: activityLimit,
});

export const V2DashboardStats = snakeSchema(DashboardStats);
export const V2Activity = snakeSchema(Activity);
