import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { northwindDomains, northwindSparklines } from "./harness/northwind.ts";

const installation = shareInstallation();

/** The app with a company's domains in every state; days of history cannot be had in a test any other way. */
async function answerWithNorthwind(page: Page, ready: Promise<unknown> = Promise.resolve()): Promise<void> {
  const total = northwindDomains.length;
  const count = (state: string) => northwindDomains.filter((domain) => domain.state === state).length;
  const [degraded, paused] = [count("degraded"), count("paused")];
  const stats = {
    total,
    up: count("up") + degraded,
    down: count("down"),
    unknown: count("unknown") + paused,
    degraded,
    paused,
    avgResponseTime: 140,
    avgUptime: 99.4,
  };
  const json = {
    success: true,
    message: "OK",
    data: northwindDomains,
    pagination: { page: 1, limit: 50, total, totalPages: 1 },
  };
  await page.route("**/api/domains/stats", (route) =>
    route.fulfill({ json: { success: true, message: "OK", data: stats } }),
  );
  await page.route("**/api/domains/sparklines?*", (route) => {
    const ids = new URL(route.request().url()).searchParams.get("ids") ?? "";
    const data = northwindSparklines(ids.split(",").map(Number));
    return route.fulfill({ json: { success: true, message: "OK", data } });
  });
  await page.route("**/api/domains/*/icon", (route) => route.fulfill({ status: 404, body: "no" }));
  await page.route("**/api/domains?*", async (route) => {
    await ready;
    await route.fulfill({ json });
  });
}

async function showNorthwind(page: Page): Promise<void> {
  await answerWithNorthwind(page);
  await page.goto("/domains");
  await page.locator("[role=row][data-status=down]").waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /^Live$/ })
    .waitFor();
}

/** The offsets of this kind's rows, from the top of the page. */
async function topsOf(page: Page, rows: string): Promise<number[]> {
  const boxes = await Promise.all((await page.locator(rows).all()).map((row) => row.boundingBox()));
  return boxes.map((box) => Math.round(box?.y ?? -1));
}

