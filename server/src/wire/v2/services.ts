import { type Static, type TSchema, Type } from "typebox";
import { ServiceDetail, ServiceListItem } from "../services.ts";
import type { SchemaNode } from "./schema-node.ts";
import { snakeSchema, toSnake } from "./snake-case.ts";

/** The derived form with what the specification words in its own way. */
function withSpecified(canonical: TSchema): TSchema {
  const derived = snakeSchema(canonical) as SchemaNode;
  const { protocol, target, ...rest } = derived.properties ?? {};
  const properties = { type: protocol, url: target, ...rest, protocol, target };
  return Type.Unsafe({ ...derived, properties });
}

export const V2ServiceListItem = withSpecified(ServiceListItem);
export const V2ServiceDetail = withSpecified(ServiceDetail);

const spell = (schema: TSchema, item: Static<typeof ServiceListItem>): object => ({
  ...toSnake(schema, item),
  type: item.protocol,
  url: item.target,
});

/** A service as v2 lists it. */
export const spellService = (item: Static<typeof ServiceListItem>): object => spell(ServiceListItem, item);

/** A service in full. */
export const spellServiceDetail = (item: Static<typeof ServiceDetail>): object => spell(ServiceDetail, item);
