import { describe, expect, inject, onTestFinished, test } from "vitest";
import { DEVICE_KNOWN_MS } from "../../src/accounts/routes/known-device.ts";
import { guessDelayMs } from "../../src/platform/access/password.ts";
import { openStore } from "../../src/platform/database/open.ts";
import { eventually } from "../harness/eventually.ts";
import {
  type ApiAnswer,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../harness/server.ts";
import { createTestDatabase, type EngineName, eachEngine } from "../harness/stores.ts";
import { totpCode } from "../harness/totp.ts";
import { type Browser, openBrowser, PASSWORD, signedIn } from "./browser.ts";

/** A server behind a proxy, so that addresses can be chosen; `waits` are the delays that it requested. */
async function start(engine: EngineName, options: Partial<TestServerOptions> = {}) {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const server = await startTestServer({
    engine,
    clock: { now: () => Date.now(), wait },
    ...options,
    config: { rateLimits: true, trustedProxies: ["127.0.0.1"] },
  });
  onTestFinished(server.close);
  return { server, waits };
}

const from = (address: string) => ({ "x-forwarded-for": address });

/** One sign-in, by default from a browser that was never there before. */
async function signIn(
  server: TestServer,
  email: string,
  address: string,
  more: { password?: string; code?: string; browser?: Browser } = {},
) {
  const { browser = openBrowser(server), password = PASSWORD, code } = more;
  return browser.send("POST", "/api/auth/sign-in", { email, password, code }, from(address));
}

/** So many wrong passwords at an account, each from an address of its own, one after the other. */
async function flood(server: TestServer, email: string, times: number): Promise<number[]> {
  const codes: number[] = [];
  for (let n = 0; n < times; n += 1) {
    codes.push((await signIn(server, email, `198.51.100.${n}`, { password: "wrong" })).status);
  }
  return codes;
}

test.each([
  [1, 0],
  [5, 0],
  [6, 250],
  [7, 500],
  [12, 16_000],
  [13, 20_000],
  [1_000_000, 20_000],
])("the %i. wrong guess at an account waits %i ms", (n, ms) => {
  expect(guessDelayMs(n)).toBe(ms);
});

eachEngine("guessing a password", (engine) => {
  test("from one address does not keep the right one from another address", async () => {
    const { server } = await start(engine);
    const { email } = await signedIn(server);
    const codes: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      codes.push((await signIn(server, email, "192.0.2.1", { password: "wrong" })).status);
    }
    expect(codes).toEqual([...Array(10).fill(422), 429, 429]);
    expect((await signIn(server, email, "192.0.2.2")).status).toBe(200);
  });

  test("from many addresses waits longer each time, and the right one still gets in", async () => {
    const { server, waits } = await start(engine);
    const { email } = await signedIn(server);
    expect(await flood(server, email, 15)).toEqual(Array(15).fill(422));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000]);
    expect((await signIn(server, email, "192.0.2.2")).status).toBe(200);
  });

  test("does not slow down a device that has signed in before, nor is it counted with others", async () => {
    const { server, waits } = await start(engine);
    const { browser, email } = await signedIn(server);
    await browser.send("POST", "/api/auth/sign-out");
    await flood(server, email, 15);
    for (let n = 0; n < 10; n += 1) await signIn(server, email, "192.0.2.7", { password: "wrong" });
    waits.length = 0;
    expect((await signIn(server, email, "192.0.2.7")).status).toBe(429);
    expect((await signIn(server, email, "192.0.2.7", { browser })).status).toBe(200);
    expect(waits).toEqual([]);
  });

  test("is bounded from a known device too", async () => {
    const { server } = await start(engine);
    const { browser, email } = await signedIn(server);
    const codes: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      codes.push((await signIn(server, email, `192.0.2.${n}`, { password: "wrong", browser })).status);
    }
    expect(codes).toEqual([...Array(10).fill(422), 429]);
  });

  test("at an account that does not exist is answered and slowed down alike", async () => {
    const { server, waits } = await start(engine);
    const { email } = await signedIn(server);
    const answers = async (address: string) => {
      waits.length = 0;
      const codes = await flood(server, address, 8);
      const { status, body } = await signIn(server, address, "192.0.2.3", { password: "wrong" });
      return { codes, status, body, waits: [...waits] };
    };
    expect(await answers("nobody@vedette.test")).toEqual(await answers(email));
  });

  test("across accounts is bounded by address", async () => {
    const { server } = await start(engine);
    const codes: number[] = [];
    for (let n = 0; n < 31; n += 1) {
      codes.push((await signIn(server, `a${n}@vedette.test`, "192.0.2.1", { password: "x" })).status);
    }
    expect(codes).toEqual([...Array(30).fill(422), 429]);
  });
});

