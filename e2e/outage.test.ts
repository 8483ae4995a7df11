import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHttpTarget, type Target } from "../server/test/harness/targets.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, startInstallation } from "./harness/installation.ts";
import { saveScreenshot } from "./harness/screenshots.ts";

/** Checks come every ten seconds, the least there is; a confirmation takes one or two of them. */
const confirmedWithinMs = 45_000;

async function startTarget(): Promise<Target> {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  return target;
}

/** Each line also has a form for narrow screens, which is hidden on wide ones. */
const shown = (row: Locator, text: RegExp) => row.getByText(text).filter({ visible: true });

const rowWith = (page: Page, status: string) => page.locator(`[role=row][data-status=${status}]`);

describe("from the first visit to an outage", () => {
  test("the owner sets Vedette up, adds a URL, and sees it go down and come back without reloading", async () => {
    const target = await startTarget();
    const server = await startInstallation();
    const page = await openPage(server.url);

    await page.goto("/");
    await page.getByRole("heading", { name: "Set up Vedette" }).waitFor();
    await page.getByLabel("Your name").fill(owner.name);
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByLabel("Organization").fill(owner.organization);
    await page.getByRole("button", { name: "Create account and start" }).click();

    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    await page.getByLabel("URL to watch").fill(target.url);
    await page.getByLabel("URL to watch").press("Enter");

    const up = rowWith(page, "up");
    await up.waitFor({ timeout: 10_000 });
    await shown(up, /^[\d.,]+ ms$/).waitFor();
    expect(await shown(up, /^Up since just now$/).count()).toBe(1);
    await page.getByText("Your domain is up.").waitFor();
    await saveScreenshot(page, "outage-1-up");

    const [domain] = await callApi<{ id: number }[]>(page, "GET", "/api/domains");
    await callApi(page, "PUT", `/api/domains/${domain?.id}`, { checkInterval: 10, timeout: 5 });
    await page.evaluate("window.neverReloaded = true");

    await target.refuse();
    await rowWith(page, "down").waitFor({ timeout: confirmedWithinMs });
    await page.getByText("1 domain is down.").waitFor();
    expect(await shown(rowWith(page, "down"), /^Down (since|for) /).count()).toBe(1);
    expect(await shown(rowWith(page, "down"), /refused/).count()).toBe(1);
    expect(await page.title()).toBe("1 down · Domains · Vedette");
    await saveScreenshot(page, "outage-2-down");

    await target.listen();
    await rowWith(page, "up").waitFor({ timeout: confirmedWithinMs });
    await page.getByText("Your domain is up.").waitFor();
    expect(await page.title()).toBe("Domains · Vedette");
    expect(await page.evaluate("window.neverReloaded")).toBe(true);
    await saveScreenshot(page, "outage-3-recovered");
  }, 150_000);
});
