import { expect, test } from "vitest";
import { PROVIDERS } from "../../src/integrations/registry.ts";
import { eachEngine } from "../harness/stores.ts";
import { AZURE, agree, json, SECRETS } from "./providers.ts";
import { startIntegrating } from "./setup.ts";

const ACCOUNTS = "/api/cloudprovider/accounts";
const INSTANCES = "/api/deployplatform/instances";
const PROJECTS = "/api/hostingplatform/accounts";

eachEngine("linked accounts", (engine) => {
  test("are linked, shown, changed and unlinked, under both spellings in both families", async () => {
    const { server, providers } = await startIntegrating(engine);
    const { api } = server;
    const made = await api("POST", "/api/azure/accounts", AZURE);
    expect(made.status).toBe(201);
    const { clientSecret: _, ...shown } = AZURE;
    expect(made.body.data).toMatchObject({ ...shown, provider: "azure", name: "Pay-As-You-Go", state: "ok" });
    const { id, uuid } = made.body.data;
    const coolify = await api("POST", INSTANCES, {
      name: "Ours",
      url: providers.url,
      apiKey: SECRETS.coolify,
    });
    expect(coolify.body.data).toMatchObject({ name: "Ours", url: providers.url, account: "Root Team" });
    const v2 = await api("GET", `/v2/azure/accounts/${uuid}`);
    expect(v2.body.data).toMatchObject({
      uuid,
      tenant_id: AZURE.tenantId,
      subscription_id: AZURE.subscriptionId,
    });
    for (const path of [
      ACCOUNTS,
      "/api/azure/accounts",
      "/v2/cloudprovider/accounts",
      "/v2/azure/accounts",
      "/api/v2/azure/accounts",
    ]) {
      const { status, body } = await api("GET", path);
      expect([path, status, body.data.map((one: { id: number }) => one.id)]).toEqual([path, 200, [id]]);
    }
    expect((await api("GET", "/api/integrations")).body.data).toHaveLength(2);
    const renamed = await api("PUT", `/v2/cloudprovider/accounts/${uuid}`, { name: " Other " });
    expect([renamed.status, renamed.body.data.name]).toEqual([200, "Other"]);
    expect((await api("DELETE", `/api/azure/accounts/${id}`)).body.data).toEqual({ id });
    expect((await api("GET", `${ACCOUNTS}/${id}`)).status).toBe(404);
  });

  test("are refused with the field that the provider does not take, and nothing of what it said", async () => {
    const { server, providers } = await startIntegrating(engine);
    const { api } = server;
    const wrong = await api("POST", ACCOUNTS, { ...AZURE, clientSecret: "wrong-open-sesame" });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["clientSecret"]]);
    expect(JSON.stringify(wrong.body)).not.toMatch(/Trace|AADSTS|sesame/);
    const other = await api("POST", "/v2/azure/accounts", {
      ...{ tenant_id: AZURE.tenantId, client_id: "app-9", client_secret: AZURE.clientSecret },
      subscription_id: AZURE.subscriptionId,
    });
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ["client_id"]]);
    const key = await api("POST", INSTANCES, { url: providers.url, apiKey: "wrong" });
    expect([key.status, key.body.facts.apiKey[0].code]).toEqual([422, "integration.refused"]);
    providers.override(/teams\/current/, json(404, {}));
    const page = await api("POST", INSTANCES, { url: providers.url, apiKey: SECRETS.coolify });
    expect([page.status, page.body.facts.url[0].code]).toEqual([422, "integration.not_coolify"]);
    for (const other of [null, [], {}, [{ name: "Root Team" }]]) {
      providers.override(/teams\/current/, json(200, other));
      const answer = await api("POST", INSTANCES, { url: providers.url, apiKey: SECRETS.coolify });
      expect([other, answer.status, answer.body.facts?.url[0].code]).toEqual([
        ...[other, 422],
        "integration.not_coolify",
      ]);
    }
    const nothing = await api("POST", ACCOUNTS, {});
    expect(Object.keys(nothing.body.errors).sort()).toEqual(Object.keys(AZURE).sort());
    const empty = Object.fromEntries(Object.keys(AZURE).map((name) => [name, ""]));
    const { facts } = (await api("POST", ACCOUNTS, empty)).body;
    for (const [field, said] of Object.entries(facts)) {
      expect(said).toEqual([{ code: "input.required", params: { field } }]);
    }
    expect(Object.keys(facts).sort()).toEqual(Object.keys(AZURE).sort());
    const path = await api("POST", ACCOUNTS, { ...AZURE, tenantId: "../../x", subscriptionId: "1" });
    expect(Object.keys(path.body.errors)).toEqual(["tenantId", "subscriptionId"]);
    expect((await api("GET", "/api/integrations")).body.data).toEqual([]);
  });

  test("are not linked while the provider is down, which is reported in our words", async () => {
    const { server, providers } = await startIntegrating(engine);
    providers.override(/oauth2/, json(503, { error: "open sesame" }));
    const down = await server.api("POST", ACCOUNTS, AZURE);
    expect([down.status, JSON.stringify(down.body).includes("sesame")]).toEqual([502, false]);
    providers.override(/oauth2/, json(429, {}, { "retry-after": "90" }));
    const busy = await server.api("POST", ACCOUNTS, AZURE);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([502, "90"]);
    const gone = await server.api("POST", INSTANCES, { url: "http://127.0.0.1:1", apiKey: "key" });
    expect([gone.status, gone.body.fact.code]).toEqual([502, "integration.unreached"]);
  });

  test("keep their secret to where it was given for", async () => {
    const { server, providers, link } = await startIntegrating(engine);
    const { id } = await link("coolify");
    const elsewhere = await server.api("PUT", `${INSTANCES}/${id}`, { url: `${providers.url}/elsewhere` });
    expect([elsewhere.status, Object.keys(elsewhere.body.errors)]).toEqual([422, ["apiKey"]]);
    expect(providers.requests).toEqual([]);
    const same = await server.api("PUT", `${INSTANCES}/${id}`, { url: `${providers.url}/` });
    expect([same.status, same.body.data.url]).toEqual([200, `${providers.url}/`]);
    const changed = await server.api("PUT", `${INSTANCES}/${id}`, {
      url: `${providers.url}/`,
      apiKey: SECRETS.coolify,
    });
    expect([changed.status, changed.body.data.url]).toEqual([200, `${providers.url}/`]);
  });

  test("keep what another person gives them at the same time", async () => {
    const { server, providers, link } = await startIntegrating(engine);
    const { id } = await link("azure", { clientSecret: "former-open-sesame" });
    const put = (body: object) => server.api("PUT", `${ACCOUNTS}/${id}`, body);
    // While one waits for the provider, another one is done.
    providers.override(/resources\?\$top/, (response) => {
      providers.override(/resources\?\$top/, null);
      const given = put({ clientSecret: SECRETS.azure, name: "Newer" });
      void given.then(() => json(200, { value: [] })(response, {} as never));
    });
    const late = await put({ clientSecret: SECRETS.azure, name: "Older" });
    expect([late.status, late.body.fact.code]).toEqual([409, "integration.changed"]);
    expect((await server.api("GET", `${ACCOUNTS}/${id}`)).body.data.name).toBe("Newer");
  });

  test("are renamed without a request to their provider, whatever their credentials are worth", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { id } = await link("coolify", { apiKey: "revoked-open-sesame" });
    await sync(id);
    const before = providers.requests.length;
    const renamed = await server.api("PUT", `${INSTANCES}/${id}`, { name: "Other" });
    expect([renamed.status, renamed.body.data.name, renamed.body.data.state]).toEqual([
      200,
      "Other",
      "relink",
    ]);
    expect(providers.requests.length).toBe(before);
    // The same credentials again: it may have taken them back.
    const again = await server.api("PUT", `${INSTANCES}/${id}`, { apiKey: "revoked-open-sesame" });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ["apiKey"]]);
  });

  test("are another organization's secret", async () => {
    const { server, link } = await startIntegrating(engine);
    const outsider = await server.createOrganization();
    const key = await server.createKey({ person: outsider });
    for (const provider of PROVIDERS) {
      const { id } = await link(provider);
      const base = { azure: ACCOUNTS, coolify: INSTANCES, vercel: PROJECTS }[provider];
      for (const method of ["GET", "DELETE"]) {
        expect((await server.api(method, `${base}/${id}`, undefined, { key })).status).toBe(404);
      }
      // Nor is one provider's account another's.
      const others = Object.entries({ azure: ACCOUNTS, coolify: INSTANCES, vercel: PROJECTS });
      for (const [name, path] of others.filter(([one]) => one !== provider)) {
        expect([name, (await server.api("GET", `${path}/${id}`)).status]).toEqual([name, 404]);
      }
    }
  });

  test.each(["?next=", "#", "/?", "/path?x=1#y"])(
    "take no address that would swallow paths: %s",
    async (end) => {
      const { server, providers } = await startIntegrating(engine);
      const url = `${providers.url.replace(/\/$/, "")}${end}`;
      const answer = await server.api("POST", INSTANCES, { url, apiKey: SECRETS.coolify });
      expect([answer.status, answer.body.facts?.url?.[0].code]).toEqual([422, "url.no_query"]);
      expect(providers.requests).toEqual([]);
    },
  );

  test("need the Expert plan, the scope, and a role that may write", async () => {
    const { server } = await startIntegrating(engine);
    const plan = await server.createKey({ plan: "pro" });
    const pro = await server.api("GET", ACCOUNTS, undefined, { key: plan });
    expect([pro.status, pro.body.message]).toEqual([
      403,
      "This feature requires an Expert Plan subscription.",
    ]);
    const narrow = await server.createKey({ scopes: ["read:integrations"] });
    expect((await server.api("GET", ACCOUNTS, undefined, { key: narrow })).status).toBe(200);
    expect((await server.api("POST", ACCOUNTS, AZURE, { key: narrow })).status).toBe(403);
    const viewer = await server.createKey({ role: "viewer" });
    expect((await server.api("POST", ACCOUNTS, AZURE, { key: viewer })).status).toBe(403);
    expect((await server.api("GET", ACCOUNTS, undefined, { key: null })).status).toBe(401);
  });
});

