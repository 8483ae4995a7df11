import { type Static, Type } from "typebox";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { MonitorLimits } from "../monitor/monitor-limits.ts";
import { nullable } from "./field.ts";
import { capital } from "./word.ts";

/** GET /api/domains/limits; of services likewise. */
export const limitsOf = (kind: MonitorKind) =>
  Type.Object(
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
        `Locations that one ${kind} may be checked from; null: all.`,
      ),
      locations: Type.Array(
        Type.Object({
          code: Type.String({ description: `As in a ${kind}'s \`locations\`.`, examples: ["local"] }),
          name: Type.String({ examples: ["Local"] }),
        }),
        { description: "Where checks can be made from." },
      ),
    },
    { title: `${capital(kind)}Limits` },
  );

/** What an organization's monitors are measured against. */
export function projectLimits({
  plan,
  monitorsUsed,
  locations,
}: MonitorLimits): Static<ReturnType<typeof limitsOf>> {
  return {
    plan: plan.name,
    monitors: plan.monitors,
    monitorsUsed,
    minCheckInterval: plan.minIntervalSeconds,
    locationsPerMonitor: plan.locationsPerMonitor,
    locations: locations.map(({ code, name }) => ({ code, name })),
  };
}
