import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import type { Language } from "../web/src/i18n/languages.ts";
import { openPage } from "./harness/browser.ts";
import { isDrawn, panel } from "./harness/domain-scenes.ts";
import { callApi, owner, startInstallation } from "./harness/installation.ts";
import { northwindDomains } from "./harness/northwind.ts";
import { answerWithNorthwindDomain } from "./harness/northwind-domain.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";
import { leftInEnglish } from "./harness/words.ts";

/** Statuses in the list that end in dots for want of room. */
const cutStatuses = `[...document.querySelectorAll("[role=row][data-status] [role=cell] > div:first-child")]
  .filter((words) => words.scrollWidth > words.clientWidth).map((words) => words.textContent)`;

/** Faults of the page, wide and narrow; both are saved as pictures. */
async function faultsOf(page: Page, name: string, language: Language): Promise<string[]> {
  const faults = await leftInEnglish(page, language);
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await saveScreenshot(page, `${name}-${width}`, true);
    const wider = await sidewaysOverflow(page);
    if (wider > 0) faults.push(`${name} scrolls sideways by ${wider} px at ${width} px`);
  }
  return faults;
}

/** The lists of a company with some problems; days of history cannot be had in a test any other way. */
async function answerWithNorthwind(page: Page): Promise<void> {
  const total = northwindDomains.length;
  const stats = {
    total,
    up: 7,
    down: 1,
    unknown: 2,
    degraded: 1,
    paused: 1,
    maintenance: 0,
    avgResponseTime: 140,
    avgUptime: 99.4,
  };
  const pagination = { page: 1, limit: 50, total, totalPages: 1 };
  const answer = { success: true, message: "OK" };
  await page.route("**/api/domains/stats", (route) => route.fulfill({ json: { ...answer, data: stats } }));
  await page.route("**/api/domains?*", (route) =>
    route.fulfill({ json: { ...answer, data: northwindDomains, pagination } }),
  );
  await answerWithNorthwindDomain(page, { state: "down" });
}

async function choose(page: Page, menu: string, language: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitemradio", { name: language }).click();
}

const languageOf = (page: Page) => page.evaluate<string>("document.documentElement.lang");

test("choosing a language turns the page at once, keeps what was typed, and stays after a reload; nothing is left in English", async () => {
  const server = await startInstallation();
  const page = await openPage(server.url);
  await page.goto("/");
  await page.getByLabel("Your name").fill(owner.name);
  expect(await languageOf(page)).toBe("en-GB");
  await page.evaluate("window.neverReloaded = true");
  await choose(page, "Language", "Deutsch");
  await page.getByRole("heading", { name: "Vedette einrichten" }).waitFor();
  expect(await page.getByLabel("Ihr Name").inputValue()).toBe(owner.name);
  expect(await page.evaluate("window.neverReloaded")).toBe(true);
  expect(await languageOf(page)).toBe("de");
  expect(await page.title()).toBe("Einrichten · Vedette");
  await page.getByRole("button", { name: "Konto anlegen und loslegen" }).click();
  await page.getByText("Pflichtfeld").first().waitFor();
  expect(await faultsOf(page, "set-up-de", "de")).toEqual([]);

  await callApi(page, "POST", "/api/auth/setup", owner);
  await answerWithNorthwind(page);
  await page.goto("/domains");
  const reported = (name: string, text: string) =>
    page.getByRole("row").filter({ hasText: name }).getByText(text).filter({ visible: true }).first();
  await reported("Customer portal", "Erreichbar seit 12 Tagen").waitFor();
  await reported("Checkout API", "(203.0.113.24:443) hat die Verbindung abgelehnt.").waitFor();
  await reported("Shop", "99,98\u00a0%").waitFor();
  expect(await faultsOf(page, "domains-de", "de")).toEqual([]);
  await page.setViewportSize({ width: 800, height: 800 });
  expect(await page.evaluate(cutStatuses)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto("/domains/1");
  await panel(page, "down").getByText("Ausgefallen seit 4 Minuten").waitFor();
  await eventually(() => isDrawn(page), Boolean);
  expect(await faultsOf(page, "domain-de", "de")).toEqual([]);
  await choose(page, `Konto: ${owner.name}`, "中文");
  await panel(page, "down").getByText("故障，已 4 分钟").waitFor();
  expect(await languageOf(page)).toBe("zh-Hans");
  await eventually(() => isDrawn(page), Boolean);
  expect(await faultsOf(page, "domain-zh", "zh")).toEqual([]);

  await page.goto("/domains");
  await reported("Customer portal", "正常，已 12 天").waitFor();
  expect(await faultsOf(page, "domains-zh", "zh")).toEqual([]);

  await page.goto("/settings/profile");
  await page.getByRole("rowheader", { name: "当前设备" }).waitFor();
  expect(await faultsOf(page, "profile-zh", "zh")).toEqual([]);

  await page.goto("/domains/new");
  await page.getByLabel("URL").fill("shop.example");
  expect(await faultsOf(page, "new-domain-zh", "zh")).toEqual([]);
  await choose(page, `账户：${owner.name}`, "Deutsch");
  await page.getByRole("heading", { name: "Neue Domain" }).waitFor();
  expect(await page.getByLabel("URL").inputValue()).toBe("shop.example");
  expect(await faultsOf(page, "new-domain-de", "de")).toEqual([]);

  await page.goto("/settings/profile");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.getByRole("rowheader", { name: "Dieses Gerät" }).waitFor();
  expect(await faultsOf(page, "profile-de", "de")).toEqual([]);
});
