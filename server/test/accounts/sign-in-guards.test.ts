import { describe, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { openBrowser, PASSWORD, signedIn } from "./browser.ts";

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

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

  test("the public address alone counts as our own, and makes the cookie Secure", async () => {
    const server = await start({ config: { publicUrl: "https://status.vedette.test" } });
    const browser = openBrowser(server);
    const account = { email: "a@vedette.test", password: PASSWORD };
    const elsewhere = await browser.send("POST", "/api/auth/sign-up", account, { origin: server.url });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([
      403,
      "This request did not come from this installation's own pages. Open it at https://status.vedette.test.",
    ]);
    const answer = await browser.send("POST", "/api/auth/sign-up", account, {
      origin: "https://status.vedette.test",
    });
    expect(answer.status).toBe(201);
    expect(browser.lastSetCookie).toContain("; Secure");
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
      "Sign-up is closed on this installation. Contact its owner to get an account.",
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
