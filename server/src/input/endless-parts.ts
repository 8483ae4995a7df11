/** What Ajv finds wrong, with what it found and the schema that says so (its option `verbose`). */
export interface Problem {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  data?: unknown;
  parentSchema?: unknown;
}

interface PartSchema {
  maxItems?: number;
  maxProperties?: number;
}

/** What is looked at of the schema of a body or query. */
export interface ObjectSchema {
  properties?: Record<string, PartSchema>;
  additionalProperties?: unknown;
}

/** More items than anybody intends; each wrong one would be described. */
const ENDLESS_ITEMS = 1000;

/**
 * Finds the lists and objects that are far beyond their bound, before any validator looks at their items. An object
 * that may only have the fields it knows is one itself.
 */
export function endlessParts({
  properties = {},
  additionalProperties,
}: ObjectSchema): (input: unknown) => Problem[] {
  const bounded = Object.entries(properties).flatMap(([name, { maxItems, maxProperties }]) => {
    const limit = maxItems ?? maxProperties;
    return limit === undefined ? [] : [{ name, limit }];
  });
  return (input) => {
    if (additionalProperties === false && isEndless(input, 0)) return [tooMany("", ENDLESS_ITEMS)];
    const part = (name: string) => (input as Record<string, unknown> | null)?.[name];
    return bounded
      .filter(({ name, limit }) => isEndless(part(name), limit))
      .map(({ name, limit }) => tooMany(`/${name}`, limit));
  };
}

const isEndless = (value: unknown, limit: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Array.isArray(value) ? value : Object.keys(value)).length > Math.max(limit, ENDLESS_ITEMS);

const tooMany = (instancePath: string, limit: number): Problem => ({
  keyword: "maxItems",
  instancePath,
  schemaPath: "",
  params: { limit },
});
