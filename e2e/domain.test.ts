import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card, isDrawn, panel, results, scenes } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { answerWithNorthwindDomain } from "./harness/northwind-domain.ts";

const app = shareInstallation();

/** The list of domains, with one more in it that works. */
async function openWithDomain(name: string): Promise<{ page: Page; id: number }> {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  const page = await app.open();
  await page.goto("/domains");
  const domain = { url: target.url, name, checkInterval: 10, timeout: 5 };
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
  // The following tests must not see the message that it went away.
  onTestFinished(async () => void (await page.request.delete(`${app.url}/api/domains/${id}`)));
  await page.locator("[role=row][data-status=up]").filter({ hasText: name }).waitFor();
  return { page, id };
}

describe("the page of a domain", () => {
  test("opens from its row with the keyboard and shows its values", async () => {
    const { page, id } = await openWithDomain("Shop");
    await page.getByRole("link", { name: "Shop", exact: true }).focus();
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Shop" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/domains/${id}`);
    expect(await page.title()).toBe("Shop · Vedette");
    await panel(page, "up").getByText("Up for a few seconds").waitFor();
    await card(page, "Uptime and response time").getByText("100%").first().waitFor();
    await page.locator("[data-tone=up]").waitFor();
    expect(await page.locator("[data-tone]").count()).toBe(90);
    await results(page, "up").first().waitFor();
    await card(page, "Locations").getByText("local").waitFor();
    await card(page, "Certificate")
      .getByText(/Plain HTTP/)
      .waitFor();

    await page
      .getByRole("button", { name: /: details$/ })
      .first()
      .click();
    await card(page, "Results").getByText("Connect").waitFor();
  });

  test("opens on its last hour while it is new; the range is chosen with the arrow keys and stays in the address; the values are there as a table", async () => {
    const { page, id } = await openWithDomain("Warehouse");
    await page.goto(`/domains/${id}`);
    await eventually(() => isDrawn(page), Boolean);

    const chosen = () => page.getByRole("radio", { checked: true }).getAttribute("aria-label");
    expect(await chosen()).toBe("Last hour");
    await card(page, "Response time")
      .getByText(/^Server/)
      .waitFor();
    await page.getByRole("radio", { name: "Last hour" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/range=24h/);
    expect(await chosen()).toBe("Last 24 hours");
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
    expect(await chosen()).toBe("Last 24 hours");
    await page.goBack();
    await page.getByRole("heading", { name: "Domains" }).waitFor();
  });

  test("is paused, resumed, edited with the API's errors at their fields, and deleted", async () => {
    const { page, id } = await openWithDomain("Bakery");
    await page.goto(`/domains/${id}`);
    await panel(page, "up").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await panel(page, "paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await panel(page, "up").waitFor({ timeout: 20_000 });

    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("heading", { name: "Edit Bakery" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Corner shop");
    const interval = page.getByLabel("Check interval");
    await interval.fill("5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await interval.getAttribute("aria-invalid")).toBe("true");
    await interval.fill("30");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Corner shop" }).waitFor();
    await page.getByText("Interval 30 seconds").waitFor();
    expect(await callApi(page, "GET", `/api/domains/${id}`)).toMatchObject({
      name: "Corner shop",
      checkInterval: 30,
    });

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Corner shop was deleted.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/domains");
    await page.goto(`/domains/${id}`);
    await page.getByRole("heading", { name: "This domain is gone" }).waitFor();
  });

  test("confirms its deletion on a phone in a dialog as wide as the screen allows", async () => {
    const { page, id } = await openWithDomain("Phone shop");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/domains/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Phone shop?" });
    await dialog.waitFor();
    expect(await dialog.evaluate((element: { offsetWidth: number }) => element.offsetWidth)).toBe(390 - 32);
  });

  test("is accessible and fits in both themes and on a phone, in every state", async () => {
    const page = await app.open();
    for (const [scene, show] of Object.entries(scenes)) {
      await page.unrouteAll();
      await show(page);
      expect(await faultsInEveryLook(page, `domain-${scene}`, true)).toEqual([]);
    }
  }, 240_000);

  test("dragging over the chart zooms in, which the address keeps, and the whole comes back; in a browser whose locale is no language, too", async () => {
    const page = await app.open();
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' })");
    await answerWithNorthwindDomain(page);
    await page.goto("/domains/1");
    await eventually(() => isDrawn(page), Boolean);
    const box = await page.locator(".u-over").boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.move(box.x + box.width / 4, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/zoom=\d+-\d+/);
    await page.reload();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.waitForURL((url) => !url.searchParams.has("zoom"));
    await eventually(
      () => page.getByRole("button", { name: "Show all" }).count(),
      (count) => count === 0,
    );
  });

  test("groups results that came out alike, opens them with the keyboard, and loads older ones", async () => {
    const page = await app.open();
    await answerWithNorthwindDomain(page, { state: "down" });
    await page.goto("/domains/1");
    const list = card(page, "Results");
    await list.getByText("4 × Failed").waitFor();
    await list
      .getByText(/^\d+–\d+ ms$/)
      .first()
      .waitFor();
    expect(await page.locator("[data-run]").count()).toBe(3);
    await list.getByRole("button", { name: /^4 results, .*: show each$/ }).press("Enter");
    expect(await results(page, "down").count()).toBe(1 + 4 + 2);
    await list
      .getByRole("button", { name: /: details$/ })
      .first()
      .press("Enter");
    await list.getByText("1.4 ms").waitFor();

    await list.getByRole("button", { name: "Load older results" }).click();
    await list.getByText("61 × Passed").waitFor();
    expect(await list.getByRole("button", { name: "Load older results" }).count()).toBe(0);
  });

  test("shows its outages of the last 90 days, over restarts, and flapping in one line", async () => {
    const page = await app.open();
    await answerWithNorthwindDomain(page, { state: "down" });
    await page.goto("/domains/1");
    const entries = card(page, "Incidents, last 90 days").locator("[data-event]");
    await entries.first().waitFor();
    expect(await entries.evaluateAll((rows) => rows.map((row) => row.dataset["event"]))).toEqual([
      "down",
      "down",
      "down",
      "offline",
      "flapping",
    ]);
    expect(await entries.nth(2).textContent()).toMatch(/^Down for 40 minutes, /);
    expect(await entries.nth(4).textContent()).toMatch(/^Flapping: 8 changes in 21 minutes/);
    await page.getByText("12 days of data").waitFor();
    await page.getByRole("img", { name: /^Last 90 days: 78 known, 3 of them with downtime\./ }).waitFor();
  });

  test("is amber while it is flapping, with how often it changed, and mutes a certificate that is accepted as it is", async () => {
    const page = await app.open();
    const nineDays = new Date(Date.now() + 9.5 * 86_400_000).toISOString();
    const certificate = {
      valid: false,
      status: "invalid" as const,
      expiresAt: nineDays,
      startsAt: null,
      issuer: "CN=Northwind",
      subject: "CN=Northwind",
      names: [],
      keyType: null,
      fingerprint: null,
      chain: [],
      host: null,
      expiresFirst: null,
      reason: "The certificate is self-signed.",
      reasonFact: null,
    };
    await answerWithNorthwindDomain(page, {
      flapping: true,
      change: { certificate, ignoreCertificate: true },
    });
    await page.goto("/domains/1");
    await panel(page, "flapping").getByText("Flapping: 8 changes in 10 minutes").waitFor();
    await panel(page, "flapping").getByRole("link", { name: "Alerts: none", exact: true }).waitFor();
    await card(page, "Certificate").getByText("9 days left · not verified").waitFor();
    expect(await card(page, "Certificate").locator(".text-down-ink").count()).toBe(0);
  });

  test.each([1280, 375])("does not move at %d px once it is loaded", async (width) => {
    const page = await app.open({ width });
    const ready = Promise.withResolvers<void>();
    await answerWithNorthwindDomain(page, { ready: ready.promise });
    await page.goto("/domains/1");
    await card(page, "Locations").getByText("Loading…").waitFor({ state: "attached" });
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
