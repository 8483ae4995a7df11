import { randomUUIDv7 } from "node:crypto";
import type { IntegrationKind } from "../../src/integrations/kind.ts";
import { insertResources, listResources } from "../../src/integrations/queries/integration-resources.ts";
import {
  type Integration,
  insertIntegration,
  readIntegration,
} from "../../src/integrations/queries/integrations.ts";
import { INTEGRATIONS, type Provider } from "../../src/integrations/registry.ts";
import type { Caller } from "../../src/platform/access/caller.ts";
import { sealConfig } from "../../src/platform/secrets/secret-box.ts";
import type { TestServer } from "../harness/server.ts";
import { AZURE, SECRETS, SITE_ID } from "./providers.ts";

const configOf = ({ ctx }: Pick<TestServer, "ctx">): Record<Provider, object> => ({
  azure: AZURE,
  coolify: { url: ctx.config.vercelApiUrl, apiKey: SECRETS.coolify },
  vercel: {
    accessToken: SECRETS.vercelAccess,
    refreshToken: SECRETS.vercelRefresh,
    expiresAt: ctx.clock.now() + 3_600_000,
  },
});

interface Where {
  server: Pick<TestServer, "ctx">;
  owner: Pick<Caller, "organizationId">;
}

/** An account that is linked, without a request to its provider. */
export async function addLinked(
  { server, owner }: Where,
  provider: Provider,
  more: object = {},
): Promise<Integration> {
  const { store, secrets, clock } = server.ctx;
  const { configSchema } = INTEGRATIONS[provider] as IntegrationKind;
  const sealed = sealConfig(secrets, configSchema, { ...configOf(server)[provider], ...more });
  const linked = { ...sealed, name: "Production", account: "Acme", provider, uuid: randomUUIDv7() };
  const id = await insertIntegration(
    store.db,
    { ...linked, organizationId: owner.organizationId },
    clock.now(),
  );
  return (await readIntegration(store.db, id)) as Integration;
}

const RESOURCES = {
  azure: {
    externalId: SITE_ID,
    type: "Microsoft.Web/sites",
    details: { address: "https://shop.azurewebsites.test" },
  },
  coolify: { externalId: "app1", type: "application", details: {} },
  vercel: { externalId: "prj_1", type: "project", details: {} },
};

/** Something that it has; answers its number. */
export async function addLinkedResource(
  { server }: Pick<Where, "server">,
  integrationId: number,
  provider: Provider,
) {
  const { store, clock } = server.ctx;
  const own = { uuid: randomUUIDv7(), name: "shop", place: null, state: null, address: "https://shop.test" };
  await insertResources(store.db, integrationId, [{ ...own, ...RESOURCES[provider] }], clock.now());
  return (await listResources(store.db, integrationId))[0]?.id;
}
