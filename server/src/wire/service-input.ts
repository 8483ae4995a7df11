import { type Static, Type } from "typebox";
import type { KindDefaults } from "../check/check.ts";
import type { MonitorInput } from "../monitor/settings.ts";
import { anyCheckFields, CHECK_CONFIGS } from "./check-configs.ts";
import { oneOf } from "./field.ts";
import { monitorSettings, optional, pick, usual, verbName } from "./monitor-input.ts";
import { capital } from "./word.ts";

const nameField = Type.String({
  format: "name",
  description: "1 to 255 characters. The same target may be monitored twice only under different names.",
  examples: ["Database"],
});

export const Protocol = oneOf(
  CHECK_CONFIGS.map(({ type }) => type),
  { description: "What is spoken; decides what `protocolConfig` holds." },
);

/** The configuration of any kind of check. */
const ServiceConfig = Type.Object(optional(anyCheckFields), {
  title: "ServiceConfig",
  description:
    "What the protocol needs to know, as its own schema says (in ServiceCreate). It is replaced as a whole; but what is never returned stays where it is not sent again, unless the protocol, or what is done with it (where it is sent, and for what), changes.",
});

/** The settings that a kind of check has otherwise than most, as hints to forms. */
const usualSettings = (defaults: KindDefaults) =>
  Object.fromEntries(
    Object.entries(monitorSettings).flatMap(([name, schema]) => {
      const value = defaults[verbName(name) as keyof KindDefaults];
      return value === undefined ? [] : [[name, { ...schema, ...usual(value) }]];
    }),
  );

/** PUT /api/services/{id}: any subset. */
export const ServiceUpdate = Type.Object(
  {
    name: Type.Optional(nameField),
    protocol: Type.Optional(Protocol),
    protocolConfig: Type.Optional(ServiceConfig),
    ...optional(monitorSettings),
  },
  { title: "ServiceUpdate" },
);

/** POST /api/services: one shape for each protocol. */
export const ServiceCreate = Type.Unsafe<Static<typeof ServiceUpdate>>({
  ...Type.Object(
    {
      ...ServiceUpdate.properties,
      name: nameField,
      protocol: Protocol,
      protocolConfig: ServiceConfig,
    },
    { title: "ServiceCreate" },
  ),
  discriminator: { propertyName: "protocol" },
  oneOf: CHECK_CONFIGS.map(({ type, schema, defaults }) => ({
    type: "object",
    title: `${capital(type)}Service`,
    required: ["protocol", "protocolConfig"],
    properties: { protocol: Type.Literal(type), protocolConfig: schema, ...usualSettings(defaults) },
    // The fields beside these are the same for all.
    additionalProperties: true,
  })),
});

/** A body in the verbs' terms: every field that the schema declares. */
export function readServiceInput(body: Static<typeof ServiceUpdate>): MonitorInput {
  const { protocolConfig, ...given } = pick(Object.keys(ServiceUpdate.properties), body);
  const own = Object.fromEntries(Object.entries(given).map(([name, value]) => [verbName(name), value]));
  if (!protocolConfig) return own;
  const fields = CHECK_CONFIGS.find(({ type }) => type === body.protocol)?.fields ?? anyCheckFields;
  return { ...own, config: pick(Object.keys(fields), protocolConfig) };
}
