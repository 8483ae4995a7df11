import { randomBytes } from "node:crypto";
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { checkKinds } from "../../../src/checks/registry.ts";
import { type SecretHint, withoutHidden } from "../../../src/platform/secrets/config-secrets.ts";
import { createSecretBox, openConfig, sealConfig } from "../../../src/platform/secrets/secret-box.ts";

const hidden: SecretHint = { "x-secret": "hidden" };
const changers: SecretHint = { "x-secret": "changers" };

const schema = Type.Object({
  host: Type.String(),
  send: Type.Optional(Type.String({ ...changers })),
  login: Type.Optional(Type.Object({ password: Type.Optional(Type.String()) }, { ...hidden })),
});

const box = createSecretBox(randomBytes(32));

describe("what a kind's schema marks as secret", () => {
  test("is stored encrypted, and nothing else is", () => {
    const config = { host: "a.test", send: "AUTH t0ken", login: { password: "s3cret" } };
    const sealed = sealConfig(box, schema, config);
    expect(sealed.config).toEqual({ host: "a.test" });
    expect(JSON.parse(box.open(sealed.secrets ?? ""))).toEqual({ send: config.send, login: config.login });
    expect(openConfig(box, sealed)).toEqual(config);
  });

  test("leaves nothing to encrypt where it is absent or empty", () => {
    const sealed = { config: { host: "a.test" }, secrets: null };
    expect(sealConfig(box, schema, { host: "a.test" })).toEqual(sealed);
    expect(sealConfig(box, schema, { host: "a.test", send: undefined, login: {} })).toEqual(sealed);
    expect(openConfig(box, sealed)).toEqual({ host: "a.test" });
  });

  test("is not returned where it is hidden", () => {
    const config = { host: "a.test", send: "QUIT", login: { password: "s3cret" } };
    expect(withoutHidden(schema, config)).toEqual({ host: "a.test", send: "QUIT" });
  });

  test("is every field of every kind that is typed as a password", () => {
    for (const { type, configSchema } of Object.values(checkKinds)) {
      const { properties } = configSchema as unknown as { properties: Record<string, TSchema> };
      for (const [name, field] of Object.entries(properties)) {
        const isTypedSecretly = JSON.stringify(field).includes('"format":"password"');
        expect([type, name, !isTypedSecretly || "x-secret" in field]).toEqual([type, name, true]);
      }
    }
  });
});
