import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { totpCode } from "../server/test/harness/totp.ts";
import { openPage } from "./harness/browser.ts";
import {
  callApi,
  owner,
  shareInstallation,
  signInAsOwner,
  startInstallation,
} from "./harness/installation.ts";

const app = shareInstallation();

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const account = (page: Page) => page.getByRole("button", { name: `Account: ${owner.name}` });

describe("signing in and out", () => {
  test("a wrong password is said at once and the typed e-mail stays; the right one leads back to the page; signing out shuts the app", async () => {
    const page = await openPage(app.url);
    await page.goto("/domains?show=down");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator('input[name=email][aria-invalid="true"]').waitFor();
    expect(await page.getByRole("alert").allTextContents()).toEqual([
      "Enter an e-mail address.",
      "Enter a password.",
    ]);
    await fillIn(page, "a lamp in no window");
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe(owner.email);
    const password = page.getByLabel("Password", { exact: true });
    expect(await password.getAttribute("aria-invalid")).toBe("true");
    // Selected, so that typing replaces it.
    expect(await page.evaluate("[document.activeElement.name, document.activeElement.selectionEnd]")).toEqual(
      ["password", "a lamp in no window".length],
    );

    await fillIn(page, owner.password);
    await account(page).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/domains?show=down");

    await account(page).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto("/domains");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect((await page.request.get(`${app.url}/api/domains`)).status()).toBe(401);
  });

  test("after too many attempts, when to try again is said in the reader's language", async () => {
    const page = await openPage(app.url);
    await page.route("**/api/auth/sign-in", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "3421" },
        json: { success: false, message: "Too Many Attempts.", fact: { code: "request.too_many" } },
      }),
    );
    await page.goto("/sign-in");
    const sentences = [
      ["English", "en", "Too many attempts. Try again in 58 minutes."],
      ["Deutsch", "de", "Zu viele Versuche. Versuchen Sie es in 58 Minuten wieder."],
      ["中文", "zh", "尝试次数过多，请在 58 分钟后再试。"],
    ] as const;
    for (const [language, code, sentence] of sentences) {
      await page.reload();
      await page.getByRole("button", { name: /Language|Sprache|语言/ }).click();
      await page.getByRole("menuitemradio", { name: language }).click();
      // What is refused before its texts are here is said in the language of before.
      await page.locator(`html[lang^=${code}]`).waitFor();
      await page.locator("input[name=password]").fill("a lamp in no window");
      await page.locator("button[type=submit]").click();
      await page.getByText(sentence).waitFor();
    }
  });

  test("an account with two-factor sign-in needs its code, sees when it is wrong, and let in with the right one", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const { secret } = await callApi<{ secret: string }>(page, "POST", "/api/auth/totp", {
      password: owner.password,
    });
    const code = totpCode(secret, Date.now());
    const { recoveryCodes } = await callApi<{ recoveryCodes: string[] }>(
      page,
      "POST",
      "/api/auth/totp/confirm",
      { code },
    );
    await callApi(page, "POST", "/api/auth/sign-out");

    await page.goto("/sign-in");
    await fillIn(page, owner.password);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await page.getByText(`For ${owner.email}`).waitFor();
    const box = page.getByLabel("Code from your authenticator app");
    // Sent with the sixth digit. Each code counts once, and this one has just turned two-factor sign-in on.
    await box.fill(code);
    await page.getByText("The code is wrong, or was used already.").waitFor();
    expect(await box.getAttribute("aria-invalid")).toBe("true");

    // The next one counts already: phones' clocks may be half a minute off.
    await box.fill(totpCode(secret, Date.now() + 30_000));
    await account(page).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");

    // Without the phone.
    await callApi(page, "POST", "/api/auth/sign-out");
    await page.goto("/sign-in");
    await fillIn(page, owner.password);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    const recovery = page.getByLabel("Recovery code");
    await recovery.fill("AAAAA-AAAAA-AAAAA-AAAAA");
    await recovery.press("Enter");
    await page.getByText("The code is wrong, or was used already.").waitFor();
    await recovery.fill(recoveryCodes[0]?.toLowerCase() ?? "");
    await recovery.press("Enter");
    await account(page).waitFor();
  });

  test("a session that ended elsewhere leads to the sign-in page with a word about it", async () => {
    const page = await app.open();
    await page.goto("/domains");
    await page.getByLabel("URL to watch").waitFor();

    await page.context().clearCookies();
    await page.getByLabel("URL to watch").fill("127.0.0.1");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Your session has ended. Please sign in again.").waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toBe("/domains");
  });

  test("an installation that is set up does not offer the set-up page", async () => {
    const page = await openPage(app.url);
    await page.goto("/set-up");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });
});
