import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { vi } from "vitest";
import { insertSession } from "../../src/platform/access/queries/sessions.ts";
import { hashToken, randomToken } from "../../src/platform/access/random-tokens.ts";
import type { ApiAnswer, TestServer } from "../harness/server.ts";

/** A browser on our own pages: keeps the session cookie and says where it comes from. */
export interface Browser {
  /** The cookie's value; empty when signed out. */
  cookie: string;
  /** What it keeps of the accounts that were signed in to: the other cookies, by name. */
  devices: Map<string, string>;
  /** The Set-Cookie line of the last answer that is about the session, or null. */
  lastSetCookie: string | null;
  /** Every Set-Cookie line of the last answer. */
  lastSetCookies: string[];
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
}

export function openBrowser(server: TestServer, cookie = ""): Browser {
  const browser: Browser = {
    cookie,
    devices: new Map(),
    lastSetCookie: null,
    lastSetCookies: [],
    async send(method, path, body, headers = {}) {
      const answer = await server.api(method, path, body, {
        key: null,
        headers: {
          origin: server.url,
          ...cookieHeader(browser),
          ...headers,
        },
      });
      browser.lastSetCookies = answer.headers.getSetCookie();
      browser.lastSetCookie =
        browser.lastSetCookies.find((line) => line.startsWith("vedette_session=")) ?? null;
      for (const line of browser.lastSetCookies) {
        const [, name, value] = /^(vedette_device_\w+)=([^;]*)/.exec(line) ?? [];
        if (name && value) browser.devices.set(name, value);
      }
      const set = /vedette_session=([^;]*)/.exec(browser.lastSetCookie ?? "");
      if (set) browser.cookie = set[1] ?? "";
      return answer;
    },
  };
  return browser;
}

function cookieHeader({ cookie, devices }: Browser): { cookie?: string } {
  const pairs = [...devices, ...(cookie ? [["vedette_session", cookie] as const] : [])];
  return pairs.length > 0 ? { cookie: pairs.map(([name, value]) => `${name}=${value}`).join("; ") } : {};
}

export const PASSWORD = "correct horse battery";

/** A person with an organization of their own, signed in. */
export async function signedIn(server: TestServer): Promise<{ browser: Browser; email: string }> {
  const browser = openBrowser(server);
  const email = `${randomBytes(6).toString("hex")}@vedette.test`;
  const answer = await browser.send("POST", "/api/auth/sign-up", { email, password: PASSWORD });
  if (answer.status !== 201) {
    throw new Error(
      `sign-up answered ${answer.status}: ${inspect([answer.body, server.problems], { depth: 6 })}`,
    );
  }
  return { browser, email };
}

/** Sends a request and holds it right before its transaction; the answer comes once it is requested. */
export async function held({ ctx: { store } }: TestServer, send: () => Promise<ApiAnswer>) {
  const { transaction } = store;
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const spy = vi.spyOn(store, "transaction").mockImplementationOnce(async (work) => {
    reached.resolve();
    await released.promise;
    return transaction(work);
  });
  const answer = send();
  await reached.promise;
  spy.mockRestore();
  return () => {
    released.resolve();
    return answer;
  };
}

/** The browser of a person who has signed in, with a random password. */
export async function sessionOf(
  server: TestServer,
  { userId, organization }: { userId: number; organization: { id: number } },
): Promise<Browser> {
  const token = randomToken();
  const { store, clock } = server.ctx;
  const session = { tokenHash: hashToken(token), userId, organizationId: organization.id };
  await insertSession(store.db, { ...session, address: "127.0.0.1", userAgent: "" }, clock.now());
  return openBrowser(server, token);
}
