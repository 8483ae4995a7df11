import { type Static, type TSchema, Type } from "typebox";
import { MonitorStatus } from "../../engine/schemas/live.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { nullable, Timestamp } from "../../platform/operations/field.ts";
import {
  declaredNames,
  type SchemaNode,
  snakeFields,
  snakeSchema,
  toSnake,
} from "../../platform/operations/snake-case.ts";
import { DomainCreate } from "./domain-input.ts";
import { DomainDetail, DomainListItem, domainDetailFields, domainFields } from "./domains.ts";
import { ImportResult } from "./imports.ts";
import { ServiceCreate, ServiceDetail, ServiceListItem } from "./services.ts";

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
function serializeCommon(schema: TSchema, item: Item): object {
  const serialized = toSnake(schema, item) as Record<string, unknown>;
  serialized.certificate_expiration_date = item.certificateExpiresAt;
  serialized.monitor = { uptime_status: item.status };
  serialized.pivot = { user_domain_name: item.name };
  return serialized;
}

/** A domain as v2 lists it. */
export const serializeDomain = (item: Item): object => serializeCommon(DomainListItem, item);

/** A domain in full. */
export const serializeDomainDetail = (detail: Static<typeof DomainDetail>): object =>
  serializeCommon(DomainDetail, detail);

/** The derived form with what the specification words in its own way. */
function withSpecified(canonical: TSchema): TSchema {
  const derived = snakeSchema(canonical) as SchemaNode;
  const { protocol, target, ...rest } = derived.properties ?? {};
  const properties = { type: protocol, url: target, ...rest, protocol, target };
  return Type.Unsafe({ ...derived, properties });
}

export const V2ServiceListItem = withSpecified(ServiceListItem);
export const V2ServiceDetail = withSpecified(ServiceDetail);

const serializeServiceItem = (schema: TSchema, item: Static<typeof ServiceListItem>): object => ({
  ...toSnake(schema, item),
  type: item.protocol,
  url: item.target,
});

/** A service as v2 lists it. */
export const serializeService = (item: Static<typeof ServiceListItem>): object =>
  serializeServiceItem(ServiceListItem, item);

/** A service in full. */
export const serializeServiceDetail = (item: Static<typeof ServiceDetail>): object =>
  serializeServiceItem(ServiceDetail, item);

const declared = declaredNames([snakeSchema(DomainCreate), snakeSchema(ServiceCreate)]);

type Result = Static<typeof ImportResult>;
type Problem = Result["entries"][number]["problems"][number];

/** What became of a file in v2's words: fields that are wrong are named as v2 names them. */
export const serializeImport = (result: Result): object =>
  toSnake(ImportResult, {
    ...result,
    entries: result.entries.map((entry) => ({ ...entry, problems: entry.problems.map(serializeProblem) })),
  });

function serializeProblem(problem: Problem): Problem {
  const { field, fact: said } = problem;
  if (!said) return problem;
  const [named] = Object.entries(snakeFields({ [field]: [said] }, declared));
  const [name, messages] = named ?? [field, []];
  const what = messages[0] ?? said;
  return { field: name, fact: what, message: inEnglish(what) };
}
