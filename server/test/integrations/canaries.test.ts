import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { formsOf } from "../harness/canaries.ts";
import { eventually } from "../harness/eventually.ts";
import { runCommand, startServerProcess, temporaryFolder } from "../harness/process.ts";
import { createTestDatabase, eachEngine } from "../harness/stores.ts";
import { AZURE, agree, SECRETS, startProviders } from "./providers.ts";

const OWNER = "owner@vedette.test";
const WEBHOOK_SECRET = "webhook-open-sesame-91c7";

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
type Json = any;

/** Everything that was sent to anybody, and by whom. */
interface Sighting {
  by: string;
  text: string;
}

/** Vedette as a process of its own that logs all it can, and a key of its owner. */
async function startVedette(engine: "sqlite" | "postgres", config: Record<string, string>) {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const database = await createTestDatabase(engine, { empty: true });
  onTestFinished(() => database.remove());
  const environment = {
    ...("url" in database.location && { DATABASE_URL: database.location.url }),
    ...{ VEDETTE_LOG_LEVEL: "trace", VEDETTE_RATE_LIMITS: "off", VEDETTE_PUBLIC_URL: "https://vedette.test" },
    ...config,
  };
  const server = await startServerProcess(folder, environment);
  onTestFinished(async () => void (await server.stop()));
  const url = server.url.includes("127.0.0.1") ? server.url : `http://127.0.0.1:${new URL(server.url).port}`;
  const vedette = (...args: string[]) => runCommand([...args, "--data", folder], environment);
  await vedette("user", "create", "--email", OWNER, "--password", "correct horse battery");
  const key = (await vedette("key", "create", "--email", OWNER)).stdout.trim();
  const reported: Sighting[] = [];
  const api = async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    reported.push({ by: `${method} ${path} (${answer.status})`, text });
    return JSON.parse(text);
  };
  return { server, folder, vedette, key, reported, api, url };
}

const filesIn = (folder: string): Sighting[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ by: file, text: readFileSync(file, "latin1") }));

function followEvents(url: string, key: string, reported: Sighting[]): void {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const listen = async () => {
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      reported.push({ by: "live events", text });
  };
  listen().catch(() => {});
}

eachEngine("credentials of accounts", (engine) => {
  test("are sent to nobody and written nowhere, whatever their provider does", async () => {
    const providers = await startProviders();
    onTestFinished(providers.close);
    const { server, folder, vedette, key, reported, api, url } = await startVedette(engine, {
      ...{ VEDETTE_AZURE_LOGIN_URL: providers.url, VEDETTE_AZURE_MANAGEMENT_URL: providers.url },
      ...{ VEDETTE_VERCEL_API_URL: providers.url, VEDETTE_VERCEL_OAUTH_URL: providers.url },
      ...{ VEDETTE_VERCEL_CLIENT_ID: "cl_1", VEDETTE_VERCEL_CLIENT_SECRET: SECRETS.vercelClient },
    });
    followEvents(url, key, reported);
    await api("POST", "/api/azure/accounts", { ...AZURE, clientSecret: `${AZURE.clientSecret}-wrong` });
    const azure = (await api("POST", "/api/azure/accounts", AZURE)).data;
    const coolify = (
      await api("POST", "/v2/coolify/instances", { url: providers.url, api_key: SECRETS.coolify })
    ).data;
    const begun = (await api("POST", "/api/vercel/accounts", {})).data;
    const vercel = (await api("POST", "/api/vercel/accounts/callback", agree(begun.authorizationUrl))).data;
    const accounts = [
      `/api/azure/accounts/${azure.id}`,
      `/api/coolify/instances/${coolify.id}`,
      `/api/vercel/accounts/${vercel.id}`,
    ];
    const until = (path: string, state: string) =>
      eventually(
        () => api("GET", path),
        ({ data }) => data.state === state && (data.syncedAt !== null || state !== "ok"),
        30_000,
      );
    for (const path of accounts) await until(path, "ok");
    await api("PUT", `/api/coolify/instances/${coolify.id}`, { url: `${providers.url}/other` });
    // What they say to a request they do not like has the request in it.
    providers.override(/./, (response, seen) => {
      response.writeHead(500, { "x-said": seen.headers.authorization ?? "" });
      response.end(JSON.stringify({ error: seen.body || seen.headers.authorization, message: seen.body }));
    });
    for (const path of accounts) {
      await api("POST", `${path}/sync`);
      await until(path, "failing");
      await api("GET", path.replace("/api/", "/v2/").replace(/\d+$/, ""));
    }
    await api("PUT", `/api/azure/accounts/${azure.id}`, AZURE);
    const hook = (
      await api("POST", "/api/deployments/webhooks", {
        name: "Shop",
        provider: "github",
        secret: WEBHOOK_SECRET,
      })
    ).data;
    // Its secret is shown this once.
    reported.pop();
    await fetch(`${url}/api/webhooks/deployments/${hook.uuid}`, { method: "POST", body: "{}" });
    const signature = `sha256=${createHmac("sha256", WEBHOOK_SECRET).update("{").digest("hex")}`;
    await fetch(`${url}/api/webhooks/deployments/${hook.uuid}`, {
      method: "POST",
      body: "{",
      headers: { "x-hub-signature-256": signature },
    });
    const { data: organizations } = await api("GET", "/api/organizations");
    for (const path of [
      ...[
        "/api/integrations",
        "/v2/integrations",
        "/api/deployments/webhooks",
        `/v2/deployments/webhooks/${hook.uuid}`,
      ],
      ...["/api/deployments", `/api/organizations/${organizations[0].id}/audit-log`],
    ]) {
      await api("GET", path);
    }
    const backup = join(folder, "copy.vedette");
    await vedette("backup", backup);
    reported.push({ by: "a backup", text: gunzipSync(readFileSync(backup)).toString() });
    reported.push({ by: "the log", text: server.output.stdout + server.output.stderr });
    reported.push(...filesIn(folder));
    const secrets = [
      ...[AZURE.clientSecret, SECRETS.coolify, SECRETS.vercelClient, WEBHOOK_SECRET],
      ...providers.world.vercel.accessTokens,
      ...providers.world.vercel.refreshTokens,
    ].flatMap(formsOf);
    const found = reported.flatMap(({ by, text }) =>
      secrets.filter((one) => text.includes(one)).map((one) => [by, one]),
    );
    expect(found).toEqual([]);
    // None of it has been looked for in vain: there is something to be found.
    expect(providers.requests.some(({ body }) => body.includes(AZURE.clientSecret))).toBe(true);
    for (const by of ["a backup", "the log"]) {
      expect([by, reported.some((one) => one.by === by && /integration/.test(one.text))]).toEqual([by, true]);
    }
  }, 240_000);
});
