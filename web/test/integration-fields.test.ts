import { describe, expect, test } from "vitest";
import { ACCOUNT_SHAPES } from "../../server/src/integrations/schemas/integrations.ts?schemas";
import { providerPaths } from "../src/api/integrations.ts";
import de from "../src/settings/integrations/de.json";
import en from "../src/settings/integrations/en.json";
import { credentialFields } from "../src/settings/integrations/LinkDialog.tsx";
import zh from "../src/settings/integrations/zh.json";

const providers = Object.keys(providerPaths) as (keyof typeof providerPaths)[];

describe("the form that links an account", () => {
  test("has what the server takes, in its order, and hides what is secret", () => {
    const fields = (provider: (typeof providers)[number]) =>
      credentialFields(provider).map(({ name, isSecret }) => (isSecret ? `${name} (secret)` : name));
    expect(fields("azure")).toEqual(["tenantId", "clientId", "clientSecret (secret)", "subscriptionId"]);
    expect(fields("coolify")).toEqual(["url", "apiKey (secret)"]);
    expect(fields("vercel")).toEqual([]);
  });

  test("knows every provider, and has words for each of its fields in every language", () => {
    expect(providers.toSorted()).toEqual(Object.keys(ACCOUNT_SHAPES).toSorted());
    const names = providers.flatMap((provider) => credentialFields(provider).map(({ name }) => name));
    for (const { field } of [en, de, zh]) expect(Object.keys(field).toSorted()).toEqual(names.toSorted());
  });
});
