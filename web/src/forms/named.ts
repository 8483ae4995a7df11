import type { FieldSchema } from "./schema.ts";

/** The same schema with names for what can be chosen among in its lists. */
export function named(schema: FieldSchema, nameOf: (value: string) => string): FieldSchema {
  const { items, properties } = schema;
  return {
    ...schema,
    ...(items?.enum && {
      "x-names": Object.fromEntries(items.enum.map((one) => [String(one), nameOf(String(one))])),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, named(one, nameOf)]),
      ),
    }),
  };
}
