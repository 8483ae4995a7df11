import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { authenticateSession } from "../../src/platform/access/authenticate-session.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { totpCode } from "../harness/totp.ts";
import { type Browser, held, openBrowser, PASSWORD, signedIn } from "./browser.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A clock that the test moves. */
function movableClock() {
  let now = Date.now();
  return { now: () => now, advance: (ms: number) => (now += ms) };
}

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

eachEngine("signing in and out", (engine) => {
  test("the cookie is out of reach of scripts and other sites, and is stored as a hash", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    expect(browser.lastSetCookie).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const { token_hash } = await server.ctx.store.db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .select("token_hash")
      .where("email", "=", email)
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

  test("a session is replaced daily, keeps requests under way alive, and locks out a copy of it", async () => {
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

  test("of requests sent at once when a session is due for replacing, one brings the new cookie", async () => {
    const clock = movableClock();
    const server = await start({ engine, clock });
    const { browser } = await signedIn(server);
    clock.advance(DAY);
    const request = { id: "test", address: "127.0.0.1" };
    const sent = Array.from({ length: 8 }, () => authenticateSession(server.ctx, browser.cookie, request));
    const answers = await Promise.all(sent);
    expect(answers.every((answer) => answer !== null)).toBe(true);
    const fresh = answers.flatMap((answer) => answer?.newToken ?? []);
    expect(fresh).toHaveLength(1);
    clock.advance(MINUTE + 1);
    expect((await openBrowser(server, fresh[0]).send("GET", "/api/auth/me")).status).toBe(200);
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
    const outsider = (await signedIn(server)).browser;
    const own = body.data.find((one: { current: boolean }) => one.current);
    expect((await outsider.send("DELETE", `/api/auth/sessions/${own.id}`)).status).toBe(404);
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

  test("whatever is under way with the old password comes to nothing once there is a new one", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    const thief = openBrowser(server);
    const signIn = (password: string) => thief.send("POST", "/api/auth/sign-in", { email, password });
    const change = (currentPassword: string, password: string) => ({ currentPassword, password });
    const put = (who: Browser, body: object) => who.send("PUT", "/api/auth/password", body);

    const signingIn = await held(server, () => signIn(PASSWORD));
    expect((await put(browser, change(PASSWORD, "second password"))).status).toBe(200);
    expect([(await signingIn()).status, thief.cookie]).toEqual([422, ""]);
    expect((await browser.send("GET", "/api/auth/sessions")).body.data).toHaveLength(1);

    await signIn("second password");
    const changing = await held(server, () => put(thief, change("second password", "stolen password")));
    expect((await put(browser, change("second password", "third password"))).status).toBe(200);
    expect((await changing()).status).toBe(422);
    expect((await browser.send("GET", "/api/auth/me")).status).toBe(200);
    expect([(await signIn("stolen password")).status, (await signIn("third password")).status]).toEqual([
      422, 200,
    ]);
  });

  test.each(["disable", "recovery-codes"])("nor does it change the second factor: %s", async (action) => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    await browser.send("POST", "/api/auth/totp/confirm", { code: totpCode(secret, Date.now()) });
    const thief = openBrowser(server, browser.cookie);
    const acting = await held(server, () =>
      thief.send("POST", `/api/auth/totp/${action}`, { password: PASSWORD }),
    );
    const change = { currentPassword: PASSWORD, password: "second password" };
    expect((await browser.send("PUT", "/api/auth/password", change)).status).toBe(200);
    const { status, body } = await acting();
    expect([status, body.facts]).toEqual([422, { password: [{ code: "account.password" }] }]);
    expect((await browser.send("GET", "/api/auth/totp")).body.data.enabled).toBe(true);
  });
});

eachEngine("two-factor sign-in", (engine) => {
  test("requests a code once confirmed, takes each code once, and is turned off with the password", async () => {
    const clock = movableClock();
    const server = await start({ engine, clock });
    const { browser, email } = await signedIn(server);
    const { secret, uri } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
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
    expect((await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).status).toBe(409);
    expect((await browser.send("POST", "/api/auth/totp/disable", { password: "x" })).status).toBe(422);
    expect((await browser.send("POST", "/api/auth/totp/disable", { password: PASSWORD })).status).toBe(200);
    expect((await signIn({})).status).toBe(200);
  });

  test("is begun with the password alone: a stolen session locks no one out", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    for (const body of [{ password: "wrong" }, {}, undefined]) {
      expect((await browser.send("POST", "/api/auth/totp", body)).status).toBe(422);
    }
    expect((await browser.send("POST", "/api/auth/totp/confirm", { code: "000000" })).status).toBe(409);
  });

  test("keeps its secret encrypted", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    const row = await server.ctx.store.db
      .selectFrom("users")
      .select("totp_pending")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(row.totp_pending).not.toContain(secret);
    expect(server.ctx.secrets.open(row.totp_pending as string)).toBe(secret);
  });
});
