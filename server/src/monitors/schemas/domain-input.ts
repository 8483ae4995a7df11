import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import { type Assertion, assertionSchema } from "../../checks/http/http-assertion-config.ts";
import { HARMLESS_HEADERS, httpConfigSchema } from "../../checks/http/http-config.ts";
import { DANGEROUS_FIELDS } from "../credential-danger.ts";
import type { MonitorInput } from "../settings.ts";
import { configField, monitorSettings, optional, pick, usual, verbName } from "./monitor-input.ts";

const check = httpConfigSchema.properties;

/** One of the named kinds, so that a bad field is named by the kind that was meant. */
const AssertionBody = Type.Unsafe<Assertion>({
  type: "object",
  required: ["type"],
  discriminator: { propertyName: "type" },
  oneOf: (assertionSchema as unknown as { anyOf: TSchema[] }).anyOf,
});

const EXPOSING = DANGEROUS_FIELDS.certificate.join(" or ");
const RENAMING = DANGEROUS_FIELDS.address.filter((name) => name !== "url").join(" or ");
/** When stored credentials have to be sent again. */
const WHENEVER = `whenever the url moves to a different scheme, host or port, ${RENAMING} changes, or ${EXPOSING} is turned on`;

/** Where the API describes these fields otherwise than the check's own config does. */
const CHECK_CHANGES: Partial<Record<keyof typeof check, object>> = {
  authType: { type: "string" },
  authConfig: {
    description: `The secret that authType needs: basic {username, password}, bearer {token}, header {name, value}. Stored encrypted, never returned; what is not sent again stays. Send all of it again ${WHENEVER}.`,
  },
  method: { type: "string" },
  headers: {
    description: `Request headers, stored encrypted. Values of those that carry credentials (Authorization, Cookie, …token…, …key…) are returned as ********, to those who may not change the domain all others as well; sending that back keeps the value. {} removes all. Send them again, with their values, ${WHENEVER}; ${[...HARMLESS_HEADERS].join(", ")} may be left out.`,
  },
  body: {
    description:
      "Request body, stored encrypted and returned to those who may change the domain only. Empty removes it.",
  },
  assertions: {
    items: AssertionBody,
    description: "All must hold. Without one on the status code, 200-399 is expected. [] removes all.",
  },
  followRedirects: usual(true),
};

/** Every field of the check's config but the URL, which is the domain's own. */
export const checkFields = (() => {
  const { url: _, ...fields } = check;
  const changed = Object.entries(fields).map(([name, schema]) => [
    name,
    configField(schema, CHECK_CHANGES[name as keyof typeof check]),
  ]);
  return Object.fromEntries(changed) as {
    [K in keyof typeof fields]: TUnsafe<NonNullable<Static<(typeof fields)[K]>>>;
  };
})();

const { checkInterval, timeout, enabled, ...ofEveryMonitor } = monitorSettings;

/** Everything that may be set of a domain beside its address and name. */
export const settableFields = { checkInterval, timeout, enabled, ...checkFields, ...ofEveryMonitor };

/** As people type it. */
export const urlField = Type.String({
  format: "monitor-url",
  description:
    "http or https, at most 2048 characters, without user name and password. A bare host is taken as https.",
  examples: ["https://example.com"],
});
const nameField = Type.String({
  format: "name",
  description: "1 to 255 characters. The same URL may be monitored twice only under different names.",
  examples: ["Example"],
});

/** PUT /api/domains/{id}: any subset. */
export const DomainUpdate = Type.Object(
  { url: Type.Optional(urlField), name: Type.Optional(nameField), ...optional(settableFields) },
  { title: "DomainUpdate" },
);

/** POST /api/domains. */
export const DomainCreate = Type.Object(
  {
    ...DomainUpdate.properties,
    url: urlField,
    name: Type.Optional({ ...nameField, description: "Default: the URL's host." }),
  },
  { title: "DomainCreate" },
);

/** A body in the verbs' terms: every field that the schema declares. */
export function readDomainInput(body: Static<typeof DomainUpdate>): MonitorInput {
  const given = Object.entries(pick(Object.keys(DomainUpdate.properties), body));
  const [config, own] = [given.filter(([name]) => name in check), given.filter(([name]) => !(name in check))];
  return {
    ...Object.fromEntries(own.map(([name, value]) => [verbName(name), value])),
    config: Object.fromEntries(config),
  };
}
