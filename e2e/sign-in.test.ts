import { describe, expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, signInAsOwner, startInstallation } from "./harness/installation.ts";

describe("signing in and out", () => {
  test("signing out leads to the sign-in page and shuts the app", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);

    await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();

    await page.goto("/domains");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect((await page.request.get(`${server.url}/api/domains`)).status()).toBe(401);
  });

  test("a wrong password is said at once and the typed e-mail stays; the right one leads back to the page", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    await page.context().clearCookies();

    await page.goto("/domains?show=down");
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill("a lamp in no window");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe(owner.email);

    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: `Account: ${owner.name}` }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/domains?show=down");
  });

  test("a session that ended elsewhere leads to the sign-in page with a word about it", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    await page.getByLabel("URL to watch").waitFor();

    await page.context().clearCookies();
    await page.getByLabel("URL to watch").fill("127.0.0.1");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("Your session has ended. Please sign in again.").waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toBe("/domains");
  });

  test("an installation that is set up does not offer the set-up page", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    await callApi(page, "POST", "/api/auth/sign-out");
    await page.goto("/set-up");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });
});
