import { Secret, TOTP } from "otpauth";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServer } from "../../src/http/server.ts";
import { openStore, type StoreLocation } from "../../src/store/open.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { createTestDatabase, eachEngine } from "../harness/stores.ts";
import { openBrowser, PASSWORD, signedIn } from "./browser.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A clock that the test moves. */
function movableClock() {
  let now = Date.now();
  return { now: () => now, advance: (ms: number) => (now += ms) };
}

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const config = { signup: "open" as const, ...options.config };
  const server = await startTestServer({ engine: "sqlite", ...options, config });
  onTestFinished(server.close);
  return server;
}

/** The API over an installation that nobody has set up. */
async function startEmpty(engine: "sqlite" | "postgres") {
  const { location, remove } = await createTestDatabase(engine);
  const ready = await openStore(location);
  const helper = await startTestServer({ engine, store: ready });
  const fresh = await createTestDatabase(engine);
  const store = await openStore(fresh.location as StoreLocation);
  const app = await createServer({ ...helper.ctx, store });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    await store.close();
    await fresh.remove();
    await helper.close();
    await ready.close();
    await remove();
  });
  const { port } = app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const api: TestServer["api"] = (method, path, body, more) =>
    helper.api(method, path, body, more).then(() => Promise.reject(new Error("not used")));
  return { url, store, api };
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

eachEngine("set-up", (engine) => {
  test("the first visitor becomes the owner and is signed in; of many at once, one", async () => {
    const { url, store } = await startEmpty(engine);
    const state = async () =>
      ((await (await fetch(`${url}/api/auth/state`)).json()) as { data: object }).data;
    expect(await state()).toEqual({ setupRequired: true, signupOpen: false });
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
    expect(await state()).toEqual({ setupRequired: false, signupOpen: false });
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
      },
    ]);
    expect(await store.db.selectFrom("users").select("id").execute()).toHaveLength(0);
  });
});

