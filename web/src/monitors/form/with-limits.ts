import type { MonitorLimits } from "../../api/monitor-settings.ts";
import type { FieldSchema } from "../../forms/schema.ts";

/** The wire schema with what this organization's plan and this installation allow. */
export function withLimits(schema: FieldSchema, limits: MonitorLimits): FieldSchema {
  const { checkInterval, locations, ...others } = schema.properties ?? {};
  const smallest = Math.max(checkInterval?.minimum ?? 0, limits.minCheckInterval);
  return {
    ...schema,
    properties: {
      ...others,
      checkInterval: {
        ...checkInterval,
        minimum: smallest,
        "x-usual": Math.max(Number(checkInterval?.["x-usual"]), smallest),
      },
      ...(locations && { locations: { ...locations, ...locationsOf(limits) } }),
    },
  };
}

/** "All of them, whatever is added later" is for plans that do not limit them. */
function locationsOf({ locations, locationsPerMonitor: most }: MonitorLimits): FieldSchema {
  const codes = locations.map(({ code }) => code);
  const names = Object.fromEntries(locations.map(({ code, name }) => [code, name]));
  const items = { type: "string", enum: codes };
  if (most === null) return { items, "x-names": names };
  return { items, "x-names": names, minItems: 1, maxItems: most, "x-usual": codes.slice(0, most) };
}
