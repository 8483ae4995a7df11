import { type TSchema, Type } from "typebox";

type Node = {
  type?: string;
  properties?: Record<string, Node>;
  patternProperties?: object;
  additionalProperties?: unknown;
  items?: Node;
  oneOf?: Node[];
  title?: string;
};

/**
 * What v2 takes of a request: nothing that the schema does not declare, at any depth. Legacy ignores such
 * fields, since its clients were written against another server. A title gets `V2` in front.
 */
export const closedSchema = (schema: TSchema): TSchema => Type.Unsafe(close(schema as Node) as object);

function close(schema: Node): Node {
  const { properties, patternProperties, additionalProperties, items, oneOf, title } = schema;
  const isOpen = properties && !patternProperties && additionalProperties === undefined;
  return {
    ...schema,
    ...(title && { title: title.replace(/^(?!V2)/, "V2") }),
    ...(isOpen && { additionalProperties: false }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, close(node)])),
    }),
    ...(items && { items: close(items) }),
    ...(oneOf && { oneOf: oneOf.map(close) }),
  };
}
