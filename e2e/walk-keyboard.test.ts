import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { seriousViolations } from "./harness/accessibility.ts";
import { barePages } from "./harness/bare-pages.ts";
import { openPage } from "./harness/browser.ts";
import { shareCompany } from "./harness/company.ts";
import { goOn, onceStable, waitFor, waitForPage } from "./harness/controls.ts";
import { addressOf, appPages, keyed } from "./harness/pages.ts";
import { beginAtTop, tabFaults, tabTo } from "./harness/tab-key.ts";

const company = shareCompany();

/** What comes to a page while the key goes through it was not there to be reached. */
const stableTabFaults = (page: Page) => onceStable(() => tabFaults(page));

describe.each([1280, 390])("by keyboard, %i px wide", (width) => {
  test("Tab reaches whatever a pointer can use, in its order, and shows where it is", async () => {
    const page = await company.open("owner", { width });
    const faults: string[] = [];
    for (const row of appPages) {
      await goOn(page, addressOf(row, company.ids));
      await waitForPage(page, row, "owner");
      faults.push(...(await stableTabFaults(page)).map((fault) => `${row.path}: ${fault}`));
    }
    const visitor = await openPage(company.url, { width });
    for (const row of barePages) {
      await visitor.goto(addressOf(row, company.ids));
      await waitFor(visitor, row.ready);
      faults.push(...(await stableTabFaults(visitor)).map((fault) => `${row.path}: ${fault}`));
    }
    expect(faults).toEqual([]);
  }, 240_000);
});

/** Opens what a button opens by keyboard, and closes it again; what is wrong with that. */
async function openerFaults(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  const button = page.getByRole("button", { name }).first();
  await button.press("Enter");
  const opened = page.locator("dialog[open], [role=menu]").first();
  await opened.waitFor();
  const isMenu = (await page.getByRole("menu").count()) > 0;
  if (!isMenu) faults.push(...(await stableTabFaults(page)));
  for (const theme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    faults.push(...(await seriousViolations(page, theme === "dark" ? "contrast" : "all")));
  }
  await page.keyboard.press("Escape");
  await opened.waitFor({ state: "detached" });
  const isBack = await button
    .and(page.locator(":focus"))
    .waitFor({ timeout: 2_000 })
    .then(() => true)
    .catch(() => false);
  return isBack ? faults : [...faults, "the focus does not come back"];
}

test("what a button opens keeps the focus inside, is accessible, closes by Escape and gives the focus back", async () => {
  const page = await company.open("owner");
  const faults: string[] = [];
  for (const { opens = [], ...row } of appPages) {
    if (opens.length === 0) continue;
    await goOn(page, addressOf(row, company.ids));
    await waitForPage(page, row, "owner");
    for (const name of opens) {
      const found = await openerFaults(page, name);
      faults.push(...found.map((fault) => `${row.path}, ${name}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
}, 240_000);

const toast = (page: Page, text: string) => page.getByText(text).first().waitFor();
const press = async (page: Page, name: string) => {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
};

/** What people come for to each page of the settings, and what says that it is done. */
const acts: Record<string, (page: Page) => Promise<void>> = {
  "/settings/profile": async (page) => {
    await press(page, "Change password");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, "Current password");
    await page.keyboard.type("a lamp in every window");
    await tabTo(page, "New password");
    await page.keyboard.type("a lamp in each window");
    await page.keyboard.press("Enter");
    await toast(page, "Your password was changed.");
  },
  "/settings/organization": async (page) => {
    await tabTo(page, "Organization name");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Northwind & Sons");
    await page.keyboard.press("Enter");
    await toast(page, "Name saved.");
    await tabTo(page, "Role of Li Wei");
    await page.keyboard.press("m");
    await toast(page, "Li Wei now has the role Member.");
    await press(page, "Invite");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("tove@northwind.test");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "tove@northwind.test is invited" }).waitFor();
    await page.keyboard.press("Escape");
  },
  "/settings/api-keys": async (page) => {
    await press(page, "Create key");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("Pipeline");
    await tabTo(page, "Read: Domains");
    await page.keyboard.press("Space");
    await tabTo(page, "Create key");
    await page.keyboard.press("Enter");
    await page.locator("dialog code").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("row").filter({ hasText: "Pipeline" }).waitFor();
  },
  "/settings/audit-log": async (page) => {
    await tabTo(page, "Name contains");
    await page.keyboard.type("pipeline");
    const others = page.locator("tbody tr:visible").filter({ hasNotText: "Pipeline" });
    await eventually(
      () => others.count(),
      (count) => count === 0,
    );
    expect(await page.getByRole("row").filter({ hasText: "Created an API key" }).count()).toBe(1);
  },
};

test("the keys alone lead to each page of the frame and do what its pages are for", async () => {
  const page = await company.open("owner");
  await page.goto("/");
  await page.locator("#content").waitFor();
  for (const { path, key } of keyed) {
    await page.locator("#content").focus();
    for (const one of ["g", key]) await page.keyboard.press(one);
    await page.waitForURL(`${company.url}${path}`);
  }
  for (const [path, act] of Object.entries(acts)) {
    await goOn(page, path);
    const row = appPages.find((one) => one.path === path);
    if (row) await waitForPage(page, row, "owner");
    await beginAtTop(page);
    await act(page);
  }
}, 240_000);