eachEngine("signing in and out", (engine) => {
  test("the cookie is out of reach of scripts and other sites, and is stored as a hash", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    expect(browser.lastSetCookie).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const { token_hash } = await server.ctx.store.db
      .selectFrom("sessions")
      .select("token_hash")
      .executeTakeFirstOrThrow();
    expect(token_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(token_hash).not.toContain(browser.cookie);
  });

  test("an unknown e-mail and a wrong password get the same answer", async () => {
    const server = await start({ engine });
    const { email } = await signedIn(server);
    const browser = openBrowser(server);
    const wrong = await browser.send("POST", "/api/auth/sign-in", { email, password: "wrong password" });
    const unknown = await browser.send("POST", "/api/auth/sign-in", {
      email: "no@vedette.test",
      password: PASSWORD,
    });
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
    expect(wrong.body.errors).toEqual({ email: ["The e-mail address or the password is wrong."] });
    expect(browser.cookie).toBe("");
  });

  test("signing in takes the e-mail in any case, gives a new session and ends the browser's old one", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    const old = openBrowser(server, browser.cookie);
    const answer = await browser.send("POST", "/api/auth/sign-in", {
      email: email.toUpperCase(),
      password: PASSWORD,
    });
    expect(answer.status).toBe(200);
    expect((await browser.send("GET", "/api/auth/me")).body.data.user.email).toBe(email);
    expect((await old.send("GET", "/api/auth/me")).status).toBe(401);
  });

  test("signing out ends the session and takes the cookie back", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    const copy = openBrowser(server, browser.cookie);
    expect((await browser.send("POST", "/api/auth/sign-out")).status).toBe(200);
    expect(browser.cookie).toBe("");
    expect((await copy.send("GET", "/api/auth/me")).status).toBe(401);
    expect((await browser.send("POST", "/api/auth/sign-out")).status).toBe(200);
  });

  test("a session is replaced daily, keeps requests under way alive, and locks out whoever copied it", async () => {
    const clock = movableClock();
    const server = await start({ engine, clock });
    const { browser } = await signedIn(server);
    const copy = openBrowser(server, browser.cookie);
    clock.advance(DAY);
    await browser.send("GET", "/api/auth/me");
    expect(browser.cookie).not.toBe(copy.cookie);
    expect((await copy.send("GET", "/api/auth/me")).status).toBe(200);
    expect(copy.lastSetCookie).toBeNull();
    clock.advance(MINUTE + 1);
    expect((await copy.send("GET", "/api/auth/me")).status).toBe(401);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(200);
  });

  test("a session ends after 30 idle days", async () => {
    const clock = movableClock();
    const server = await start({ engine, clock });
    const { browser } = await signedIn(server);
    clock.advance(30 * DAY - MINUTE);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(200);
    clock.advance(30 * DAY + 1);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(401);
  });

  test("sessions are listed, and ended one by one or all but the present one", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    const others = [openBrowser(server), openBrowser(server), openBrowser(server)];
    for (const other of others)
      await other.send("POST", "/api/auth/sign-in", { email, password: PASSWORD }, { "user-agent": "Phone" });
    const { body } = await browser.send("GET", "/api/auth/sessions");
    expect(body.data).toHaveLength(4);
    expect(body.data.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
    expect(body.data.filter((one: { userAgent: string }) => one.userAgent === "Phone")).toHaveLength(3);
    const phone = body.data.find((one: { current: boolean }) => !one.current);
    expect((await browser.send("DELETE", `/api/auth/sessions/${phone.id}`)).status).toBe(200);
    expect((await browser.send("DELETE", `/api/auth/sessions/${phone.id}`)).status).toBe(404);
    const stranger = (await signedIn(server)).browser;
    const own = body.data.find((one: { current: boolean }) => one.current);
    expect((await stranger.send("DELETE", `/api/auth/sessions/${own.id}`)).status).toBe(404);
    expect((await browser.send("DELETE", "/api/auth/sessions")).status).toBe(200);
    expect((await browser.send("GET", "/api/auth/sessions")).body.data).toHaveLength(1);
  });

  test("a new password needs the old one and ends the other sessions", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    const other = openBrowser(server);
    await other.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    const wrong = await browser.send("PUT", "/api/auth/password", {
      currentPassword: "x",
      password: "another one",
    });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["currentPassword"]]);
    const weak = await browser.send("PUT", "/api/auth/password", {
      currentPassword: PASSWORD,
      password: "short",
    });
    expect([weak.status, Object.keys(weak.body.errors)]).toEqual([422, ["password"]]);
    await browser.send("PUT", "/api/auth/password", { currentPassword: PASSWORD, password: "another one" });
    expect((await other.send("GET", "/api/auth/me")).status).toBe(401);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(200);
    const again = await openBrowser(server).send("POST", "/api/auth/sign-in", {
      email,
      password: "another one",
    });
    expect(again.status).toBe(200);
  });
});

eachEngine("two-factor sign-in", (engine) => {
  test("asks for a code once confirmed, takes each code once, and is turned off with the password", async () => {
    const clock = movableClock();
    const server = await start({ engine, clock });
    const { browser, email } = await signedIn(server);
    const { secret, uri } = (await browser.send("POST", "/api/auth/totp")).body.data;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Vedette:/);
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
    const signIn = (more: object) =>
      openBrowser(server).send("POST", "/api/auth/sign-in", { email, password: PASSWORD, ...more });
    expect((await signIn({})).status).toBe(200);
    const wrong = await browser.send("POST", "/api/auth/totp/confirm", { code: "000000" });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["code"]]);
    expect((await browser.send("POST", "/api/auth/totp/confirm", { code: code() })).status).toBe(200);
    expect((await browser.send("GET", "/api/auth/me")).body.data.user.twoFactor).toBe(true);
    expect((await signIn({})).body.errors).toEqual({ code: ["The code field is required."] });
    expect((await signIn({ code: code() })).status, "the code that confirmed it").toBe(422);
    clock.advance(MINUTE);
    const fresh = code();
    const both = await Promise.all([signIn({ code: fresh }), signIn({ code: fresh })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await signIn({ code: code(), password: "wrong" })).body.errors.email).toHaveLength(1);
    expect((await browser.send("POST", "/api/auth/totp")).status).toBe(409);
    expect((await browser.send("POST", "/api/auth/totp/disable", { password: "x" })).status).toBe(422);
    expect((await browser.send("POST", "/api/auth/totp/disable", { password: PASSWORD })).status).toBe(200);
    expect((await signIn({})).status).toBe(200);
  });

  test("keeps its secret encrypted", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    const { secret } = (await browser.send("POST", "/api/auth/totp")).body.data;
    const row = await server.ctx.store.db
      .selectFrom("users")
      .select("totp_pending")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(row.totp_pending).not.toContain(secret);
    expect(server.ctx.secrets.open(row.totp_pending as string)).toBe(secret);
  });
});

