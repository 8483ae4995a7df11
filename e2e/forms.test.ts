import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, signInAsOwner, startInstallation } from "./harness/installation.ts";

/** The text that describes a box to those who cannot see it. */
async function descriptionOf(page: Page, label: string): Promise<string | null> {
  const id = await page.getByLabel(label, { exact: true }).getAttribute("aria-describedby");
  return id === null ? null : page.locator(`[id="${id}"]`).textContent();
}

/** The name of what has the focus; empty when nothing has. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(
    "document.activeElement === document.body ? '' : (document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()",
  );

describe("forms", () => {
  test("the set-up form shows what the API says of each field at that field, and puts the cursor there", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await page.goto("/set-up");
    await page.getByLabel("Your name").fill(owner.name);
    await page.getByLabel("E-mail").fill("not an address");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account and start" }).click();

    await page.getByRole("alert").first().waitFor();
    expect(await page.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true");
    expect(await descriptionOf(page, "E-mail")).toMatch(/e-?mail/i);
    expect(await page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await descriptionOf(page, "Password")).toMatch(/characters/);
    expect(await page.getByLabel("Your name").getAttribute("aria-invalid")).toBeNull();
    expect(await focusedName(page)).toBe("E-mail");
  });

  test("a URL that cannot be watched is refused at its box, and typing takes the message away", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const box = page.getByLabel("URL to watch");
    await box.fill("ftp://files.northwind.test");
    await box.press("Enter");

    await page.getByRole("alert").waitFor();
    expect(await box.getAttribute("aria-invalid")).toBe("true");
    expect(await descriptionOf(page, "URL to watch")).toMatch(/url/i);
    expect(await box.inputValue()).toBe("ftp://files.northwind.test");
    await box.press("End");
    await box.pressSequentially("x");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("everything works with the keyboard alone: set up, add, pause, filter, delete, sign out", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const server = await startInstallation();
    const page = await openPage(server.url);
    const { keyboard } = page;
    const tabTo = async (name: string | RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        if ((await focusedName(page)).match(name)) return;
        await keyboard.press("Tab");
      }
      throw new Error(`Tab never reaches ${name}`);
    };
    // A menu moves the focus a moment after the key; nobody types faster than that, but a test does.
    const focused = (name: string) =>
      eventually(
        () => focusedName(page),
        (found) => found === name,
      );

    await page.goto("/");
    await tabTo(/^Your name/);
    for (const value of [owner.name, owner.email, owner.password]) {
      await keyboard.type(value);
      await keyboard.press("Tab");
    }
    await tabTo(/^Create account/);
    await keyboard.press("Enter");

    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    await tabTo("URL to watch");
    await keyboard.type(target.url);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Everything is up" }).waitFor();
    await tabTo("Domains");
    await keyboard.press("Enter");
    await page.locator("[role=row][data-status=up]").waitFor();

    await tabTo(/^Actions for/);
    await keyboard.press("Enter");
    await focused("Pause checks");
    await keyboard.press("Enter");
    await page.locator("[role=row][data-status=paused]").waitFor();

    await keyboard.press("/");
    await keyboard.type("no such name");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await keyboard.press("Escape");
    await page.locator("[role=row][data-status=paused]").waitFor();

    await tabTo(/^Actions for/);
    await keyboard.press("Enter");
    await focused("Resume checks");
    await keyboard.press("ArrowDown");
    await focused("Delete…");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyboard.press("Escape");
    await eventually(
      () => focusedName(page),
      (name) => name.startsWith("Actions for"),
    );
    await keyboard.press("Enter");
    await focused("Resume checks");
    await keyboard.press("ArrowDown");
    await focused("Delete…");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(/^Delete$/);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    expect(await callApi(page, "GET", "/api/domains")).toEqual([]);
    await eventually(
      () => focusedName(page),
      (name) => name !== "",
    );

    await tabTo(/Account: [^.]*$/);
    await keyboard.press("Enter");
    await focused("API keys");
    await keyboard.press("End");
    await focused("Sign out");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
