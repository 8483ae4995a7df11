import { expect, onTestFinished, test } from "vitest";
import { createResolver } from "../../src/checks/resolve.ts";
import type { Access, IntegrationKind } from "../../src/integrations/kind.ts";
import { ProviderError } from "../../src/integrations/provider-error.ts";
import { INTEGRATIONS, PROVIDERS, type Provider } from "../../src/integrations/registry.ts";
import { createSender } from "../../src/integrations/send-request.ts";
import { testConfig } from "../harness/server.ts";
import { AZURE, json, type Providers, SECRETS, SITE_ID, startProviders } from "./providers.ts";
import { failureOf } from "./setup.ts";

/** The first request for a list of resources, once the credentials are taken. */
const LISTS: Record<Provider, RegExp> = {
  azure: /^GET \/subscriptions\/.*\/resources/,
  coolify: /^GET \/api\/v1\/applications$/,
  vercel: /^GET \/v10\/projects/,
};

async function start() {
  const providers = await startProviders();
  onTestFinished(providers.close);
  return providers;
}

function accessTo(
  providers: Providers,
  provider: Provider,
  more: object = {},
  signal = AbortSignal.timeout(30_000),
) {
  const configs = {
    azure: AZURE,
    coolify: { url: providers.url, apiKey: SECRETS.coolify },
    vercel: { accessToken: SECRETS.vercelAccess, refreshToken: SECRETS.vercelRefresh, expiresAt: 2e12 },
  };
  const network = { resolver: createResolver({ servers: [] }), policy: "all" as const };
  const access = {
    config: { ...configs[provider], ...more },
    settings: testConfig(providers.config),
    send: createSender(network, signal),
    now: Date.now(),
  };
  return access as unknown as Access<never>;
}

const kindOf = (provider: Provider) => INTEGRATIONS[provider] as IntegrationKind;

const ACCOUNTS: Record<Provider, string> = { azure: "Pay-As-You-Go", coolify: "Root Team", vercel: "ada" };

test.each(PROVIDERS)("%s takes good credentials and says whose they are", async (provider) => {
  const providers = await start();
  expect(await kindOf(provider).verify(accessTo(providers, provider))).toBe(ACCOUNTS[provider]);
});

test.each([
  ["azure", { clientSecret: "wrong-secret" }, "clientSecret"],
  ["azure", { clientId: "app-2" }, "clientId"],
  ["azure", { tenantId: "unknown.test" }, "tenantId"],
  ["azure", { subscriptionId: "00000000-0000-4000-8000-000000000009" }, "subscriptionId"],
  ["coolify", { apiKey: "wrong" }, undefined],
  ["vercel", { accessToken: "wrong" }, undefined],
] as const)("%s's wrong credentials %j are reported by their field", async (provider, wrong, field) => {
  const providers = await start();
  const error = await kindOf(provider)
    .verify(accessTo(providers, provider, wrong))
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ProviderError);
  expect(["refused", "missing"]).toContain((error as ProviderError).is);
  expect((error as ProviderError).field).toBe(field);
  // Nothing of what the other side said, which may have what was sent in it.
  expect(JSON.stringify(error)).not.toMatch(/wrong-secret|Trace ID/);
});

test.each(PROVIDERS)("%s's resources are read from every page", async (provider) => {
  const providers = await start();
  const found = await kindOf(provider).listResources(accessTo(providers, provider));
  expect(found.map(({ type, name, state, address }) => [type, name, state, address])).toEqual(
    {
      azure: [
        ["Microsoft.Web/sites", "shop", "Running", "https://shop.azurewebsites.test"],
        ["Microsoft.DBforPostgreSQL/flexibleServers", "db", "Ready", "db.postgres.azure.test:5432"],
        ["Microsoft.Network/virtualNetworks", "vnet", "Succeeded", null],
      ],
      coolify: [
        ["application", "shop", "running:healthy", "https://shop.coolify.test"],
        ["application", "worker", "exited:unhealthy", null],
        ["service", "wiki", "running", "https://wiki.test"],
        ["database", "postgres", "running:healthy", "192.0.2.7:15432"],
        ["server", "localhost", "reachable", "127.0.0.1"],
      ],
      vercel: [
        ["project", "site", "ready", "https://site.vercel.app"],
        ["project", "docs", "ready", "https://docs.vercel.app"],
      ],
    }[provider],
  );
});

test.each([
  [401, {}, "refused"],
  [500, {}, "down"],
  [503, {}, "down"],
  [302, { location: "http://127.0.0.1:1/" }, "malformed"],
] as const)("an answer of %i ends the look at any of them", async (status, headers, is) => {
  const providers = await start();
  for (const provider of PROVIDERS) {
    providers.override(LISTS[provider], json(status, { error: "open sesame" }, headers));
    expect([
      provider,
      await failureOf(kindOf(provider).listResources(accessTo(providers, provider))),
    ]).toEqual([provider, is]);
  }
});

test.each(PROVIDERS)("%s may permit too little", async (provider) => {
  const providers = await start();
  providers.override(LISTS[provider], json(403, { error: { code: "AuthorizationFailed", message: "no" } }));
  expect(await failureOf(kindOf(provider).listResources(accessTo(providers, provider)))).toBe("forbidden");
});

