import { describe, expect, test } from "vitest";
import { totpCode } from "../server/test/harness/totp.ts";
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

  test("an account with two-factor sign-in is asked for its code, told when it is wrong, and let in with the right one", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const { secret } = await callApi<{ secret: string }>(page, "POST", "/api/auth/totp");
    const code = totpCode(secret, Date.now());
    await callApi(page, "POST", "/api/auth/totp/confirm", { code });
    await callApi(page, "POST", "/api/auth/sign-out");

    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    const box = page.getByLabel("Code from your authenticator app");
    // Each code counts once, and this one has just turned two-factor sign-in on.
    await box.fill(code);
    await box.press("Enter");
    await page.getByText("The code is wrong, or was used already.").waitFor();
    expect(await box.getAttribute("aria-invalid")).toBe("true");

    // The next one counts already: phones' clocks may be half a minute off.
    await box.fill(totpCode(secret, Date.now() + 30_000));
    await box.press("Enter");
    await page.getByRole("button", { name: `Account: ${owner.name}` }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/domains");
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
