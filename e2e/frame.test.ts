import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { seriousViolations } from "./harness/accessibility.ts";
import { callApi, owner, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

const app = shareInstallation();

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const sidebar = (page: Page) => page.locator("[data-sidebar]").getAttribute("data-sidebar");
const focusedText = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");
/** As the browser shows the first of these elements. */
const styleOf = (page: Page, selector: string, name: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`);
const bell = (page: Page) => page.getByRole("button", { name: "Notifications" });

/** What the page is made of and could not come up without, as far as the browser does not have it for that yet. */
const uncached = `caches.open("vedette").then(async (cache) => {
  const cached = new Set((await cache.keys()).map(({ url }) => url));
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  return files.filter((file) => new URL(file).pathname.startsWith("/assets/") && !cached.has(file));
})`;

/** The page is slow: what is to be done in its next frame waits until `releaseFrames`. */
const holdFrames = (page: Page) =>
  page.evaluate(`{
    const { requestAnimationFrame } = window;
    const held = [];
    window.requestAnimationFrame = (callback) => held.push(callback);
    window.releaseFrames = () => {
      window.requestAnimationFrame = requestAnimationFrame;
      for (const callback of held) callback(performance.now());
      return held.length;
    };
  }`);
const releaseFrames = async (page: Page) =>
  expect(await page.evaluate<number>("window.releaseFrames()")).toBeGreaterThan(0);

/** A domain that is found to be down at once. */
const addBroken = (page: Page, name: string) =>
  callApi<{ id: number }>(page, "POST", "/api/domains", { url: "http://127.0.0.1:9/", name });

/** Faults of the page in both themes, unresized: what opens over it stays open only as wide as it is. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await saveScreenshot(page, `${name}-${theme}`);
    faults.push(...(await seriousViolations(page)));
  }
  return (await sidewaysOverflow(page)) > 0 ? [...faults, `${name} scrolls sideways`] : faults;
}

/** Deletes all domains, reads all notifications and speaks English: each test begins so. */
async function clear(page: Page): Promise<void> {
  for (const { id } of await callApi<{ id: number }[]>(page, "GET", "/api/domains"))
    await callApi(page, "DELETE", `/api/domains/${id}`);
  await callApi(page, "PUT", "/api/notifications/read");
  await callApi(page, "PATCH", "/api/auth/me", { language: "en" });
}

describe("the frame", () => {
  test("is a sidebar, a rail or a phone's bar, leads to every page from each, and remembers what was chosen", async () => {
    const page = await app.open({ width: 1440, height: 900 });
    await page.goto("/");
    await main(page).getByRole("link", { name: "Domains" }).click();
    await page.waitForURL("**/domains");
    expect(await sidebar(page)).toBe("wide");
    // The box for the first domain takes the focus when it comes.
    await page.getByLabel("URL to watch").waitFor();
    await page.locator("#content").focus();
    await page.keyboard.press("[");
    await eventually(
      () => sidebar(page),
      (form) => form === "rail",
    );
    await page.reload();
    await main(page).waitFor();
    expect(await sidebar(page)).toBe("rail");
    await page.getByRole("button", { name: "Expand sidebar" }).click();
    await eventually(
      () => sidebar(page),
      (form) => form === "wide",
    );

    const narrow = await app.open({ width: 1000 });
    await narrow.goto("/");
    await main(narrow).waitFor();
    expect(await sidebar(narrow)).toBe("rail");
    const services = main(narrow).getByRole("link", { name: "Services" });
    const tip = () => styleOf(narrow, "[data-sidebar=rail] a[href='/services'] > span", "opacity");
    expect(await tip()).toBe("0");
    await services.hover();
    await eventually(tip, (opacity) => opacity === "1");
    expect(await seriousViolations(narrow)).toEqual([]);
    await services.click();
    await narrow.waitForURL("**/services");

    await narrow.setViewportSize({ width: 390, height: 800 });
    await narrow.locator("[data-sidebar]").waitFor({ state: "detached" });
    await main(narrow).getByRole("link", { name: "Overview" }).click();
    await narrow.waitForURL(/\/$/);
    expect(await main(narrow).count()).toBe(1);
    await main(narrow).getByRole("button", { name: "More" }).click();
    await narrow
      .getByRole("dialog", { name: owner.organization })
      .getByRole("link", { name: "Settings", exact: true })
      .click();
    await narrow.waitForURL("**/settings");
    await narrow.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("keeps the focus out of a sheet that is closed and in one that is open, and gives it back", async () => {
    const page = await app.open({ width: 390, height: 800 });
    await page.goto("/services");
    await main(page).waitFor();
    await page.keyboard.press("Tab");
    expect(await focusedText(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.locator("#content:focus").waitFor();

    const more = main(page).getByRole("button", { name: "More" });
    const names: string[] = [];
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press("Tab");
      names.push(await focusedText(page));
    }
    expect(names.some((name) => name.includes("More"))).toBe(true);
    expect(names.some((name) => name.includes("Sign out"))).toBe(false);
    await more.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.waitFor();
    expect(await faultsOf(page, "frame-more")).toEqual([]);
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          "document.activeElement === document.body || !!document.activeElement?.closest('dialog')",
        ),
      ).toBe(true);
    }
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await eventually(
      () => focusedText(page),
      (name) => name.includes("More"),
    );
  });

  test("leads to pages by two keys, to a new domain by one, and shows all of them; not while typing", async () => {
    const page = await app.open();
    await page.goto("/");
    await main(page).waitFor();
    await page.getByLabel("URL to watch").waitFor();
    await page.locator("#content").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.waitForURL("**/services");
    await page.keyboard.press("n");
    await page.waitForURL("**/services/new");
    // The form takes the focus when it comes.
    await page.getByRole("button", { name: "Start watching" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#content").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.waitForURL("**/domains");
    await page.locator("#content").focus();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Overview").waitFor();
    expect(await faultsInEveryLook(page, "frame-shortcuts")).toEqual([]);
    // A dialog has the keys to itself.
    await page.keyboard.press("n");
    await holdFrames(page);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/domains");
    await page.getByLabel("URL to watch").fill("g");
    await releaseFrames(page);
    await page.keyboard.type("on?[");
    expect(await page.getByLabel("URL to watch").inputValue()).toBe("gon?[");
    expect(new URL(page.url()).pathname).toBe("/domains");
  });

  test("surrounds an address that leads nowhere, and one of the API that is typed by hand leads to its page", async () => {
    const page = await app.open();
    await page.goto("/nowhere/at-all");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    expect(await main(page).count()).toBe(1);
    await page.goto("/domains/shop");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    expect(await main(page).count()).toBe(1);
    await page.goto("/api-keys");
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/api-keys");
    const answer = await fetch(`${app.url}/api-keys`, { headers: { cookie: app.cookie } });
    expect(answer.headers.get("content-type")).toContain("application/json");

    await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
    await page
      .getByRole("menu")
      .getByText(/^Vedette \d+\.\d+/)
      .waitFor();
    const docs = page.getByRole("menuitem", { name: "API documentation" });
    expect(await docs.getAttribute("href")).toBe("/docs");
  });

  test("counts what is down and what has not been read, here and after a reload, and leads to it", async () => {
    const page = await app.open();
    await page.goto("/services");
    await clear(page);
    await page.reload();
    await bell(page).waitFor();
    expect(await bell(page).textContent()).toBe("Notifications");
    const { id } = await addBroken(page, "Checkout");
    await main(page).getByRole("link", { name: "Domains 1 down" }).waitFor();
    await page.getByRole("button", { name: "Notifications 1 unread" }).waitFor();
    await addBroken(page, "Search");
    await page.getByRole("button", { name: "Notifications 2 unread" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Notifications 2 unread" }).click();
    const sheet = page.getByRole("dialog", { name: "Notifications" });
    const notification = sheet.getByRole("button", {
      name: "Unread: Checkout went down. 127.0.0.1:9 refused the connection.",
    });
    await notification.waitFor();
    expect(await faultsOf(page, "frame-bell")).toEqual([]);
    await notification.click();
    await page.waitForURL(`**/domains/${id}`);
    await page.getByRole("button", { name: "Notifications 1 unread" }).waitFor();

    await page.setViewportSize({ width: 390, height: 800 });
    await main(page).getByRole("button", { name: "1 unread More" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Notifications" }).click();
    await sheet.getByRole("button", { name: "Mark all as read" }).click();
    await sheet
      .getByText(/Unread:/)
      .first()
      .waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.reload();
    await main(page).getByRole("button", { name: "More", exact: true }).waitFor();
    await clear(page);
  });
});

const strip = (page: Page, words: RegExp) => page.getByRole("status").filter({ hasText: words });
const boxes = (page: Page) =>
  page.evaluate<number[]>(
    "[...document.querySelectorAll('header > div:first-child, main, nav a')].flatMap((it) => { const { x, y, width } = it.getBoundingClientRect(); return [x, y, width]; })",
  );
const colourOf = (page: Page, selector: string) => styleOf(page, selector, "backgroundColor");

describe("while the server is away", () => {
  test("a strip says from when everything is; dots are grey, durations stop, and nothing moves, on a phone in German too", async () => {
    const page = await app.open({ width: 1280 });
    await page.goto("/domains");
    await clear(page);
    await addBroken(page, "Checkout");
    const dot = "[role=row][data-status=down] span.rounded-full";
    await page.locator("[role=row][data-status=down]").waitFor();
    const phone = await app.open({ width: 360, height: 740 });
    await phone.addInitScript("localStorage.setItem('vedette.language', 'de')");
    await phone.goto("/domains");
    await phone.locator("[role=row][data-status=down]").waitFor();
    await phone.evaluate("document.fonts.ready");
    const red = await colourOf(page, dot);
    const before = [await boxes(page), await boxes(phone)];
    await app.stop();
    await strip(page, /^No connection since \d\d:\d\d\. Shown: the state at that time\.$/).waitFor();
    await strip(phone, /^Keine Verbindung\. Sie sehen den Stand von \d\d:\d\d\.$/).waitFor();
    expect([await boxes(page), await boxes(phone)]).toEqual(before);
    expect(await sidewaysOverflow(phone)).toBe(0);
    expect(await colourOf(page, dot)).not.toBe(red);
    await saveScreenshot(page, "frame-away");
    await saveScreenshot(phone, "frame-away-phone");
    expect(await seriousViolations(phone)).toEqual([]);

    // What is typed meanwhile is there when it cannot be sent, and can be sent later.
    await page.getByLabel("URL to watch").fill("http://127.0.0.1:9/later");
    await page.keyboard.press("Enter");
    await page.getByText("Vedette cannot be reached.").first().waitFor();
    expect(await page.getByLabel("URL to watch").inputValue()).toBe("http://127.0.0.1:9/later");
    await app.start();
    await strip(page, /^Live$/).waitFor({ timeout: 40_000 });
    expect(await strip(page, /No connection/).count()).toBe(0);
    await eventually(
      () => colourOf(page, dot),
      (colour) => colour === red,
    );
    await page.getByLabel("URL to watch").press("Enter");
    await page.getByText("127.0.0.1:9/later").first().waitFor();
    await clear(page);
  }, 240_000);

  test("the last view comes up after a reload with its age, holds no token, and is gone after signing out", async () => {
    const page = await app.open({ width: 1280, offline: true });
    await page.goto("/domains");
    await callApi(page, "POST", "/api/services", {
      name: "Nightly job",
      protocol: "heartbeat",
      protocolConfig: {},
      checkInterval: 60,
    });
    const [job] = await callApi<{ id: number }[]>(page, "GET", "/api/services");
    const { protocolConfig } = await callApi<{ protocolConfig: { token: string } }>(
      page,
      "GET",
      `/api/services/${job?.id}`,
    );
    const { id } = await addBroken(page, "Checkout");
    await page.goto(`/services/${job?.id}`);
    await page.getByText(protocolConfig.token).first().waitFor();
    // What happens while a page is on its way, neither its list nor its stream may hold.
    await eventually(
      () => callApi<{ status: string }>(page, "GET", `/api/domains/${id}`),
      ({ status }) => status === "down",
      45_000,
    );
    await page.goto("/domains");
    await page.locator("[role=row][data-status=down]").waitFor();
    const stored = () => page.evaluate<string>("localStorage.getItem('vedette.view') ?? ''");
    await eventually(stored, (view) => view.includes("Checkout"));
    await eventually(
      () => page.evaluate<string[]>(uncached),
      (files) => files.length === 0,
    );
    // A picture that is opened in a tab of its own is no page of the app.
    const picture = await page.context().newPage();
    await picture.goto("/favicon.svg");
    await picture.close();
    await app.stop();
    await page.reload();
    await strip(page, /No connection since/).waitFor();
    await page.locator("[role=row]").filter({ hasText: "Checkout" }).waitFor();
    expect(await stored()).not.toContain(protocolConfig.token);
    await app.start();
    await strip(page, /No connection/)
      .waitFor({ state: "detached", timeout: 40_000 })
      .catch(() => undefined);
    await strip(page, /^Live$/).waitFor({ timeout: 40_000 });
    await eventually(
      () => strip(page, /No connection|Waiting/).count(),
      (count) => count === 0,
    );
    await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await stored()).toBe("");
  }, 240_000);
});
