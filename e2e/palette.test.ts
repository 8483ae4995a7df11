import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { multiplyDomain } from "./harness/many-domains.ts";

const many = 10_000;

const app = shareInstallation();

beforeAll(async () => {
  const headers = { "content-type": "application/json", origin: app.url, cookie: app.cookie };
  const post = (path: string, body: object) =>
    fetch(`${app.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await post("/api/domains", { url: "http://127.0.0.1:9/", name: "Site 00001", checkInterval: 3600 });
  multiplyDomain(app.dataFolder, many);
  const protocolConfig = { host: "127.0.0.1", port: 9 };
  await post("/api/services", { name: "Ledger", protocol: "tcp", protocolConfig, enabled: false });
});

const palette = (page: Page): Locator => page.getByRole("dialog", { name: "Search and commands" });
const option = (page: Page, name: string | RegExp): Locator => palette(page).getByRole("option", { name });
const active = (page: Page): Promise<string> =>
  palette(page).locator("[role=option][aria-selected=true]").innerText();

/** Opens the palette by its keys on a page that is there. */
async function openPalette(page: Page): Promise<void> {
  await page.locator("#content").waitFor();
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").waitFor();
}

/** Types and waits for what fits. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await palette(page)
    .getByRole("status")
    .filter({ hasText: /result/ })
    .waitFor();
}

describe("the command palette", () => {
  test("finds one of ten thousand domains by its name, and opens it, with the keyboard alone", async () => {
    const page = await app.open();
    await page.goto("/");
    await openPalette(page);
    await page.keyboard.type("site 09876", { delay: 20 });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Site 09876" }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/domains\/\d+$/);
    expect(await palette(page).count()).toBe(0);
  });

  test("acknowledges the incident whose page is open, and no longer offers it then", async () => {
    const page = await app.open();
    await page.goto("/incidents");
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/incidents", { title: "Mails are late" });
    await page.goto(`/incidents/${id}`);
    await page.getByRole("heading", { name: "Mails are late" }).waitFor();
    await openPalette(page);
    await page.keyboard.type("acknow");
    await option(page, "Acknowledge “Mails are late”").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^Mira Holm, /).waitFor();
    await openPalette(page);
    await page.keyboard.type("mails are late");
    await option(page, "Resolve “Mails are late”").waitFor();
    expect(await option(page, "Acknowledge “Mails are late”").count()).toBe(0);
    await callApi(page, "DELETE", `/api/incidents/${id}`);
  });

  test("finds by URL and by number, moves through what it found, and opens that", async () => {
    const page = await app.open();
    await page.goto("/");
    const [wanted] = await callApi<{ id: number }[]>(page, "GET", "/api/domains?search=site%2000777");
    await openPalette(page);
    await search(page, `#${wanted?.id}`);
    expect(await active(page)).toContain("Site 00777");
    await page.keyboard.press("Control+a");
    await search(page, "site-0123");
    await option(page, /^Site 01234/).waitFor();
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("ArrowDown");
    expect(await active(page)).toContain("Site 01234");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Site 01234" }).waitFor();
  });

  test("offers first what is down and what was opened lately, then pages, then actions", async () => {
    const page = await app.open();
    await page.goto("/domains?q=00042");
    await page.getByRole("link", { name: "Site 00042" }).click();
    await page.getByRole("heading", { name: "Site 00042" }).waitFor();
    await openPalette(page);
    await option(page, /^Site 00042/).waitFor();
    await option(page, /^Site 00001.*Down for/s).waitFor();
    const groups = await palette(page)
      .getByRole("group")
      .evaluateAll((all) => all.map((one) => one.firstElementChild?.textContent));
    expect(groups).toEqual(["Down now", "Recent", "Pages", "Actions"]);
  });

  test("leads to pages, changes the look, and gives the focus back", async () => {
    const page = await app.open();
    await page.goto("/");
    await openPalette(page);
    await page.keyboard.type("serv");
    await eventually(
      () => active(page),
      (text) => text.startsWith("Services"),
    );
    await page.keyboard.press("Enter");
    await page.waitForURL("**/services");
    await page.getByRole("link", { name: "Ledger" }).focus();
    await openPalette(page);
    await page.keyboard.press("Escape");
    await page.locator("a:focus", { hasText: "Ledger" }).waitFor();
    await openPalette(page);
    await page.keyboard.type("dark");
    await option(page, "Theme: dark").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("html[data-theme=dark]").waitFor();
    // The look is the account's, and so the other tests'.
    await openPalette(page);
    await page.keyboard.type("theme system");
    await option(page, "Theme: same as the system").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("html:not([data-theme])").waitFor();
    await openPalette(page);
    await page.keyboard.type("api k");
    await option(page, "API keys").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/api-keys");
  });

  test("adds an address that was typed, and says there what is wrong with one", async () => {
    const page = await app.open();
    await page.goto("/services");
    await openPalette(page);
    await page.keyboard.type("http://169.254.1.1/");
    await option(page, "Add “http://169.254.1.1/”").waitFor();
    await page.keyboard.press("Enter");
    await palette(page).getByRole("alert").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("127.0.0.1:9/palette");
    expect(await palette(page).getByRole("alert").count()).toBe(0);
    await option(page, "Add “127.0.0.1:9/palette”").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/domains\/\d+$/);
    await page.getByRole("heading", { name: "127.0.0.1" }).waitFor();
  });

  test("resumes something without leaving the page, and goes back from the choice of what", async () => {
    const page = await app.open();
    await page.goto("/");
    await openPalette(page);
    await page.keyboard.type("pause");
    await page.keyboard.press("Enter");
    const box = palette(page).getByRole("combobox", { name: "Pause or resume which one?" });
    await box.waitFor();
    await search(page, "ledger");
    await page.keyboard.press("Enter");
    await page.getByText("Ledger is being checked again.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    await openPalette(page);
    await page.keyboard.type("copy");
    await page.keyboard.press("Enter");
    await palette(page).getByRole("combobox", { name: "Copy the ID of which one?" }).waitFor();
    await page.keyboard.press("Backspace");
    await palette(page).getByRole("combobox", { name: "Search and commands" }).waitFor();
  });

  test("does without what cannot be searched while the server is away", async () => {
    const page = await app.open();
    await page.goto("/");
    await openPalette(page);
    await page.route("**/api/search?*", (route) => route.abort());
    await page.keyboard.type("domains");
    await palette(page).getByText("Vedette cannot be reached.").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/domains");
  });

  test("is accessible in both themes, fits a phone, and speaks the reader's language", async () => {
    const page = await app.open();
    await page.goto("/");
    await openPalette(page);
    await option(page, /^Site 00001.*Down for/s).waitFor();
    expect(await faultsInEveryLook(page, "palette")).toEqual([]);
    await search(page, "site 012");
    expect(await faultsInEveryLook(page, "palette-found")).toEqual([]);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("nothing like it");
    await palette(page).getByText("Nothing matches “nothing like it”.").first().waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("language deutsch");
    await option(page, "Deutsch Language").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Übersicht" }).waitFor();
    await page.keyboard.press("Control+k");
    const german = page.getByRole("dialog", { name: "Suche und Befehle" });
    await german.getByRole("combobox").waitFor();
    await page.keyboard.type("sign out");
    await german.getByRole("option", { name: "Abmelden" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("english");
    await german.getByRole("option", { name: "English Sprache" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Overview" }).waitFor();
  });

  test("offers a viewer nothing that changes anything", async () => {
    const page = await app.open();
    await page.route("**/api/auth/me", async (route) => {
      const answer = await (await route.fetch()).json();
      answer.data.organization.role = "viewer";
      await route.fulfill({ json: answer });
    });
    await page.goto("/");
    await openPalette(page);
    const actions = palette(page).getByRole("group", { name: "Actions" });
    await actions.getByRole("option", { name: "Sign out" }).waitFor();
    expect(await actions.getByRole("option").allInnerTexts()).toEqual(["Ask the assistant", "Sign out"]);
    await page.keyboard.type("example.com");
    await palette(page).getByText("Nothing matches “example.com”.").first().waitFor();
  });

  // The last one: it ends the session that all of them share.
  test("signs out, and forgets what was opened", async () => {
    const page = await app.open();
    await page.goto("/domains?q=00043");
    await page.getByRole("link", { name: "Site 00043" }).click();
    await page.getByRole("heading", { name: "Site 00043" }).waitFor();
    const stored = async () =>
      (await page.evaluate<string[]>("Object.keys(localStorage)")).filter((key) => key.includes("recents"));
    await eventually(stored, (keys) => keys.length === 1);
    await openPalette(page);
    await page.keyboard.type("sign out");
    await option(page, "Sign out").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sign-in");
    expect(await stored()).toEqual([]);
  });
});
