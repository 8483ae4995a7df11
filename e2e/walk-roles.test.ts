import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { barePages } from "./harness/bare-pages.ts";
import { openPage } from "./harness/browser.ts";
import { type Role, roles, shareCompany } from "./harness/company.ts";
import {
  controlsOf,
  differences,
  goOn,
  isAtLeast,
  onceStable,
  waitFor,
  waitForPage,
} from "./harness/controls.ts";
import { addressOf, appPages, frameControls } from "./harness/pages.ts";

const company = shareCompany();

/** Everything that can be operated on the page itself, its bar at the top included. */
const onPage = async (page: Page) => [
  ...(await controlsOf(page.locator("header").first())),
  ...(await controlsOf(page.getByRole("main"))),
];

describe.each(roles)("the %s", (role: Role) => {
  test("finds on each page what the role may do and nothing else, and inside the frame why a page is not shown", async () => {
    const page = await company.open(role);
    const faults: string[] = [];
    for (const row of appPages) {
      // Typed by hand where the role may not see it.
      if (isAtLeast(role, row.least ?? "viewer")) await goOn(page, addressOf(row, company.ids));
      else await page.goto(addressOf(row, company.ids));
      await waitForPage(page, row, role);
      const found = await onceStable(async () => differences(await onPage(page), row.controls, role));
      faults.push(...found.map((fault) => `${row.path} ${fault}`));
      const sidebar = page.locator("[data-sidebar]");
      const around = await onceStable(async () =>
        differences(await controlsOf(sidebar), frameControls, role),
      );
      faults.push(...around.map((fault) => `the frame of ${row.path} ${fault}`));
    }
    expect(faults).toEqual([]);
  }, 240_000);

  test("finds nothing else in an organization that has nothing yet", async () => {
    const page = await company.open(role, {}, "empty");
    const faults: string[] = [];
    for (const row of appPages) {
      if (!row.empty) continue;
      await goOn(page, addressOf(row, company.ids));
      await waitFor(page, row.empty.ready);
      const { controls } = row.empty;
      const found = await onceStable(async () => differences(await onPage(page), controls, role));
      faults.push(...found.map((fault) => `${row.path} ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test("is refused by the server what the pages do not offer, and nothing that they do", async () => {
    const faults: string[] = [];
    for (const { least, method, path, body } of appPages.flatMap(({ requests = [] }) => requests)) {
      const status = await company.statusFor(role, method, path, body);
      const isRefused = status === 403;
      if (isRefused === isAtLeast(role, least)) faults.push(`${method} ${path}: ${status}`);
    }
    expect(faults).toEqual([]);
  });

  test("has the keys and the row's menu for what the role may do, and no others", async () => {
    const page = await company.open(role);
    await page.goto("/domains?sort=name");
    const mayWrite = isAtLeast(role, "member");
    await page.getByRole("button", { name: "Actions for Shop" }).click();
    const menu = await controlsOf(page.getByRole("menu"));
    const all = ["Check now", "Edit", "Mute for 1 hour", "Pause checks", "Copy URL", "Delete…"];
    expect(menu).toEqual((mayWrite ? all : ["Copy URL"]).map((name) => `menuitem ${name}`));
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    const keys = await page.getByRole("dialog").locator("dd").allInnerTexts();
    await page.keyboard.press("Escape");
    const writing = ["e", "n", "x"].filter((key) => keys.some((text) => text.split("\n").includes(key)));
    expect(writing).toEqual(mayWrite ? ["e", "n", "x"] : []);
    await page.locator("#content").focus();
    await page.keyboard.press("n");
    if (mayWrite) await page.waitForURL("**/domains/new");
    else expect(new URL(page.url()).pathname).toBe("/domains");
  });
});

test("a visitor finds on the pages before the sign-in what belongs there, and none of the others", async () => {
  const page = await openPage(company.url);
  const faults: string[] = [];
  for (const row of barePages) {
    const { path, ready, controls } = row;
    await page.goto(addressOf(row, company.ids));
    await waitFor(page, ready);
    const body = page.locator("body");
    const found = await onceStable(async () =>
      differences(await controlsOf(body), { viewer: controls }, "viewer"),
    );
    faults.push(...found.map((fault) => `${path} ${fault}`));
  }
  for (const row of appPages) {
    await page.goto(addressOf(row, company.ids));
    await page.waitForURL(/\/sign-in/);
  }
  expect(faults).toEqual([]);
});