test.each(PROVIDERS)("%s is left alone as long as it requests, if not waited for", async (provider) => {
  const providers = await start();
  const { override } = providers;
  let requestCount = 0;
  override(LISTS[provider], (response, seen) => {
    requestCount += 1;
    // Short: it is waited for, and the request repeated.
    if (requestCount > 1) override(LISTS[provider], null);
    json(
      429,
      { error: { code: "TooManyRequests" } },
      { "retry-after": requestCount > 1 ? "120" : "0" },
    )(response, seen);
  });
  const error = await kindOf(provider)
    .listResources(accessTo(providers, provider))
    .catch((caught: unknown) => caught);
  expect([(error as ProviderError).is, (error as ProviderError).afterMs, requestCount]).toEqual([
    "busy",
    120_000,
    2,
  ]);
  expect(await failureOf(kindOf(provider).listResources(accessTo(providers, provider)))).toBe("done");
});

test.each(PROVIDERS)("%s was busy, where its pause outlasts the request", async (provider) => {
  const providers = await start();
  providers.override(LISTS[provider], json(429, {}, { "retry-after": "5" }));
  const soon = accessTo(providers, provider, {}, AbortSignal.timeout(500));
  expect(await failureOf(kindOf(provider).listResources(soon))).toBe("busy");
});

test.each([
  ["no JSON", "<html>"],
  ["half of it", '{"value": ['],
  ["something else", '{"value": 7, "projects": 7}'],
  ["nothing", ""],
] as const)("%s is an answer that cannot be read", async (_what, body) => {
  const providers = await start();
  for (const provider of PROVIDERS) {
    providers.override(LISTS[provider], (response) => response.end(body));
    expect([
      provider,
      await failureOf(kindOf(provider).listResources(accessTo(providers, provider))),
    ]).toEqual([provider, "malformed"]);
  }
});

test("an answer without end, and one that never comes, are given up", async () => {
  const providers = await start();
  providers.override(LISTS.coolify, (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const pour = () => {
      while (response.write(`"${"x".repeat(65_536)}",`)) if (response.destroyed) return;
      response.once("drain", pour);
    };
    pour();
  });
  expect(await failureOf(kindOf("coolify").listResources(accessTo(providers, "coolify")))).toBe("malformed");
  providers.override(LISTS.coolify, () => {});
  const soon = accessTo(providers, "coolify", {}, AbortSignal.timeout(200));
  expect(await failureOf(kindOf("coolify").listResources(soon))).toBe("down");
});

test("a token goes nowhere but to where it belongs", async () => {
  const providers = await start();
  const elsewhere = await start();
  const next = `${elsewhere.url}/subscriptions/1/resources`;
  providers.override(LISTS.azure, json(200, { value: [], nextLink: next }));
  expect(await failureOf(kindOf("azure").listResources(accessTo(providers, "azure")))).toBe("malformed");
  expect(elsewhere.requests).toEqual([]);
});

test("links that lead in a circle come to an end", async () => {
  const providers = await start();
  const next = `${providers.url}/subscriptions/1/resources`;
  providers.override(/^GET \/subscriptions\//, json(200, { value: [], nextLink: next }));
  expect(await failureOf(kindOf("azure").listResources(accessTo(providers, "azure")))).toBe("malformed");
  providers.override(LISTS.vercel, json(200, { projects: [], pagination: { next: 7 } }));
  expect(await failureOf(kindOf("vercel").listResources(accessTo(providers, "vercel")))).toBe("malformed");
});

test("Azure's resources may have names with spaces, as the alert rules have that come with Application Insights", async () => {
  const providers = await start();
  const { azure } = providers.world;
  const rule = `${SITE_ID.replace(/\/Microsoft.*/, "")}/microsoft.alertsmanagement/smartDetectorAlertRules`;
  azure.others.push({
    id: `${rule}/Failure Anomalies - shop`,
    name: "Failure Anomalies - shop",
    type: "microsoft.alertsmanagement/smartDetectorAlertRules",
  });
  const found = await kindOf("azure").listResources(accessTo(providers, "azure"));
  expect(found.map(({ name }) => name)).toEqual(["shop", "db", "vnet", "Failure Anomalies - shop"]);
  // One that would lead elsewhere is none.
  azure.others[2].id = "/subscriptions/../../secrets";
  expect(await failureOf(kindOf("azure").listResources(accessTo(providers, "azure")))).toBe("malformed");
});

test("what Azure calls a web app is put into addresses as it is", async () => {
  const providers = await start();
  const one = { externalId: SITE_ID.replace("shop-rg", "shop #1 rg"), type: "microsoft.web/sites" };
  const resource = { ...one, details: { address: "https://shop.test" } } as never;
  const watched = await kindOf("azure").watch(accessTo(providers, "azure"), resource);
  expect(watched).toEqual({ kind: "domain", url: "https://shop.test/health" });
  expect(providers.requests.at(-1)?.path).toContain(
    "/shop%20%231%20rg/providers/Microsoft.Web/sites/shop/config",
  );
});

test("a team without access does not hide the others", async () => {
  const providers = await start();
  providers.override(
    /^GET \/v10\/projects\?teamId=team_1/,
    json(403, { error: { code: "forbidden", message: "no" } }),
  );
  const found = await kindOf("vercel").listResources(accessTo(providers, "vercel"));
  expect(found.map(({ name }) => name)).toEqual(["site"]);
});

test("Coolify inside this network gets no request where only public addresses are", async () => {
  const providers = await start();
  const network = { resolver: createResolver({ servers: [] }), policy: "public" as const };
  const access = {
    ...(accessTo(providers, "coolify") as object),
    send: createSender(network, AbortSignal.timeout(5_000)),
  };
  expect(await failureOf(kindOf("coolify").verify(access as never))).toBe("unallowed");
  expect(providers.requests).toEqual([]);
});
