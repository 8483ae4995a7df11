import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget, type Target } from "../server/test/harness/targets.ts";
import { seriousViolations } from "./harness/accessibility.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { card, isDrawn, panel, results, scenes } from "./harness/domain-scenes.ts";
import { callApi, signInAsOwner, startInstallation } from "./harness/installation.ts";
import { answerWithNorthwindDomain } from "./harness/northwind-domain.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

/** Checks come every ten seconds, the least there is; a confirmation takes one or two of them. */
const confirmedWithinMs = 45_000;

async function startTarget(): Promise<Target> {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  return target;
}

const addDomain = (page: Page, url: string, name: string) =>
  callApi<{ id: number }>(page, "POST", "/api/domains", { url, name, checkInterval: 10, timeout: 5 });

const looks: Look[] = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "light", width: 375, height: 740 },
  { theme: "dark", width: 375, height: 740 },
];

describe("the page of a domain", () => {
  test("opens from its row with the keyboard, shows its figures, and an outage with the reason without a reload", async () => {
    const target = await startTarget();
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const { id } = await addDomain(page, target.url, "Shop");
    await page.locator("[role=row][data-status=up]").waitFor();
    await page.getByRole("link", { name: "Shop", exact: true }).focus();
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Shop" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/domains/${id}`);
    expect(await page.title()).toBe("Shop · Vedette");
    await panel(page, "up").getByText("Up since just now").waitFor();
    await page.evaluate("window.neverReloaded = true");
    await card(page, "Uptime and response time").getByText("100%").first().waitFor();
    expect(await page.locator("[data-tone]").count()).toBe(90);
    expect(await page.locator("[data-tone=up]").count()).toBe(1);
    await results(page, "up").first().waitFor();
    await card(page, "Locations").getByText("local").waitFor();
    await card(page, "Certificate")
      .getByText(/without TLS/)
      .waitFor();

    const passed = await results(page, "up").count();
    await eventually(
      () => results(page, "up").count(),
      (count) => count > passed,
      15_000,
    );

    await target.refuse();
    await panel(page, "down").waitFor({ timeout: confirmedWithinMs });
    await panel(page, "down")
      .getByText(/refused/)
      .waitFor();
    await results(page, "down")
      .first()
      .getByText(/refused/)
      .filter({ visible: true })
      .waitFor();
    await page.locator("[data-tone=down], [data-tone=dented]").waitFor();
    expect(await page.evaluate("window.neverReloaded")).toBe(true);
    await saveScreenshot(page, "domain-outage");
  }, 120_000);

  test("the range is chosen with the arrow keys and stays in the address; the figures are there as a table", async () => {
    const target = await startTarget();
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const { id } = await addDomain(page, target.url, "Shop");
    await page.locator("[role=row][data-status=up]").waitFor();
    await page.goto(`/domains/${id}`);
    await eventually(() => isDrawn(page), Boolean);

    const chosen = () => page.getByRole("radio", { checked: true }).getAttribute("aria-label");
    expect(await chosen()).toBe("Last 24 hours");
    await page.getByRole("radio", { name: "Last 24 hours" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/range=1h/);
    expect(await chosen()).toBe("Last hour");
    await card(page, "Response time")
      .getByText(/^Server/)
      .waitFor();
    await eventually(() => isDrawn(page), Boolean);

    await page.getByRole("button", { name: "Show as table" }).press("Enter");
    const table = card(page, "Response time").getByRole("table");
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(
      expect.arrayContaining(["Time", "Connect", "Server", "Total"]),
    );
    expect(await table.getByRole("row").nth(1).getByRole("cell").last().textContent()).toMatch(/ ms$/);
    await page.reload();
    expect(await chosen()).toBe("Last hour");
    await page.goBack();
    await page.getByRole("heading", { name: "Domains" }).waitFor();
  });

  test("is paused, resumed, edited with the API's errors at their fields, and deleted", async () => {
    const target = await startTarget();
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const { id } = await addDomain(page, target.url, "Shop");
    await page.goto(`/domains/${id}`);
    await panel(page, "up").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await panel(page, "paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await panel(page, "up").waitFor({ timeout: 20_000 });

    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("");
    await dialog.getByLabel("Seconds between checks").fill("5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").nth(1).waitFor();
    for (const label of ["Name", "Seconds between checks"]) {
      expect([label, await dialog.getByLabel(label).getAttribute("aria-invalid")]).toEqual([label, "true"]);
    }
    await dialog.getByLabel("Name").fill("Corner shop");
    await dialog.getByLabel("Seconds between checks").fill("30");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Corner shop" }).waitFor();
    await page.getByText("Interval 30 seconds").waitFor();
    expect(await callApi(page, "GET", `/api/domains/${id}`)).toMatchObject({
      name: "Corner shop",
      checkInterval: 30,
    });

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    await page.goto(`/domains/${id}`);
    await page.getByRole("heading", { name: "This domain is gone" }).waitFor();
  }, 60_000);

  test("is accessible and fits in both themes and on a phone, in every state", async () => {
    const server = await startInstallation();
    const first = await openPage(server.url);
    await signInAsOwner(first, server);
    const cookies = await first.context().cookies();
    for (const look of looks) {
      const page = await openPage(server.url, look);
      page.setDefaultTimeout(40_000);
      await page.context().addCookies(cookies);
      for (const [scene, show] of Object.entries(scenes)) {
        await page.unrouteAll();
        await show(page);
        const name = `domain-${scene}-${look.theme}-${look.width}`;
        await saveScreenshot(page, name, true);
        expect(await seriousViolations(page), name).toEqual([]);
        expect(await sidewaysOverflow(page), name).toBe(0);
      }
      await page.context().close();
    }
  }, 180_000);

  test("dragging over the chart zooms in, and the whole comes back; in a browser whose locale is no language, too", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' })");
    await signInAsOwner(page, server);
    await answerWithNorthwindDomain(page);
    await page.goto("/domains/1");
    await eventually(() => isDrawn(page), Boolean);
    const box = await page.locator(".u-over").boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.move(box.x + box.width / 4, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Show all" }).click();
    await eventually(
      () => page.getByRole("button", { name: "Show all" }).count(),
      (count) => count === 0,
    );
  });

  test.each([1280, 375])("stands at %d px where its shape stood while it was loading", async (width) => {
    const server = await startInstallation();
    const page = await openPage(server.url, { width });
    await signInAsOwner(page, server);
    const ready = Promise.withResolvers<void>();
    await answerWithNorthwindDomain(page, { ready: ready.promise });
    await page.goto("/domains/1");
    await page.getByText("Loading this domain").waitFor({ state: "attached" });
    const tops = async () => {
      const boxes = await Promise.all(
        ["Uptime and response time", "Response time", "Locations"].map((name) =>
          card(page, name).boundingBox(),
        ),
      );
      return boxes.map((box) => Math.round(box?.y ?? -1));
    };
    const loading = await tops();
    ready.resolve();
    await results(page, "down").first().waitFor();
    await eventually(() => isDrawn(page), Boolean);
    expect(await tops()).toEqual(loading);
  });
});
