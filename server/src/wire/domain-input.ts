import { type Static, type TSchema, Type } from "typebox";
import { type Assertion, assertionSchema } from "../check/assertion-config.ts";
import type { SecretHint } from "../check/config-secrets.ts";
import { HARMLESS_HEADERS, httpConfigSchema } from "../check/http-config.ts";
import {
  HIDDEN,
  MAX_INTERVAL_SECONDS,
  MAX_RECHECK_DELAY_SECONDS,
  MONITOR_DEFAULTS,
} from "../monitor/monitor-defaults.ts";
import type { MonitorInput } from "../monitor/settings.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../monitor/tags.ts";
import { oneOf } from "./field.ts";

const check = httpConfigSchema.properties;

/** One of the named kinds, so that a bad field is named by the kind that was meant. */
const AssertionBody = Type.Unsafe<Assertion>({
  type: "object",
  required: ["type"],
  discriminator: { propertyName: "type" },
  oneOf: (assertionSchema as unknown as { anyOf: TSchema[] }).anyOf,
});

/**
 * A field of the check's own config. Its default becomes the hint `x-usual`: an update must not bring
 * any along. What is marked as never returned becomes `writeOnly`.
 */
function from<T extends TSchema>(schema: T, changes: object = {}) {
  const {
    default: value,
    "x-secret": secret,
    ...rest
  } = schema as T & { default?: unknown } & Partial<SecretHint>;
  const writeOnly = secret === "hidden" && { writeOnly: true };
  return Type.Unsafe<NonNullable<Static<T>>>({ ...rest, ...usual(value), ...writeOnly, ...changes });
}

/** The hint to forms that a new domain has this value where none is sent. */
const usual = (value: unknown) => (value === undefined ? {} : { "x-usual": value });

/** Where the API describes these fields otherwise than the check's own config does. */
const CHECK_CHANGES: Partial<Record<keyof typeof check, object>> = {
  authType: { type: "string" },
  authConfig: {
    description:
      "The secret that authType asks for: basic {username, password}, bearer {token}, header {name, value}. Stored encrypted, never returned; what is not sent again stays. Send all of it again whenever the url moves to a different scheme, host or port, or ignoreCertificate is turned on.",
  },
  method: { type: "string" },
  headers: {
    description: `Request headers, stored encrypted. Values of those that carry credentials (Authorization, Cookie, …token…, …key…) are returned as ********; sending that back keeps the value. {} removes all. Send them again, with their values, whenever the url moves to a different scheme, host or port, or ignoreCertificate is turned on; ${[...HARMLESS_HEADERS].join(", ")} may be left out.`,
    "x-kept": HIDDEN,
  },
  body: {
    description: "Request body, stored encrypted but returned to whoever may read domains. Empty removes it.",
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
    from(schema, CHECK_CHANGES[name as keyof typeof check]),
  ]);
  return Object.fromEntries(changed) as {
    [K in keyof typeof fields]: ReturnType<typeof from<(typeof fields)[K]>>;
  };
})();

/**
 * Everything that may be set of a domain. Forms are made from it (docs/api.md): `x-usual` is what a new
 * domain has, `x-when` under which choices of other fields this one means something, `x-kept` what
 * stands for a stored value that is not shown.
 */
export const settableFields = {
  checkInterval: Type.Integer({
    minimum: 10,
    maximum: MAX_INTERVAL_SECONDS,
    description:
      "Seconds between two checks; the plan says how small (free 300, pro 60, expert 10). Usually 60.",
    examples: [60],
    ...usual(MONITOR_DEFAULTS.intervalSeconds),
  }),
  timeout: Type.Integer({
    minimum: 1,
    maximum: 60,
    description: "Seconds until a check is given up, below checkInterval. Usually 10.",
    examples: [10],
    ...usual(MONITOR_DEFAULTS.timeoutSeconds),
  }),
  enabled: Type.Boolean({ description: "False pauses it.", ...usual(MONITOR_DEFAULTS.enabled) }),
  ...checkFields,
  locations: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 100,
    description:
      "Codes of the locations to check from. Usually [], which is all of them, or the first ones that the plan allows.",
    examples: [["local"]],
    ...usual([]),
  }),
  confirmations: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: "Failures in a row until down. Usually 2.",
    ...usual(MONITOR_DEFAULTS.confirmations),
  }),
  recoveries: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: "Successes in a row until up again. Usually 2.",
    ...usual(MONITOR_DEFAULTS.recoveries),
  }),
  recheckDelay: Type.Integer({
    minimum: 0,
    maximum: MAX_RECHECK_DELAY_SECONDS,
    description:
      "Seconds between a check that has to be confirmed and the one that confirms it, at most the check interval. Usually 2.",
    ...usual(MONITOR_DEFAULTS.recheckDelaySeconds),
  }),
  severity: oneOf(["low", "medium", "high", "critical"], {
    description: "Of the incident that an outage opens. Usually high.",
    ...usual(MONITOR_DEFAULTS.severity),
  }),
  tags: Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH, format: "tag" }), {
    maxItems: MAX_TAGS,
    description: `At most ${MAX_TAGS} of ${MAX_TAG_LENGTH} characters.`,
  }),
};

const urlField = Type.String({
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
    name: Type.Optional({ ...nameField, description: "Usually the URL's host." }),
  },
  { title: "DomainCreate" },
);

function optional<T extends Record<string, TSchema>>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as {
    [K in keyof T]: ReturnType<typeof Type.Optional<T[K]>>;
  };
}

/** What the verbs call by another name: theirs end in the unit. */
const VERB_NAMES: Readonly<Record<string, string>> = {
  checkInterval: "intervalSeconds",
  timeout: "timeoutSeconds",
  recheckDelay: "recheckDelaySeconds",
};

/** A body in the verbs' terms: every field that the schema declares. */
export function readDomainInput(body: Static<typeof DomainUpdate>): MonitorInput {
  const own: Record<string, unknown> = {};
  const config: Record<string, unknown> = {};
  for (const name of Object.keys(DomainUpdate.properties)) {
    const value = body[name as keyof typeof body];
    if (value === undefined) continue;
    if (name in check) config[name] = value;
    else own[VERB_NAMES[name] ?? name] = value;
  }
  return { ...own, config };
}
