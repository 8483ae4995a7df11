import { type Static, Type } from "typebox";
import type { MonitorLimits } from "../monitor/monitor-limits.ts";
import { nullable } from "./field.ts";

/** GET /api/domains/limits. */
export const DomainLimits = Type.Object(
  {
    plan: Type.String({ description: "The organization's plan.", examples: ["expert"] }),
    monitors: nullable(
      Type.Integer({ examples: [100] }),
      "Domains and services that the plan allows; null: any number.",
    ),
    monitorsUsed: Type.Integer({ description: "How many of them there are.", examples: [12] }),
    minCheckInterval: Type.Integer({ description: "Smallest check interval, seconds.", examples: [10] }),
    locationsPerMonitor: nullable(
      Type.Integer({ examples: [3] }),
      "Locations that one domain may be checked from; null: all.",
    ),
    locations: Type.Array(
      Type.Object({
        code: Type.String({ description: "As in a domain's `locations`.", examples: ["local"] }),
        name: Type.String({ examples: ["Local"] }),
      }),
      { description: "Where checks can be made from." },
    ),
  },
  { title: "DomainLimits" },
);

export function projectDomainLimits({
  plan,
  monitorsUsed,
  locations,
}: MonitorLimits): Static<typeof DomainLimits> {
  return {
    plan: plan.name,
    monitors: plan.monitors,
    monitorsUsed,
    minCheckInterval: plan.minIntervalSeconds,
    locationsPerMonitor: plan.locationsPerMonitor,
    locations: locations.map(({ code, name }) => ({ code, name })),
  };
}