describe("a known device", () => {
  test("is forgotten with a new password, but the one that set it", async () => {
    const { server, waits } = await start("sqlite");
    const { browser, email } = await signedIn(server);
    const other = openBrowser(server);
    await signIn(server, email, "192.0.2.1", { browser: other });
    const change = { currentPassword: PASSWORD, password: "another good one" };
    expect((await browser.send("PUT", "/api/auth/password", change)).status).toBe(200);
    await flood(server, email, 8);
    waits.length = 0;
    const password = "another good one";
    await signIn(server, email, "192.0.2.1", { browser, password });
    expect(waits).toEqual([]);
    await signIn(server, email, "192.0.2.1", { browser: other, password });
    expect(waits).toEqual([2000]);
  });

  test("is forgotten when two-factor sign-in is turned on: it was known without a code", async () => {
    const { server, waits } = await start("sqlite");
    const { browser, email } = await signedIn(server);
    const before = openBrowser(server);
    await signIn(server, email, "192.0.2.1", { browser: before });
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    const confirmed = await browser.send("POST", "/api/auth/totp/confirm", {
      code: totpCode(secret, Date.now()),
    });
    expect(confirmed.status).toBe(200);
    await flood(server, email, 8);
    waits.length = 0;
    await signIn(server, email, "192.0.2.1", { browser: before });
    expect(waits).toEqual([2000]);
  });

  test("is forgotten after 400 days", async () => {
    const waits: number[] = [];
    let now = Date.now();
    const clock = { now: () => now, wait: async (ms: number) => void waits.push(ms) };
    const { server } = await start("sqlite", { clock });
    const { browser, email } = await signedIn(server);
    now += DEVICE_KNOWN_MS + 1;
    await flood(server, email, 8);
    waits.length = 0;
    await signIn(server, email, "192.0.2.1", { browser });
    expect(waits).toEqual([2000]);
  });

  test("is known to its own account only, and not by a made-up cookie", async () => {
    const { server, waits } = await start("sqlite");
    const [mine, theirs] = [await signedIn(server), await signedIn(server)];
    await flood(server, theirs.email, 8);
    const name = [...theirs.browser.devices.keys()][0] ?? "";
    for (const value of [
      [...mine.browser.devices.values()][0] ?? "",
      "v1.AAAA",
      "x",
      server.ctx.secrets.seal("{}"),
    ]) {
      waits.length = 0;
      const browser = openBrowser(server);
      browser.devices.set(name, value);
      await signIn(server, theirs.email, "192.0.2.1", { browser, password: "wrong" });
      expect(waits).toHaveLength(1);
    }
  });

  test("has a cookie that scripts cannot read, for these addresses only, and that says nothing", async () => {
    const { server } = await start("sqlite");
    const { browser, email } = await signedIn(server);
    const line = browser.lastSetCookies.find((one) => one.startsWith("vedette_device_"));
    expect(line).toMatch(
      /^vedette_device_[0-9a-f]{8}=v1\.[\w-]+; Max-Age=34560000; Path=\/api\/auth; HttpOnly; SameSite=Lax$/,
    );
    expect(line).not.toContain(email);
  });
});

describe("guessing a one-time code", () => {
  test("is walled off by account after ten wrong ones, also for the right one, but for a known device", async () => {
    const { server } = await start("sqlite");
    const { browser, email } = await signedIn(server);
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    const now = Date.now();
    await browser.send("POST", "/api/auth/totp/confirm", { code: totpCode(secret, now - 30_000) });
    const guess = (n: number, code: string) => signIn(server, email, `203.0.113.${n}`, { code });
    const codes: number[] = [];
    for (let n = 0; n < 10; n += 1) codes.push((await guess(n, "000000")).status);
    const right = totpCode(secret, now + 30_000);
    const walled = await guess(10, right);
    expect([...codes, walled.status]).toEqual([...Array(10).fill(422), 429]);
    expect(Number(walled.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect((await signIn(server, email, "203.0.113.11", { code: right, browser })).status).toBe(200);
  });

  test("does not count a sign-in whose code is still to be requested", async () => {
    const { server, waits } = await start("sqlite");
    const { browser, email } = await signedIn(server);
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    await browser.send("POST", "/api/auth/totp/confirm", { code: totpCode(secret, Date.now()) });
    for (let n = 0; n < 12; n += 1) {
      const { status, body } = await signIn(server, email, `203.0.113.${n}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, ["code"]]);
    }
    expect(waits).toEqual([]);
  });
});

test("too many strangers waiting at one account are turned away with the time when to come back", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { server } = await start("sqlite", { clock: { now: () => Date.now(), wait: () => promise } });
  const { browser, email } = await signedIn(server);
  const attempts = Array.from({ length: 40 }, (_, n) =>
    signIn(server, email, `198.51.100.${n}`, { password: "wrong" }),
  );
  const early: ApiAnswer[] = [];
  for (const attempt of attempts) void attempt.then((answer) => early.push(answer));
  // The five that wait for nothing, and those who are too many.
  await eventually(
    () => early.length,
    (answered) => answered === 20,
  );
  const refused = early.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(15);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect((await signIn(server, email, "192.0.2.2", { browser })).status).toBe(200);
  resolve();
  const codes = (await Promise.all(attempts)).map(({ status }) => status);
  expect(codes.filter((code) => code === 422)).toHaveLength(25);
});

test("a stolen session cannot keep its owner from changing the password", async () => {
  const { server } = await start("sqlite");
  const { browser, email } = await signedIn(server);
  const owner = openBrowser(server);
  await signIn(server, email, "192.0.2.1", { browser: owner });
  const wrong = { currentPassword: "wrong", password: "another good one" };
  const codes: number[] = [];
  for (let n = 0; n < 11; n += 1) codes.push((await browser.send("PUT", "/api/auth/password", wrong)).status);
  expect(codes).toEqual([...Array(10).fill(422), 429]);
  const change = { ...wrong, currentPassword: PASSWORD };
  expect((await owner.send("PUT", "/api/auth/password", change)).status).toBe(200);
});

const postgres = inject("postgres");

test.skipIf("missing" in postgres)(
  "replicas on PostgreSQL slow an account's guesses down together",
  async () => {
    const { location, remove } = await createTestDatabase("postgres");
    const stores = [await openStore(location), await openStore(location)] as const;
    const one = await start("postgres", { store: stores[0] });
    const two = await start("postgres", { store: stores[1] });
    await flood(one.server, "a@vedette.test", 8);
    await signIn(two.server, "a@vedette.test", "192.0.2.1", { password: "x" });
    expect(two.waits).toEqual([2000]);
    for (const { server } of [one, two]) await server.close();
    for (const store of stores) await store.close();
    await remove();
  },
);
