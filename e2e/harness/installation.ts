import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import {
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
} from "../../server/test/harness/process.ts";

export const owner = {
  name: "Mira Holm",
  email: "mira@northwind.test",
  password: "a lamp in every window",
  organization: "Northwind",
} as const;

/** A fresh, empty installation: the real program on a port of its own, gone when the test ends. */
export async function startInstallation(): Promise<ServerProcess> {
  const data = temporaryFolder();
  const server = await startServerProcess(data.folder, { VEDETTE_RATE_LIMITS: "off" });
  onTestFinished(async () => {
    await server.stop();
    data.remove();
  });
  return server;
}

/** One call of the public API with the session of this page's browser; the answer's `data`. */
export async function callApi<T>(
  page: Page,
  method: "GET" | "POST" | "PUT" | "DELETE",
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

/** Makes the owner without the form and opens the app as them. */
export async function signInAsOwner(page: Page, server: ServerProcess): Promise<void> {
  await page.goto("/");
  await callApi(page, "POST", "/api/auth/setup", owner);
  await page.goto(server.url);
  await page.getByRole("button", { name: `Account: ${owner.name}` }).waitFor();
}
