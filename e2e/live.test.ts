import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { callApi, shareInstallation } from "./harness/installation.ts";

const app = shareInstallation();

const isLive = (page: Page, timeout?: number) =>
  page
    .getByRole("status")
    .filter({ hasText: /^Live$/ })
    .waitFor({ timeout });

describe("the live stream", () => {
  test("a domain that another client adds or deletes appears and goes without a reload", async () => {
    const page = await app.open();
    await page.goto("/domains");
    await isLive(page);

    const domain = { url: "http://127.0.0.1:9/", name: "From elsewhere" };
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
    await page.getByText("From elsewhere", { exact: true }).waitFor();
    await callApi(page, "DELETE", `/api/domains/${id}`);
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    expect(await page.locator("[role=row][data-status]").count()).toBe(0);
  });

  test("a server that is away is said so, and once it is back the page is current again by itself", async () => {
    const page = await app.open();
    await page.goto("/domains");
    await isLive(page);

    await app.stop();
    await page.getByText("Reconnecting…").waitFor({ timeout: 15_000 });
    await app.start();
    await isLive(page, 40_000);
    await page.getByLabel("URL to watch").fill("http://127.0.0.1:9/");
    await page.getByLabel("URL to watch").press("Enter");
    await page.locator("[role=row][data-status]").waitFor();
    expect(await page.getByText("127.0.0.1:9").first().isVisible()).toBe(true);
  }, 90_000);
});
