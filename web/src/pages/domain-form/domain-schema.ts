/**
 * The form's schema is the very object that the server validates with, imported from wire/ into these pages'
 * own script: 14.5 kB gzipped, most of it TypeBox, none of it in the first view. The alternative, fetching
 * /openapi.json, would ask for 390 kB about the whole API to show one form, and neither the compiler nor a
 * test without a server could hold the form to it.
 */
import { DomainCreate, DomainUpdate } from "../../../../server/src/wire/domain-input.ts";
import type { DomainLimits } from "../../api/domain-settings.ts";
import type { FieldSchema } from "../../forms/schema.ts";

/** The wire schema with what this organization's plan and this installation allow. */
export function domainSchema(action: "create" | "update", limits: DomainLimits): FieldSchema {
  const schema = (action === "create" ? DomainCreate : DomainUpdate) as unknown as FieldSchema;
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
      locations: { ...locations, ...locationsOf(limits) },
    },
  };
}

/** "All of them, whatever is added later" is for plans that do not limit them. */
function locationsOf({ locations, locationsPerMonitor: most }: DomainLimits): FieldSchema {
  const codes = locations.map(({ code }) => code);
  const names = Object.fromEntries(locations.map(({ code, name }) => [code, name]));
  const items = { type: "string", enum: codes };
  if (most === null) return { items, "x-names": names };
  return { items, "x-names": names, minItems: 1, maxItems: most, "x-usual": codes.slice(0, most) };
}
