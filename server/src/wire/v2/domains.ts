import { type Static, type TSchema, Type } from "typebox";
import { DomainDetail, domainDetailFields } from "../domain-detail.ts";
import { DomainCreate } from "../domain-input.ts";
import { DomainListItem, domainFields } from "../domains.ts";
import { nullable, Timestamp } from "../field.ts";
import { MonitorStatus } from "../monitor-fields.ts";
import { snakeSchema, toSnake } from "./snake-case.ts";

/** POST /v2/domains: the specification requires the name. */
export const V2DomainCreate = Type.Unsafe<Static<typeof DomainCreate>>({
  ...snakeSchema(DomainCreate),
  required: ["name", "url"],
});

const inSnake = (fields: Record<string, TSchema>) =>
  (snakeSchema(Type.Object(fields)) as unknown as { properties: Record<string, TSchema> }).properties;

const { certificateExpiresAt: _, ...sameFields } = domainFields;
const { id, uuid, name, url, status, response_time, created_at, updated_at, certificate_status, ...more } =
  inSnake(sameFields);

/** In the specification's order; what it does not know follows. */
const v2DomainFields = {
  id,
  uuid,
  name,
  url,
  status,
  response_time,
  created_at,
  updated_at,
  monitor: Type.Object({ uptime_status: MonitorStatus }),
  certificate_status,
  certificate_expiration_date: nullable(Timestamp, "Null: no certificate seen."),
  pivot: Type.Object({ user_domain_name: Type.String({ description: "The name given by the user." }) }),
  ...more,
} as Record<string, TSchema>;

export const V2DomainListItem = Type.Object(v2DomainFields, { title: "V2Domain" });

export const V2DomainDetail = Type.Object(
  { ...v2DomainFields, ...inSnake(domainDetailFields) },
  { title: "V2DomainDetail" },
);

type Item = Static<typeof DomainListItem>;

/** `item` in snake_case, and what the specification words in its own way. */
function spell(schema: TSchema, item: Item): object {
  const spelt = toSnake(schema, item) as Record<string, unknown>;
  spelt.certificate_expiration_date = item.certificateExpiresAt;
  spelt.monitor = { uptime_status: item.status };
  spelt.pivot = { user_domain_name: item.name };
  return spelt;
}

/** A domain as v2 lists it. */
export const spellDomain = (item: Item): object => spell(DomainListItem, item);

/** A domain in full. */
export const spellDomainDetail = (detail: Static<typeof DomainDetail>): object => spell(DomainDetail, detail);
