import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import { ACCOUNT_VERBS, listIntegrations, listProviders } from "../integration-verbs.ts";
import { INTEGRATIONS, PROVIDERS, type Provider } from "../registry.ts";

export function describeIntegrations(define: DefineBoth): void {
  define({
    verb: listIntegrations,
    method: "GET",
    url: "/api/integrations",
    summary: "List linked accounts",
    description: "Of all providers, oldest first. Credentials are never shown.",
  });
  define({
    verb: listProviders,
    method: "GET",
    url: "/api/integrations/providers",
    summary: "List what can be linked",
    description:
      "And what the operator of the installation has to set before accounts of a provider can be linked.",
  });
  for (const provider of PROVIDERS) describeProvider(define, provider);
}

/** Both spellings of the specification's neutral segment, in both families. */
function buildPaths(provider: Provider, path = "") {
  const { segment, accounts } = INTEGRATIONS[provider].words;
  const [neutral, own] = [segment, provider].map((one) => `${one}/${accounts}${path}`);
  const inV2 = `/v2/${own}`.replace(/:id\b/, ":uuid");
  return { url: `/api/${neutral}`, aliases: [`/api/${own}`], v2: { aliases: [inV2] } };
}

/** Of requests to the provider. */
const UPSTREAM_FAILURES = { failures: [409, 502] };

function describeProvider(define: DefineBoth, provider: Provider): void {
  const { title, words, link } = INTEGRATIONS[provider];
  const { resources } = words;
  const verbs = ACCOUNT_VERBS[provider] as unknown as Record<string, Verb>;
  const at = (path = "") => buildPaths(provider, path);
  const verbNamed = (name: string) => verbs[name] as Verb;
  define({
    ...at(),
    verb: verbNamed("list"),
    method: "GET",
    summary: `List linked accounts of ${title}`,
    description: "Oldest first. Credentials are never shown.",
  });
  if (link === "form") describeForm(define, provider);
  else describeOauth(define, provider);
  define({
    ...at("/:id"),
    verb: verbNamed("get"),
    method: "GET",
    summary: `Get a linked account of ${title}`,
    description: "With the state of the last look at its resources.",
  });
  define({
    ...at("/:id"),
    verb: verbNamed("remove"),
    method: "DELETE",
    summary: `Unlink an account of ${title}`,
    description: "Its credentials are forgotten. What is monitored stays monitored.",
    message: "Account unlinked.",
  });
  define({
    ...at("/:id/sync"),
    verb: verbNamed("sync"),
    method: "POST",
    summary: `Read the ${resources} of an account of ${title} now`,
    description: "Within seconds rather than minutes: `syncedAt` says when it was done.",
    message: "The account will be read in a moment.",
  });
  define({
    ...at(`/:id/${resources}`),
    verb: verbNamed("resources"),
    method: "GET",
    summary: `List the ${resources} of an account of ${title}`,
    description: "By type and name, as they were read last.",
  });
  const resource = `${resources.slice(0, -1)}Id`;
  const monitor = at(`/:id/${resources}/:${resource}/monitor`);
  define({
    ...UPSTREAM_FAILURES,
    ...monitor,
    v2: {
      ...monitor.v2,
      aliases: monitor.v2.aliases.map((url) => url.replace(`:${resource}`, `:${snakeId(resource)}`)),
    },
    verb: verbNamed("monitor"),
    params: { [resource]: "resource" },
    method: "POST",
    status: 201,
    summary: `Monitor one of the ${resources} of ${title}`,
    description:
      "Makes a domain or a service of it, with the resource's name, address and health path; a monitor that checks this address in this way already is taken as it is. 409 where it is monitored already or has no address.",
    message: "The resource is monitored.",
  });
}

const snakeId = (name: string) => name.replace("Id", "_id");

function describeForm(define: DefineBoth, provider: "azure" | "coolify" | Provider): void {
  const { title } = INTEGRATIONS[provider];
  const verbs = ACCOUNT_VERBS[provider] as unknown as Record<string, Verb>;
  define({
    ...UPSTREAM_FAILURES,
    ...buildPaths(provider),
    verb: verbs["create"] as Verb,
    method: "POST",
    status: 201,
    summary: `Link an account of ${title}`,
    description:
      "The credentials are checked: 422 names the field that the provider does not take, 502 says that it does not answer.",
    message: "Account linked.",
  });
  define({
    ...UPSTREAM_FAILURES,
    ...buildPaths(provider, "/:id"),
    verb: verbs["update"] as Verb,
    method: "PUT",
    summary: `Change a linked account of ${title}`,
    description:
      "Any subset of the fields; what is not sent stays. Where the account becomes another one, its secret has to be sent again.",
    message: "Account updated.",
  });
}

function describeOauth(define: DefineBoth, provider: Provider): void {
  const { title } = INTEGRATIONS[provider];
  const verbs = ACCOUNT_VERBS[provider] as unknown as Record<string, Verb>;
  define({
    ...UPSTREAM_FAILURES,
    ...buildPaths(provider),
    verb: verbs["create"] as Verb,
    method: "POST",
    status: 201,
    summary: `Begin to link an account of ${title}`,
    description:
      "Answers where people agree (OAuth 2.0, code flow with PKCE). 409 until the operator has set the application's credentials.",
    message: "Open the address to go on.",
  });
  define({
    ...UPSTREAM_FAILURES,
    ...buildPaths(provider, "/callback"),
    verb: verbs["complete"] as Verb,
    method: "POST",
    status: 201,
    summary: `Link the account of ${title} that people agreed to`,
    description:
      "With the code and the state that the browser came back with, by the person who began. A code is good once.",
    message: "Account linked.",
  });
  define({
    ...UPSTREAM_FAILURES,
    ...buildPaths(provider, "/:id/relink"),
    verb: verbs["relink"] as Verb,
    method: "POST",
    summary: `Begin to link an account of ${title} again`,
    description: "For one whose link was revoked: it keeps its resources and what is monitored.",
    message: "Open the address to go on.",
  });
  define({
    ...buildPaths(provider, "/:id"),
    verb: verbs["update"] as Verb,
    method: "PUT",
    summary: `Rename a linked account of ${title}`,
    description: "Credentials change by linking it again.",
    message: "Account updated.",
  });
}
