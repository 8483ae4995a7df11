import { type TSchema, Type } from "typebox";
import { mapNodes, type SchemaNode } from "./schema-node.ts";

/**
 * What v2 takes of a request: nothing that the schema does not declare, at any depth. Legacy ignores such
 * fields, since its clients were written against another server.
 */
export const closedSchema = (schema: TSchema): TSchema => Type.Unsafe(close(schema as SchemaNode) as object);

function close(schema: SchemaNode): SchemaNode {
  const { properties, patternProperties, additionalProperties } = schema;
  const isOpen = properties && !patternProperties && additionalProperties === undefined;
  return mapNodes({ ...schema, ...(isOpen && { additionalProperties: false }) }, close);
}
