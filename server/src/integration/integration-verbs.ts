import { Type } from "typebox";
import { listIntegrations as readAll } from "../store/queries/integrations.ts";
import { namedFor } from "../verb/named-for.ts";
import { verb } from "../verb/verb.ts";
import { LinkedAccount, ProviderInfo, projectIntegration } from "../wire/integrations.ts";
import { PageQuery, pageOf } from "../wire/page.ts";
import { accountVerbs, READS } from "./account-verbs.ts";
import { withCounts } from "./find-account.ts";
import { INTEGRATIONS, PROVIDERS } from "./registry.ts";
import { resourceVerbs } from "./resource-verbs.ts";
import { vercelVerbs } from "./vercel-link.ts";
import { CALLBACK_PATH, missingSetting } from "./vercel-oauth.ts";

/** The accounts of all providers, oldest first. */
export const listIntegrations = verb({
  ...READS,
  input: Type.Object(PageQuery),
  output: Type.Array(LinkedAccount),
  paged: true,
  async run(ctx, input) {
    const { organizationId } = ctx.caller;
    const { items, page } = pageOf(await readAll(ctx.db, { organizationId }), input);
    return { items: (await withCounts(ctx, items)).map(projectIntegration), page };
  },
});

/** Which providers there are, and what the operator has to set before their accounts can be linked. */
export const listProviders = verb({
  ...READS,
  input: Type.Object({}),
  output: Type.Array(ProviderInfo),
  async run({ config }) {
    return PROVIDERS.map((provider) => {
      const { title, link } = INTEGRATIONS[provider];
      const byOauth = link === "oauth";
      const isReached = byOauth && config.publicUrl !== null;
      return {
        ...{ provider, title, link },
        missing: byOauth ? missingSetting(config) : null,
        callbackUrl: isReached ? config.publicUrl + CALLBACK_PATH : null,
      };
    });
  },
});

/** The verbs of each provider's accounts and of what these have. */
export const ACCOUNT_VERBS = {
  azure: { ...accountVerbs("azure"), ...resourceVerbs("azure") },
  coolify: { ...accountVerbs("coolify"), ...resourceVerbs("coolify") },
  vercel: { ...vercelVerbs, ...resourceVerbs("vercel") },
};

/** All of them by name. */
export const INTEGRATION_VERBS = {
  listIntegrations,
  listProviders,
  ...namedFor("azure", ACCOUNT_VERBS.azure),
  ...namedFor("coolify", ACCOUNT_VERBS.coolify),
  ...namedFor("vercel", ACCOUNT_VERBS.vercel),
};