eachEngine("accounts of Vercel", (engine) => {
  const begin = async (api: Awaited<ReturnType<typeof startIntegrating>>["server"]["api"], path = PROJECTS) =>
    (await api("POST", path, {})).body.data.authorizationUrl as string;

  test("are linked by a code that is good once, for the person who began", async () => {
    const { server, providers } = await startIntegrating(engine);
    const { api } = server;
    const url = new URL(await begin(api));
    expect(url.pathname).toBe("/oauth/authorize");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: "code", client_id: "cl_1", code_challenge_method: "S256" },
      redirect_uri: "https://vedette.test/settings/integrations/vercel",
    });
    const answer = agree(url.href);
    const outsider = await server.createKey({ person: await server.createOrganization() });
    expect((await api("POST", `${PROJECTS}/callback`, answer, { key: outsider })).status).toBe(404);
    const both = await Promise.all([1, 2].map(() => api("POST", `${PROJECTS}/callback`, answer)));
    const [made, other] = both.toSorted((one, two) => one.status - two.status);
    expect([made?.status, made?.body.data.account]).toEqual([201, "ada"]);
    expect([other?.status, Object.keys(other?.body.errors)]).toEqual([422, ["state"]]);
    // With another code, too: the state has been used.
    const again = await api("POST", "/v2/vercel/accounts/callback", {
      ...agree(url.href),
      state: answer.state,
    });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ["state"]]);
    expect(JSON.stringify(both.map(({ body }) => body))).not.toContain("sesame");
    // The verifier is proven: another one gets nothing.
    const forged = agree((await begin(api)).replace(/code_challenge=[^&]+/, "code_challenge=other"));
    expect((await api("POST", `${PROJECTS}/callback`, forged)).status).toBe(422);
    expect(providers.requests.filter(({ path }) => path === "/login/oauth/token")).toHaveLength(2);
  });

  test("are not linked by a state that was changed, or is old", async () => {
    const { server, clock } = await startIntegrating(engine);
    const { api } = server;
    const { code, state } = agree(await begin(api));
    for (const bad of [state.slice(0, -1), `1${state}`, state.replace(/^\d+/, "999"), "x", "....."]) {
      const answer = await api("POST", `${PROJECTS}/callback`, { code, state: bad });
      expect([bad, answer.status]).toEqual([bad, 422]);
    }
    clock.pass(16 * 60_000);
    expect((await api("POST", `${PROJECTS}/callback`, { code, state })).status).toBe(422);
  });

  test("say what the operator has to set first", async () => {
    const { server } = await startIntegrating(engine, { config: { vercelClientId: null } });
    const answer = await server.api("POST", PROJECTS, {});
    expect([answer.status, answer.body.fact.params]).toEqual([409, { variable: "VEDETTE_VERCEL_CLIENT_ID" }]);
    const { data } = (await server.api("GET", "/v2/integrations/providers")).body;
    expect(data.find((one: { provider: string }) => one.provider === "vercel")).toMatchObject({
      missing: "VEDETTE_VERCEL_CLIENT_ID",
      callback_url: "https://vedette.test/settings/integrations/vercel",
    });
  });

  test("get new tokens before the old ones end, once for all requests at that moment", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { id } = await link("vercel", { expiresAt: clock.now() + 1_000 });
    await Promise.all([sync(id), sync(id), sync(id)]);
    const grants = providers.requests.filter(({ path }) => path === "/login/oauth/token");
    expect(grants).toHaveLength(1);
    const { data } = (await server.api("GET", `${PROJECTS}/${id}`)).body;
    expect([data.state, data.resources]).toEqual(["ok", 2]);
  });

  test("whose link was revoked are linked again, and keep what they have", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { api } = server;
    const { id } = await link("vercel");
    await sync(id);
    const [project] = (await api("GET", `${PROJECTS}/${id}/projects`)).body.data;
    providers.world.vercel.accessTokens.clear();
    providers.world.vercel.refreshTokens.clear();
    await sync(id);
    const { data } = (await api("GET", `${PROJECTS}/${id}`)).body;
    expect([data.state, data.failureFact.code]).toEqual(["relink", "integration.revoked"]);
    expect((await api("POST", `${PROJECTS}/${id}/projects/${project.id}/monitor`)).status).toBe(409);
    const answer = agree(await begin(api, `${PROJECTS}/${id}/relink`));
    const linked = await api("POST", `${PROJECTS}/callback`, answer);
    expect([linked.body.data.id, linked.body.data.state]).toEqual([id, "ok"]);
    await sync(id);
    expect((await api("GET", `${PROJECTS}/${id}/projects`)).body.data[0].id).toBe(project.id);
  });
});
