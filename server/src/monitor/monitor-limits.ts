import { type Plan, planOf } from "../account/plans.ts";
import { type Location, listLocations } from "../store/queries/meta.ts";
import { countOwnedMonitors } from "../store/queries/organizations.ts";
import type { Running } from "../verb/verb.ts";
import { CHECKED_KINDS } from "./monitor-defaults.ts";

export interface MonitorLimits {
  plan: Plan;
  /** Domains and services that count towards the plan's number. */
  monitorsUsed: number;
  /** Oldest first. */
  locations: Location[];
}

/** What a monitor's settings are measured against: the plan of the caller's organization, and the locations. */
export async function monitorLimits({ db, caller }: Running): Promise<MonitorLimits> {
  return {
    plan: planOf(caller.plan),
    monitorsUsed: await countOwnedMonitors(db, caller.organizationId, CHECKED_KINDS),
    locations: await listLocations(db),
  };
}