describe("requests from other sites", () => {
  test("an unsafe request with a cookie must come from our own pages", async () => {
    const server = await start();
    const { browser } = await signedIn(server);
    const cookie = `vedette_session=${browser.cookie}`;
    const create = (headers: Record<string, string>) =>
      server.api(
        "POST",
        "/api/organizations",
        { name: "Ada" },
        { key: null, headers: { cookie, ...headers } },
      );
    for (const headers of [
      {},
      { origin: "https://evil.test" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      expect((await create(headers as Record<string, string>)).status).toBe(403);
    }
    expect((await create({ origin: server.url })).status).toBe(201);
    expect((await create({ "sec-fetch-site": "same-origin" })).status).toBe(201);
    expect(
      (await server.api("GET", "/api/organizations", undefined, { key: null, headers: { cookie } })).status,
    ).toBe(200);
  });

  test("another site cannot sign anybody in or out", async () => {
    const server = await start();
    const { browser, email } = await signedIn(server);
    const evil = { origin: "https://evil.test" };
    expect(
      (await browser.send("POST", "/api/auth/sign-in", { email, password: PASSWORD }, evil)).status,
    ).toBe(403);
    expect((await browser.send("POST", "/api/auth/sign-out", undefined, evil)).status).toBe(403);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(200);
  });

  test("the public address counts as our own, and makes the cookie Secure", async () => {
    const server = await start({ config: { publicUrl: "https://status.vedette.test" } });
    const browser = openBrowser(server);
    const account = { email: "a@vedette.test", password: PASSWORD };
    const answer = await browser.send("POST", "/api/auth/sign-up", account, {
      origin: "https://status.vedette.test",
    });
    expect(answer.status).toBe(201);
    expect(browser.lastSetCookie).toContain("; Secure");
  });
});

describe("limits of guessing", () => {
  test("ten sign-ins a minute from one address", async () => {
    const server = await start({ config: { rateLimits: true } });
    const codes: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const body = { email: `a${n}@vedette.test`, password: "x" };
      codes.push((await server.api("POST", "/api/auth/sign-in", body, { key: null })).status);
    }
    expect(codes).toEqual([...Array(10).fill(422), 429]);
  });

  test("ten sign-ins a minute for one account, from wherever", async () => {
    const server = await start({ config: { rateLimits: true, trustedProxies: ["127.0.0.1"] } });
    const codes: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const headers = { "x-forwarded-for": `192.0.2.${n}` };
      const body = { email: n % 2 ? "a@vedette.test" : "A@vedette.test", password: "x" };
      codes.push((await server.api("POST", "/api/auth/sign-in", body, { key: null, headers })).status);
    }
    expect(codes).toEqual([...Array(10).fill(422), 429]);
  });
});

describe("sign-up", () => {
  test("is refused where it is closed", async () => {
    const server = await start({ config: { signup: "closed" } });
    const answer = await openBrowser(server).send("POST", "/api/auth/sign-up", {
      email: "a@b.test",
      password: PASSWORD,
    });
    expect([answer.status, answer.body.message]).toEqual([
      403,
      "Sign-up is closed on this installation. Ask its owner for an account.",
    ]);
  });

  test("refuses an e-mail that has an account", async () => {
    const server = await start();
    const { email } = await signedIn(server);
    const answer = await openBrowser(server).send("POST", "/api/auth/sign-up", { email, password: PASSWORD });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { email: ["The email has already been taken."] },
    ]);
  });

  test("starts the organization on the installation's default plan", async () => {
    const server = await start({ config: { defaultPlan: "free" } });
    const { browser } = await signedIn(server);
    const { plan, reports } = (await browser.send("GET", "/api/auth/me")).body.data.organization;
    expect([plan, reports]).toEqual(["free", false]);
  });
});
