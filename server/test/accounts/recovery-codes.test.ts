import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { totpCode } from "../harness/totp.ts";
import { held, openBrowser, PASSWORD, signedIn } from "./browser.ts";

eachEngine("recovery codes", (engine) => {
  async function start() {
    const now = Date.now();
    const server = await startTestServer({ engine, clock: { now: () => now } });
    onTestFinished(server.close);
    const { browser, email } = await signedIn(server);
    const turnOn = async (): Promise<string[]> => {
      const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
      const code = totpCode(secret, now);
      const confirmed = await browser.send("POST", "/api/auth/totp/confirm", { code });
      expect(confirmed.status).toBe(200);
      return confirmed.body.data.recoveryCodes;
    };
    const signIn = async (code: string) =>
      (await openBrowser(server).send("POST", "/api/auth/sign-in", { email, password: PASSWORD, code }))
        .status;
    const left = async () => (await browser.send("GET", "/api/auth/totp")).body.data;
    const renew = (password: string) => browser.send("POST", "/api/auth/totp/recovery-codes", { password });
    return { server, browser, email, turnOn, signIn, left, renew };
  }

  test("come with two-factor sign-in, ten of them, and are stored as hashes", async () => {
    const { server, turnOn, left } = await start();
    expect(await left()).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    const codes = await turnOn();
    expect(new Set(codes).size).toBe(10);
    expect(await left()).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    const stored = JSON.stringify(
      await server.ctx.store.db.selectFrom("recovery_codes").selectAll().execute(),
    );
    for (const code of codes) expect(stored).not.toContain(code);
  });

  test("sign in once each, however they are typed", async () => {
    const { turnOn, signIn, left } = await start();
    const [one = "", two = ""] = await turnOn();
    expect(await signIn(one)).toBe(200);
    expect(await signIn(one)).toBe(422);
    expect(await signIn(two.toLowerCase().replaceAll("-", " "))).toBe(200);
    expect(await signIn("AAAAA-AAAAA-AAAAA-AAAAA")).toBe(422);
    expect((await left()).recoveryCodesLeft).toBe(8);
  });

  test("of which one is sent twice at once lets one of the two in", async () => {
    const { turnOn, signIn } = await start();
    const [one = ""] = await turnOn();
    expect((await Promise.all([signIn(one), signIn(one)])).toSorted()).toEqual([200, 422]);
  });

  test("that signed no one in, because the password was changed meanwhile, are still good", async () => {
    const { server, browser, turnOn, signIn, left, email } = await start();
    const [one = ""] = await turnOn();
    const other = openBrowser(server);
    const credentials = { email, password: PASSWORD, code: one };
    const signingIn = await held(server, () => other.send("POST", "/api/auth/sign-in", credentials));
    const change = (currentPassword: string, password: string) =>
      browser.send("PUT", "/api/auth/password", { currentPassword, password });
    expect((await change(PASSWORD, "battery horse correct")).status).toBe(200);
    expect((await signingIn()).status).toBe(422);
    expect((await left()).recoveryCodesLeft).toBe(10);
    expect((await change("battery horse correct", PASSWORD)).status).toBe(200);
    expect(await signIn(one)).toBe(200);
  });

  test("of another person sign no one in", async () => {
    const first = await start();
    const second = await start();
    const [foreign = ""] = await first.turnOn();
    await second.turnOn();
    expect(await second.signIn(foreign)).toBe(422);
  });

  test("are ten, however many request new ones at once", async () => {
    const { turnOn, left, renew } = await start();
    await turnOn();
    const renewed = await Promise.all([1, 2, 3, 4].map(() => renew(PASSWORD)));
    expect(renewed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await left()).recoveryCodesLeft).toBe(10);
  });

  test("are replaced for the password alone, and go when two-factor sign-in is turned off", async () => {
    const { browser, turnOn, signIn, left, renew } = await start();
    expect((await renew(PASSWORD)).status).toBe(409);
    const [old = ""] = await turnOn();
    expect((await renew("wrong")).body.facts).toEqual({ password: [{ code: "account.password" }] });
    const renewed = await renew(PASSWORD);
    expect([renewed.status, renewed.body.data.recoveryCodes.length]).toEqual([200, 10]);
    expect(await signIn(old)).toBe(422);
    expect(await signIn(renewed.body.data.recoveryCodes[9])).toBe(200);
    await browser.send("POST", "/api/auth/totp/disable", { password: PASSWORD });
    expect(await left()).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });
});
