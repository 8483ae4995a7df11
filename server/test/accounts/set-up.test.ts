import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSetUpToken } from "../../src/accounts/set-up.ts";
import { createServer } from "../../src/app/http/server.ts";
import { createLive } from "../../src/app/live/hub.ts";
import type { Config } from "../../src/platform/config.ts";
import { startTestServer, testConfig } from "../harness/server.ts";
import { eachEngine, openTestStore } from "../harness/stores.ts";
import { PASSWORD } from "./browser.ts";

/** The API over an installation that has not been set up. */
async function startEmpty(engine: "sqlite" | "postgres", config: Partial<Config> = {}) {
  const other = await startTestServer({ engine });
  const store = await openTestStore(engine);
  // Its own: what listens to the other server's events would do so after this one is closed.
  const live = createLive({ ...other.ctx, store });
  const ctx = { ...other.ctx, store, live, config: testConfig({ signup: "closed", ...config }) };
  const app = await createServer(ctx);
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    await live.close();
    await store.close();
    await other.close();
  });
  const { port } = app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return { url, store, ctx };
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const REACHABLE: [string, Partial<Config>][] = [
  ["the server listens beyond this machine", { host: "0.0.0.0" }],
  ["the server has a public address", { publicUrl: "http://127.0.0.1" }],
  ["a proxy is configured", { trustedProxies: ["loopback"] }],
];

eachEngine("set-up", (engine) => {
  test("the first visitor becomes the owner and is signed in; of many at once, one", async () => {
    const { url, store } = await startEmpty(engine);
    const state = async () =>
      ((await (await fetch(`${url}/api/auth/state`)).json()) as { data: object }).data;
    expect(await state()).toEqual({
      setupRequired: true,
      setupTokenRequired: false,
      signupOpen: false,
      mail: false,
    });
    const attempts = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        post(`${url}/api/auth/setup`, {
          email: `a${n}@vedette.test`,
          password: PASSWORD,
          organization: "Ada & Co",
        }),
      ),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await state()).toEqual({
      setupRequired: false,
      setupTokenRequired: false,
      signupOpen: false,
      mail: false,
    });
    expect(await store.db.selectFrom("users").select("id").execute()).toHaveLength(1);
    const cookie = attempts
      .find(({ status }) => status === 201)
      ?.headers.get("set-cookie")
      ?.split(";")[0] as string;
    const me = (await (await fetch(`${url}/api/auth/me`, { headers: { cookie } })).json()) as { data: never };
    expect(me.data).toMatchObject({
      organization: { name: "Ada & Co", slug: "ada-co", role: "owner", plan: "expert", reports: true },
      scopes: ["*:*"],
    });
  });

  test("names every bad field, and leaves the installation as it was", async () => {
    const { url, store } = await startEmpty(engine);
    const answer = await post(`${url}/api/auth/setup`, { email: "nobody", password: "short" });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      {
        success: false,
        message: "The given data was invalid.",
        errors: {
          email: ["The email field must be a valid e-mail address."],
          password: ["The password field must be at least 8 characters."],
        },
        fact: { code: "input.invalid" },
        facts: {
          email: [{ code: "input.format", params: { field: "email", format: "email" } }],
          password: [{ code: "input.short", params: { field: "password", limit: 8 } }],
        },
      },
    ]);
    expect(await store.db.selectFrom("users").select("id").execute()).toHaveLength(0);
  });

  test.each(REACHABLE)("requests the printed token where %s", async (_, config) => {
    const { url, ctx } = await startEmpty(engine, config);
    const headers: Record<string, string> = config.publicUrl ? { origin: config.publicUrl } : {};
    const owner = { email: "a@vedette.test", password: PASSWORD };
    const state = (await (await fetch(`${url}/api/auth/state`)).json()) as { data: object };
    expect(state.data).toMatchObject({ setupRequired: true, setupTokenRequired: true });
    for (const setupToken of [undefined, "", "AAAAA-AAAAA-AAAAA-AAAAA", "ü".repeat(64)]) {
      const refused = await post(`${url}/api/auth/setup`, { ...owner, setupToken }, headers);
      expect([refused.status, Object.keys(((await refused.json()) as { errors: object }).errors)]).toEqual([
        422,
        ["setupToken"],
      ]);
    }
    const token = (await readSetUpToken(ctx)) as string;
    expect(token).toMatch(/^([2-9A-HJ-NP-Z]{5}-){3}[2-9A-HJ-NP-Z]{5}$/);
    const setupToken = ` ${token.toLowerCase().replaceAll("-", " ")} `;
    expect((await post(`${url}/api/auth/setup`, { ...owner, setupToken }, headers)).status).toBe(201);
    expect(await readSetUpToken(ctx)).toBeNull();
  });

  test("prints the same token on every replica and after a restart", async () => {
    const { ctx } = await startEmpty(engine, { host: "0.0.0.0" });
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => readSetUpToken(ctx)));
    expect(first).toHaveLength(23);
    expect(others).toEqual([first, first]);
  });
});

describe("set-up under a name", () => {
  const attempt = async (config: Partial<Config>, host: string, more: Record<string, string> = {}) => {
    const { url, ctx } = await startEmpty("sqlite", config);
    const { port, hostname } = new URL(url);
    const setupToken = await readSetUpToken(ctx);
    const body = JSON.stringify({
      email: "a@vedette.test",
      password: PASSWORD,
      ...(setupToken && { setupToken }),
    });
    const origin = config.publicUrl ?? `http://${host}`;
    return new Promise<number>((resolve, reject) => {
      const headers = { host, origin, "content-type": "application/json", ...more };
      request({ port, hostname, path: "/api/auth/setup", method: "POST", headers }, (answer) =>
        resolve(answer.resume().statusCode ?? 0),
      )
        .on("error", reject)
        .end(body);
    });
  };
  const published = { publicUrl: "https://status.example.org" };

  test.each([
    [{}, "evil.test"],
    [{}, "evil.test:8080"],
    [{}, "localhost.evil.test"],
    [{}, "192.0.2.7"],
    [{}, "[::2]:8080"],
    [published, "evil.test"],
    [published, "evil.status.example.org"],
    [{ host: "0.0.0.0" }, "evil.test"],
    [{ trustedProxies: ["loopback"] }, "evil.test"],
  ])("that %o does not know, %s, is refused", async (config, host) => {
    expect(await attempt(config, host)).toBe(403);
  });

  test.each(["x-forwarded-for", "forwarded", "via", "x-real-ip", "cf-connecting-ip"])(
    "of this machine through a proxy that is not configured, as %s says, is refused",
    async (header) => {
      expect(await attempt({}, "127.0.0.1:8080", { [header]: "192.0.2.7" })).toBe(403);
      expect(await attempt({ trustedProxies: ["loopback"] }, "127.0.0.1", { [header]: "192.0.2.7" })).toBe(
        201,
      );
    },
  );

  test.each([
    [{}, "localhost:8080"],
    [{}, "127.0.0.1"],
    [{}, "[::1]:8080"],
    [published, "status.example.org"],
    [published, "STATUS.example.org:443"],
    [{ host: "0.0.0.0" }, "192.0.2.7:8080"],
    [{ host: "::" }, "[2001:db8::1]:8080"],
  ])("that %o knows, %s, is served", async (config, host) => {
    expect(await attempt(config, host)).toBe(201);
  });
});
