import type { TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { channelKinds } from "../../src/alerts/channels/registry.ts";
import { checkKinds } from "../../src/checks/registry.ts";
import { INTEGRATIONS } from "../../src/integrations/registry.ts";
import { rulesOf } from "../../src/monitors/check-rules.ts";
import { HIDDEN } from "../../src/platform/monitor-defaults.ts";
import {
  type ChangeHint,
  decisiveFields,
  headerFields,
  hiddenFields,
  type SecretHint,
} from "../../src/platform/secrets/config-secrets.ts";

/** Whatever is not named here takes stored credentials elsewhere, or uses them for something else. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  "check http": [
    ...["isApi", "authType", "method", "body", "assertions", "bodyBytes", "followRedirects", "maxRedirects"],
    ...["requireTls", "certificateExpiryDays"],
  ],
  "check websocket": ["path", "send", "expect"],
  "check postgres": ["expect"],
  "check mysql": ["expect"],
  "check redis": ["expect"],
  "check mongodb": ["role"],
  "check mqtt": ["expect"],
  "channel telegram": ["chat"],
  "channel matrix": ["room"],
  "channel apprise": ["tag"],
  "channel twilio": ["sender", "phone"],
  "integration azure": ["subscriptionId"],
};

type Field = TSchema & { type?: string; enum?: unknown[]; default?: unknown } & Partial<
    SecretHint & ChangeHint
  >;
type Config = Record<string, unknown>;

const fieldsOf = (schema: TSchema) => (schema as unknown as { properties: Record<string, Field> }).properties;

const holdsSecrets = (schema: TSchema): boolean =>
  Object.values(fieldsOf(schema)).some((field) => ["hidden", "headers"].includes(field["x-secret"] ?? ""));

const isSecret = (field: Field) => field["x-secret"] === "hidden" || field["x-secret"] === "headers";

const CHECKS = Object.values(checkKinds)
  .filter(({ configSchema }) => holdsSecrets(configSchema))
  .map(({ type, configSchema }) => ({
    type,
    schema: configSchema as TSchema,
    fields: fieldsOf(configSchema),
  }));

const SCHEMAS = [
  ...Object.values(checkKinds).map(({ type, configSchema }) => ({
    name: `check ${type}`,
    schema: configSchema as TSchema,
  })),
  ...Object.values(channelKinds).map(({ type, configSchema }) => ({
    name: `channel ${type}`,
    schema: configSchema as TSchema,
  })),
  ...Object.entries(INTEGRATIONS).map(([type, { configSchema }]) => ({
    name: `integration ${type}`,
    schema: configSchema as TSchema,
  })),
].filter(({ schema }) => holdsSecrets(schema));

const CREDENTIALS = { "x-key": "open sesame" };

/** A configuration with every field said, and with a credential in each that may hold one. */
function whole(fields: Record<string, Field>): Config {
  const values = Object.entries(fields).map(([name, field]): [string, unknown] => {
    if (name === "authConfig") return [name, { token: "open-sesame" }];
    if (name === "authType") return [name, "bearer"];
    if (isSecret(field)) return [name, field.type === "object" ? CREDENTIALS : "open sesame"];
    return [name, valueOf(name, field)];
  });
  return Object.fromEntries(values);
}

function valueOf(name: string, { type, enum: values, default: usual }: Field): unknown {
  if (name === "url") return "https://shop.test/";
  if (values) return usual ?? values[0];
  if (type === "boolean") return usual ?? false;
  if (type === "integer") return usual ?? 5;
  return type === "array" ? [] : (usual ?? "shop.test");
}

/** What a person may say instead. */
function others(name: string, field: Field, value: unknown): unknown[] {
  if (name === "url") return ["http://shop.test/", "https://shop.test:8443/", "https://thief.test/"];
  if (field.enum) return field.enum.filter((one) => one !== value);
  if (field.type === "boolean") return [!(value as boolean)];
  if (field.type === "integer") return [(value as number) + 1];
  return field.type === "array" ? [[{ type: "status", codes: "200" }]] : ["thief.test"];
}

/** The credentials that have to be sent again where this alone changes. */
function requestedAgain({ type, schema, fields }: (typeof CHECKS)[number], change: Config): string[] {
  const stored = whole(fields);
  const retained = hiddenFields(schema, stored);
  const open = Object.entries(stored).filter(([name]) => !(name in retained));
  const masked = headerFields(schema).map((name) => [name, { "x-key": HIDDEN }]);
  const sent = { ...Object.fromEntries(open), ...Object.fromEntries(masked), ...change };
  const requested: string[] = [];
  rulesOf(type).change({ stored, retained, sent }, (field) => void requested.push(field));
  return requested;
}

describe("stored credentials", () => {
  test.each(CHECKS)(
    "of $type have to be sent again with every field that is not known to be harmless",
    (kind) => {
      const secrets = Object.keys(kind.fields).filter((name) => isSecret(kind.fields[name] as Field));
      const wanted = secrets.map((name) =>
        headerFields(kind.schema).includes(name) ? `${name}.x-key` : name,
      );
      expect(requestedAgain(kind, {})).toEqual([]);
      let tried = 0;
      for (const [name, field] of Object.entries(kind.fields)) {
        // Of another way to log in nothing is stored at all (http-settings.ts).
        if (isSecret(field) || name === "authType") continue;
        const isHarmless = HARMLESS[`check ${kind.type}`]?.includes(name) ?? false;
        const value = whole(kind.fields)[name];
        for (const other of others(name, field, value)) {
          const requested = requestedAgain(kind, { [name]: other }).sort();
          const isLeftOn = field["x-change"] === "exposes" && value === true;
          expect([name, other, requested]).toEqual([
            name,
            other,
            isHarmless || isLeftOn ? [] : wanted.toSorted(),
          ]);
          tried += 1;
        }
      }
      expect(tried).toBeGreaterThan(4);
    },
  );

  test("have to be sent again for switches of TLS that let others read them, and only where they are turned on", () => {
    for (const kind of CHECKS) {
      const { exposes } = decisiveFields(kind.schema);
      if ("ignoreCertificate" in kind.fields)
        expect([kind.type, exposes]).toEqual([kind.type, ["ignoreCertificate", "legacyRenegotiation"]]);
    }
  });

  test("stay with a change of fields that was reviewed, of no others", () => {
    const harmless = SCHEMAS.flatMap(({ name, schema }) => {
      const { moves, exposes } = decisiveFields(schema);
      const found = Object.entries(fieldsOf(schema))
        .filter(([field, own]) => !isSecret(own) && ![...moves, ...exposes].includes(field))
        .map(([field]) => field);
      return found.length > 0 ? [[name, found]] : [];
    });
    expect(Object.fromEntries(harmless)).toEqual(HARMLESS);
  });
});
