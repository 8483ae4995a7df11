import { azureIntegration } from "./azure.ts";
import { coolifyIntegration } from "./coolify.ts";
import type { IntegrationKind } from "./kind.ts";
import { vercelIntegration } from "./vercel.ts";

/** Every outside system whose resources can be monitored; adding one is a file and a line here. */
// biome-ignore lint/suspicious/noExplicitAny: each kind knows its own configuration; callers validate it by configSchema.
export const INTEGRATIONS = {
  azure: azureIntegration,
  coolify: coolifyIntegration,
  vercel: vercelIntegration,
} satisfies Record<string, IntegrationKind<any>>;

export type Provider = keyof typeof INTEGRATIONS;

export const PROVIDERS = Object.keys(INTEGRATIONS) as Provider[];

/** Null: unknown, such as a newer version's. */
export const integrationKind = (provider: string): IntegrationKind | null =>
  Object.hasOwn(INTEGRATIONS, provider) ? (INTEGRATIONS[provider as Provider] as IntegrationKind) : null;
