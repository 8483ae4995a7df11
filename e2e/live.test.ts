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

  test("an outage is shown in the reader's language, with the reason, and pressing that leads to the domain", async () => {
    const page = await app.open();
    await page.addInitScript("localStorage.setItem('vedette.language', 'de')");
    await page.goto("/");
    await isLive(page);
    const domain = { url: "http://127.0.0.1:9/", name: "Laden" };
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
    await page
      .getByRole("link", { name: "Laden ist ausgefallen. 127.0.0.1:9 hat die Verbindung abgelehnt." })
      .click();
    await page.waitForURL(`**/domains/${id}`);
    await page.getByRole("heading", { name: "Laden" }).waitFor();
    await callApi(page, "DELETE", `/api/domains/${id}`);
    // It is the owner's language by now, wherever they sign in.
    await callApi(page, "PATCH", "/api/auth/me", { language: null });
  });

  test("what goes down together is one sentence", async () => {
    const page = await app.open();
    await page.goto("/");
    await isLive(page);
    const ids = await Promise.all(
      [1, 2, 3, 4, 5].map(async (n) => {
        const domain = { url: "http://127.0.0.1:9/", name: `Shop ${n}` };
        return (await callApi<{ id: number }>(page, "POST", "/api/domains", domain)).id;
      }),
    );
    await page.getByText("5 domains went down.").waitFor();
    expect(await page.getByRole("button", { name: "Dismiss" }).count()).toBe(1);
    await Promise.all(ids.map((id) => callApi(page, "DELETE", `/api/domains/${id}`)));
  });

  test("a server that is away is said so, and once it is back the page is current again by itself", async () => {
    const page = await app.open();
    await page.goto("/domains");
    await isLive(page);

    // The script of the page that it goes to while the server is away cannot be had: a browser without any luck.
    const fresh = await app.open();
    await fresh.route("**/assets/DomainsPage-*.js", (route) => route.abort());
    let requests = 0;
    // First a proxy answers for the server that is away, then nothing does.
    await fresh.route("**/api/health", (route) =>
      requests++ === 0 ? route.fulfill({ status: 502, body: "Bad gateway" }) : route.continue(),
    );
    await fresh.goto("/");
    await isLive(fresh);
    await app.stop();
    await fresh.getByRole("link", { name: "Domains" }).click();
    await fresh.getByRole("heading", { name: "This could not be loaded" }).waitFor();
    expect(await fresh.getByRole("navigation", { name: "Main" }).count()).toBe(1);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: /could not be loaded$/ }).waitFor();
    await page.getByText("Reconnecting…").waitFor({ timeout: 15_000 });
    await fresh.unroute("**/assets/DomainsPage-*.js");
    await app.start();
    await isLive(page, 40_000);
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    await page.getByRole("link", { name: "Domains" }).click();
    await page.getByLabel("URL to watch").fill("http://127.0.0.1:9/");
    await page.getByLabel("URL to watch").press("Enter");
    await page.locator("[role=row][data-status]").waitFor();
    expect(await page.getByText("127.0.0.1:9").first().isVisible()).toBe(true);
    await fresh.locator("[role=row][data-status]").waitFor();
  }, 240_000);
});