describe("the list with every state in it", () => {
  test("puts what needs a look first, says each state in words, and is accessible in both themes and on a phone", async () => {
    const page = await installation.open();
    await showNorthwind(page);
    const rows = await page.locator("[role=row][data-status]").all();
    const statuses = await Promise.all(rows.map((row) => row.getAttribute("data-status")));
    expect(statuses.slice(0, 3)).toEqual(["down", "degraded", "waiting"]);
    expect(statuses.at(-1)).toBe("paused");
    expect(await page.getByText("Down for 4 minutes").first().count()).toBe(1);
    expect(await page.getByText("9 days left").count()).toBe(1);
    // Whatever is called as its host is has one line, not the same one twice.
    expect(await page.getByText("staging.northwind.example", { exact: true }).count()).toBe(1);
    expect(await faultsInEveryLook(page, "domain-list")).toEqual([]);
  });

  test("shows under the pointer what it has no room for, and why a figure is missing", async () => {
    const page = await installation.open();
    await showNorthwind(page);
    const underPointer = (row: string, at: number) =>
      page
        .getByRole("row", { name: row })
        .getByRole("cell")
        .nth(at)
        .evaluate((cell) => {
          const { x, y, width, height } = (
            cell.querySelector("[title]") ??
            cell.lastElementChild ??
            cell
          ).getBoundingClientRect();
          const hit = cell.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
          return hit?.closest("[title]")?.getAttribute("title");
        });
    const refused = "api.northwind.example (203.0.113.24:443) refused the connection.";
    expect(await underPointer("Checkout API", 1)).toContain(`${refused}\nSince `);
    expect(await underPointer("Checkout API", 3)).toBe(`Last check: ${refused}`);
    expect(await underPointer("Blog", 3)).toBe("No check yet");
    expect(await underPointer("Warehouse gateway", 4)).toBe("No TLS");
    expect(await underPointer("Documentation", 4)).toMatch(/^Expires on /);
  });

  test.each([390, 1024, 1280, 1440])(
    "shows tags whole or counts them at %d px, and why something is down in full",
    async (width) => {
      const page = await installation.open();
      await showNorthwind(page);
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      const checkout = page.getByRole("row", { name: "Checkout API" });
      const isWhole = (text: Locator) =>
        text.evaluate(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            scrollWidth <= clientWidth && scrollHeight <= clientHeight,
        );
      expect(await isWhole(checkout.getByText("refused the connection."))).toBe(true);
      const shown: string[] = [];
      for (const chip of await checkout.locator("[data-chip]").filter({ visible: true }).all()) {
        expect(await isWhole(chip)).toBe(true);
        shown.push(await chip.innerText());
      }
      const tags = northwindDomains[0]?.tags ?? [];
      const rest = tags.filter((tag) => !shown.includes(tag));
      const more = checkout.getByRole("button", { name: `more tags: ${rest.join(", ")}` });
      expect(await more.innerText()).toBe(`+${rest.length}`);
      await more.click();
      await page.getByRole("menuitem", { name: "Kasse" }).click();
      // On a phone the filters are behind a button that says how many there are.
      if (width < 640) await page.getByRole("button", { name: "Filters (1)" }).click();
      await page.getByRole("button", { name: "Tag: Kasse. Show all." }).waitFor();
    },
  );

  test("is calm about an invalid certificate that is accepted, in the list and on the overview", async () => {
    const page = await installation.open({ width: 1440 });
    await answerWithNorthwind(page);
    const [, , , portal] = northwindDomains;
    const show = (certificateUnverified: boolean) =>
      page.route("**/api/domains?*", (route) => {
        const data = [{ ...portal, certificateStatus: "invalid", certificateUnverified }];
        return route.fulfill({ json: { success: true, message: "OK", data } });
      });
    for (const path of ["/domains", "/"]) {
      await show(true);
      await page.goto(path);
      await page.getByText("64 days left").waitFor();
      await page.getByText("not verified", { exact: true }).waitFor();
      expect(await page.getByText("Not valid").count()).toBe(0);
      await show(false);
      await page.reload();
      await page.getByText("Not valid").waitFor();
      expect(await page.getByText("not verified", { exact: true }).count()).toBe(0);
    }
  });

  test("keeps what it knows of a domain on that domain's page when the rest cannot be had", async () => {
    const page = await installation.open();
    await showNorthwind(page);
    await page.route("**/api/domains/1", (route) => route.fulfill({ status: 400, body: "no" }));
    await page.getByRole("link", { name: "Checkout API", exact: true }).click();
    await page.getByRole("heading", { name: "This domain could not be loaded" }).waitFor();
    expect(await page.getByRole("heading", { name: "Checkout API" }).count()).toBe(1);
    expect(await page.locator("header [data-status=down]").count()).toBe(1);
  });

  test("keeps what was read when it cannot be read again, says since when, and is current after another try", async () => {
    const page = await installation.open();
    await page.goto("/domains");
    const add = (name: string) =>
      callApi<{ id: number }>(page, "POST", "/api/domains", { url: "http://127.0.0.1:9/", name });
    const row = (name: string) => page.getByRole("row", { name });
    await add("Shop");
    await row("Shop").waitFor();
    // Until the button is pressed: the page retries by itself as well.
    await page.evaluate(`addEventListener("click", () => { window.pressed = true; }, true)`);
    await page.route("**/api/domains?*", async (route) => {
      if (await page.evaluate("window.pressed === true")) return route.continue();
      return route.fulfill({ status: 400, body: "no" });
    });
    await add("Blog");
    await page.getByText(/^Not updated since/).waitFor();
    expect(await row("Shop").count()).toBe(1);
    expect(await faultsInEveryLook(page, "stale")).toEqual([]);
    await page.getByRole("button", { name: "Try again" }).click();
    await row("Blog").waitFor();
    expect(await page.getByText(/^Not updated since/).count()).toBe(0);
  });

  test("takes a pause back that did not reach the server, and says so", async () => {
    const page = await installation.open();
    await showNorthwind(page);
    await page.route("**/api/domains**", (route) => route.abort());
    await page.getByRole("button", { name: "Actions for Checkout API" }).click();
    await page.getByRole("menuitem", { name: "Pause checks" }).click();
    await page.getByText(/^Vedette cannot be reached/).waitFor();
    expect(await page.getByRole("row", { name: "Checkout API" }).getAttribute("data-status")).toBe("down");
  });

  test.each([1280, 375])("does not move at %d px once it is loaded", async (width) => {
    const page = await installation.open({ width });
    const ready = Promise.withResolvers<void>();
    await answerWithNorthwind(page, ready.promise);
    await page.goto("/domains");
    await page.locator("[data-loading]").first().waitFor();
    const loading = await topsOf(page, "[data-loading]");
    ready.resolve();
    await page.locator("[role=row][data-status=up]").first().waitFor();
    const loaded = await topsOf(page, "[role=row][data-status]");
    expect(loaded[0]).toBe(loading[0]);
    if (width === 1280) expect(loaded.slice(0, loading.length)).toEqual(loading);
  });
});
