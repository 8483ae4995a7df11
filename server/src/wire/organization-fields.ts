import { type TSchema, Type } from "typebox";

const description =
  "Id, uuid or slug of an organization you belong to. Default: the one of your key or session. An API key names another one only if it was made for all of yours.";
const alias = "The same as `organization`.";

const inQuery = { type: "string", minLength: 1, maxLength: 255 };
const inBody = {
  type: ["string", "integer"],
  minLength: 1,
  maxLength: 255,
  minimum: 1,
  examples: ["northwind"],
};

const bothSpellings = (schema: object) => ({
  organization: Type.Optional(Type.Unsafe<string | number>({ ...schema, description })),
  organizationId: Type.Optional(Type.Unsafe<string | number>({ ...schema, description: alias })),
});

/** Of a query. */
export const ORGANIZATION_QUERY = bothSpellings(inQuery);
const BODY = bothSpellings(inBody);

/** The fields by which a request may say whose things it is about, the same in both families. */
export const ORGANIZATION_FIELDS = Object.keys(ORGANIZATION_QUERY);

/** A query's schema, or that of no query, with these fields. */
export const queryWithOrganization = (schema: TSchema | undefined): TSchema =>
  withFields(schema ?? Type.Object({}), ORGANIZATION_QUERY);

/** A body's schema with these fields; an id may be a number there. */
export const bodyWithOrganization = (schema: TSchema): TSchema => withFields(schema, BODY);

function withFields(schema: TSchema, fields: object): TSchema {
  const { properties } = schema as { properties?: object };
  return Type.Unsafe({ ...schema, properties: { ...properties, ...fields } });
}
