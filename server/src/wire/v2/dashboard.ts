import { Activity, DashboardStats } from "../legacy/dashboard.ts";
import { snakeSchema } from "./snake-case.ts";

export const V2DashboardStats = snakeSchema(DashboardStats);
export const V2Activity = snakeSchema(Activity);
