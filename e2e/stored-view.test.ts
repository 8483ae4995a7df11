import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, owner, shareInstallation } from "./harness/installation.ts";

const app = shareInstallation();

const stored = (page: Page) => page.evaluate<string>("localStorage.getItem('vedette.view') ?? ''");

/** A page in a session of its own, whose view has been stored. */
async function openStored(): Promise<Page> {
  const page = await app.open();
  await page.context().clearCookies();
  await page.goto("/sign-in");
  const { email, password } = owner;
  await callApi(page, "POST", "/api/auth/sign-in", { email, password });
  await page.goto("/domains");
  await eventually(
    () => stored(page),
    (view) => view.includes(email),
  );
  return page;
}

test("the last view goes with a sign-out in another tab, also from one that is closed right then", async () => {
  const page = await openStored();
  const other = await page.context().newPage();
  await other.goto("/domains");
  await other.getByLabel("URL to watch").waitFor();
  await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await other.goto("about:blank");
  expect(await stored(page)).toBe("");

  await other.goto("/sign-in");
  await callApi(other, "POST", "/api/auth/sign-in", { email: owner.email, password: owner.password });
  await other.goto("/domains");
  await eventually(
    () => stored(other),
    (view) => view.includes(owner.email),
  );
});

test("the last view goes when the server no longer knows the session", async () => {
  const page = await openStored();
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await stored(page)).toBe("");
});

test("the app's page is cached for the time without a server, and nothing else that is opened by itself", async () => {
  const page = await app.open({ offline: true });
  await page.goto("/domains");
  await page.evaluate("navigator.serviceWorker.ready");
  const shell = () =>
    page.evaluate<string>("caches.match('/').then(async (answer) => (await answer?.text()) ?? '')");
  await eventually(shell, (text) => text.includes('id="app"'));
  // As a monitored site may have it.
  const picture = {
    contentType: "image/svg+xml",
    body: '<svg xmlns="http://www.w3.org/2000/svg" id="app"/>',
  };
  await page.context().route("**/icons/*", (route) => route.fulfill(picture));
  for (const file of ["/theme.js", "/favicon.svg", "/icons/hostile"]) {
    await page.goto(file);
    expect(await shell(), file).toMatch(/^<!doctype html>[^]*id="app"/i);
  }
});
