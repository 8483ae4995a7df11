import { describe, expect, test } from "vitest";
import { serve } from "../domains/factories.ts";
import { type Field, KINDS } from "./kinds.ts";

const legacy = { url: "/api/services", config: "protocolConfig", named: (name: string) => name };
const v2 = {
  url: "/v2/services",
  config: "protocol_config",
  named: (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
};
const FAMILIES = [legacy, v2];

/** Values that a field must refuse, by what is wrong with them. */
function badValues(field: Field): [what: string, value: unknown][] {
  const { type, minimum, maximum, minLength = 0, maxLength } = field;
  const wrong: [string, unknown][] = [["a value of another type", type === "object" ? 7 : { other: [] }]];
  if (type === "integer") wrong.push(["half a number", 1.5], ["a word", "many"]);
  if (type === "boolean") wrong.push(["perhaps", "perhaps"]);
  if (minimum !== undefined) wrong.push(["too little", minimum - 1]);
  if (maximum !== undefined) wrong.push(["too much", maximum + 1]);
  if (type === "string" && minLength > 0) wrong.push(["nothing", ""]);
  if (maxLength !== undefined) wrong.push(["too long", "x".repeat(maxLength + 1)]);
  if (field.enum !== undefined) wrong.push(["no such choice", "no-such-choice"]);
  if (field.format === "host") wrong.push(["no host", "no host"], ["a metadata address", "169.254.169.254"]);
  if (field.format === "server-name")
    wrong.push(["no name", "no host"], ["an address", "192.0.2.1"], ["an IPv6 address", "2001:db8::1"]);
  if (field.pattern !== undefined) wrong.push(["what its pattern forbids", "\u0000"]);
  return wrong;
}

/** The full configuration of a kind; what fields have no say in what others must be. */
const fullConfig = ({ config, fields }: (typeof KINDS)[number]) => ({
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = field.examples?.[0] ?? field.default;
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  ...config,
});

/** Some kinds have hundreds of bad values, each a request. */
const WITHIN_MS = 120_000;

describe("a configuration", { timeout: WITHIN_MS }, () => {
  test.each(KINDS)("of kind $type is refused by the field that is bad, in both families", async (kind) => {
    const { api } = await serve({ engine: "sqlite" });
    const wrong: string[] = [];
    let made = 0;
    for (const { url, config, named } of FAMILIES) {
      const tries = Object.entries(kind.fields).flatMap(([name, field]) =>
        badValues(field).map(([what, value]) => [name, what, value] as const),
      );
      // The older family passes over what it does not know.
      const unknown = url.startsWith("/v2") ? [["noSuchField", "unknown", 1] as const] : [];
      for (const [name, what, value] of [...tries, ...unknown]) {
        // An HTTP service is named by its URL or, in parts, by its host.
        const isInParts = kind.type === "http" && name === "host";
        if (isInParts && what === "a metadata address") continue;
        const least = isInParts ? {} : kind.config;
        const body = { ...least, [name]: value };
        const sent = Object.fromEntries(Object.entries(body).map(([own, one]) => [named(own), one]));
        const answer = await api("POST", url, { name: `${made++}`, protocol: kind.type, [config]: sent });
        const keys = Object.keys(answer.body.errors ?? {});
        const isNamed = keys.some((key) => key.startsWith(`${config}.${named(name)}`));
        if (answer.status !== 422 || !isNamed)
          wrong.push(`${url} ${name}, ${what}: ${answer.status} ${keys.join()}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(KINDS)("of another kind is no configuration of kind $type, by field", async (kind) => {
    const { api } = await serve({ engine: "sqlite" });
    const wrong: string[] = [];
    for (const other of KINDS.filter(({ type }) => type !== kind.type)) {
      const given = fullConfig(other);
      const unknown = Object.keys(given).filter((name) => !(name in kind.fields));
      // An HTTP service needs a URL or a host.
      const needed = kind.type === "http" ? [] : kind.required;
      const missing = needed.filter((name) => !(name in given));
      const sent = Object.fromEntries(Object.entries(given).map(([name, value]) => [v2.named(name), value]));
      const body = { name: other.type, protocol: kind.type, protocol_config: sent };
      const { status, body: answer } = await api("POST", "/v2/services", body);
      const keys = Object.keys(answer.errors ?? {});
      const named = [...unknown, ...missing].map((name) => `protocol_config.${v2.named(name)}`);
      // Some kinds need no more than a host.
      if (named.length === 0) continue;
      const unnamed = named.filter((name) => !keys.includes(name));
      if (status !== 422 || unnamed.length > 0)
        wrong.push(`${other.type}: ${status}, not named: ${unnamed.join()}`);
    }
    expect(wrong).toEqual([]);
  });
});
