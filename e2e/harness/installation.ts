import type { Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import {
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
} from "../../server/test/harness/process.ts";
import { type Look, openPage } from "./browser.ts";

export const owner = {
  name: "Mira Holm",
  email: "mira@northwind.test",
  password: "a lamp in every window",
  organization: "Northwind",
} as const;

/** What every server here runs with: tests sign in more often than people do. */
const usual = { VEDETTE_RATE_LIMITS: "off" };

/** A fresh, empty installation: the real program on a port of its own, gone when the test ends. */
export async function startInstallation(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const data = temporaryFolder();
  // Also where the start fails.
  onTestFinished(data.remove);
  const server = await startServerProcess(data.folder, { ...usual, ...environment });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** An installation with its owner, for all tests of a file: each makes the domains that it needs. */
export interface Installation {
  /** Its address. */
  url: string;
  dataFolder: string;
  /** The owner's session, as a header carries it. */
  cookie: string;
  /** An empty page of a browser of its own, signed in as the owner. */
  open(look?: Look): Promise<Page>;
  stop(): Promise<unknown>;
  /** After `stop`: again, with its data and at its address. */
  start(): Promise<void>;
}

/** Starts an installation before the first test of the file and ends it after the last. `environment`: what else it runs with. */
export function shareInstallation(
  environment: () => Promise<Record<string, string>> = async () => ({}),
): Installation {
  const data = temporaryFolder();
  let server: ServerProcess;
  const runsWith: Record<string, string> = { ...usual };
  let cookie: { name: string; value: string; url: string };
  const installation: Installation = {
    url: "",
    dataFolder: data.folder,
    cookie: "",
    async open(look) {
      const page = await openPage(installation.url, look);
      await page.context().addCookies([cookie]);
      return page;
    },
    stop: () => server.stop(),
    async start() {
      server = await startServerProcess(data.folder, runsWith, new URL(installation.url).port);
    },
  };
  beforeAll(async () => {
    Object.assign(runsWith, await environment());
    server = await startServerProcess(data.folder, runsWith);
    installation.url = server.url;
    cookie = { ...(await createOwner(server.url)), url: server.url };
    installation.cookie = `${cookie.name}=${cookie.value}`;
  });
  afterAll(async () => {
    // It is not there where the first start failed.
    await (server as ServerProcess | undefined)?.stop();
    data.remove();
  });
  return installation;
}

/** Makes the owner without the form; the cookie of their session. */
async function createOwner(url: string): Promise<{ name: string; value: string }> {
  const headers = { "content-type": "application/json", origin: url };
  const response = await fetch(`${url}/api/auth/setup`, {
    method: "POST",
    headers,
    body: JSON.stringify(owner),
  });
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? "") ?? [];
  if (name === undefined || value === undefined) throw new Error(`no session: ${response.status}`);
  return { name, value };
}

/** One call of the public API with the session of this page's browser; the answer's `data`. */
export async function callApi<T>(
  page: Page,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<T> {
  const origin = new URL(page.url()).origin;
  const response = await page.request.fetch(origin + path, { method, data: body, headers: { origin } });
  const envelope = (await response.json()) as { success: boolean; data: T; message: string };
  if (!envelope.success)
    throw new Error(`${method} ${path}: ${response.status()} ${JSON.stringify(envelope)}`);
  return envelope.data;
}

/** Makes the owner without the form and opens a page of the app as them. */
export async function signInAsOwner(page: Page, server: { url: string }, path = "/domains"): Promise<void> {
  await page.goto("/");
  await callApi(page, "POST", "/api/auth/setup", owner);
  await page.goto(server.url + path);
  await page.getByRole("button", { name: `Account: ${owner.name}` }).waitFor();
}
