/** What v2 reads of a JSON schema, at every depth. */
export interface SchemaNode {
  title?: string;
  description?: string;
  "x-when"?: Record<string, unknown>;
  required?: string[];
  enum?: unknown[];
  additionalProperties?: unknown;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  oneOf?: SchemaNode[];
}

/** The schema with those right within it changed; everything else stays, in its order. */
export function mapNodes(schema: SchemaNode, change: (node: SchemaNode) => SchemaNode): SchemaNode {
  const { properties, patternProperties, items, oneOf } = schema;
  const changeValue = (key: string, node: SchemaNode): [string, SchemaNode] => [key, change(node)];
  return {
    ...schema,
    ...(properties && { properties: mapEntries(properties, changeValue) }),
    ...(patternProperties && { patternProperties: mapEntries(patternProperties, changeValue) }),
    ...(items && { items: change(items) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
  };
}

/** The schemas right within it. */
export const nodesIn = ({ properties, patternProperties, items, oneOf }: SchemaNode): SchemaNode[] => [
  ...Object.values(properties ?? {}),
  ...Object.values(patternProperties ?? {}),
  ...(items ? [items] : []),
  ...(oneOf ?? []),
];

/** An object of other keys, other values or both, in the same order. */
export function mapEntries<A, B>(
  object: Record<string, A>,
  change: (key: string, value: A) => [string, B],
): Record<string, B> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => change(key, value)));
}
