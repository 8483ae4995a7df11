import { describe, expect, test } from "vitest";
import { startServerProcess, temporaryFolder } from "../server/test/harness/process.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, signInAsOwner, startInstallation } from "./harness/installation.ts";

describe("the live stream", () => {
  test("a domain that another client adds or deletes appears and goes without a reload", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    await page
      .getByRole("status")
      .filter({ hasText: /^Live$/ })
      .waitFor();

    const domain = { url: "http://127.0.0.1:9/", name: "From elsewhere" };
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
    await page.getByText("From elsewhere", { exact: true }).waitFor();
    await callApi(page, "DELETE", `/api/domains/${id}`);
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    expect(await page.locator("[role=row][data-status]").count()).toBe(0);
  });

  test("a server that is away is said so, and once it is back the page is current again by itself", async () => {
    const data = temporaryFolder();
    const first = await startServerProcess(data.folder);
    const page = await openPage(first.url);
    await signInAsOwner(page, first);
    await page
      .getByRole("status")
      .filter({ hasText: /^Live$/ })
      .waitFor();

    await first.stop();
    await page.getByText("Reconnecting…").waitFor({ timeout: 15_000 });
    const port = new URL(first.url).port;
    const second = await startServerProcess(data.folder, {}, port);
    try {
      await page
        .getByRole("status")
        .filter({ hasText: /^Live$/ })
        .waitFor({ timeout: 40_000 });
      await page.getByLabel("URL to watch").fill("http://127.0.0.1:9/");
      await page.getByLabel("URL to watch").press("Enter");
      await page.locator("[role=row][data-status]").waitFor();
      expect(await page.getByText("127.0.0.1:9").first().isVisible()).toBe(true);
    } finally {
      await second.stop();
      data.remove();
    }
  }, 90_000);
});
