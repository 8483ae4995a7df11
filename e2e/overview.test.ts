import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { seriousViolations } from "./harness/accessibility.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { signInAsOwner, startInstallation } from "./harness/installation.ts";
import { northwindDomains } from "./harness/northwind.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

/** The README's picture; written anew only when asked for. */
const picture = join(import.meta.dirname, "../docs/images/overview.png");

/** The app with a company's domains in every state; days of history cannot be had in a test any other way. */
async function showNorthwind(page: Page): Promise<void> {
  const total = northwindDomains.length;
  await page.route("**/api/domains?*", (route) =>
    route.fulfill({
      json: {
        success: true,
        message: "OK",
        data: northwindDomains,
        pagination: { page: 1, limit: 1000, total, totalPages: 1 },
      },
    }),
  );
  await page.goto("/domains");
  await page.locator("[role=row][data-status=down]").waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /^Live$/ })
    .waitFor();
}

describe("the list with every state in it", () => {
  test("puts what needs a look first, says each state in words, and is accessible in both themes and on a phone", async () => {
    const server = await startInstallation();
    const first = await openPage(server.url);
    await signInAsOwner(first, server);
    const cookies = await first.context().cookies();
    const looks: Look[] = [{}, { theme: "dark" }, { width: 375, height: 740 }, { width: 800 }];
    for (const look of looks) {
      const page = await openPage(server.url, look);
      await page.context().addCookies(cookies);
      await showNorthwind(page);
      const rows = await page.locator("[role=row][data-status]").all();
      const statuses = await Promise.all(rows.map((row) => row.getAttribute("data-status")));
      expect(statuses.slice(0, 3)).toEqual(["down", "degraded", "waiting"]);
      expect(statuses.at(-1)).toBe("paused");
      expect(await page.getByText("Down for 4 minutes").first().count()).toBe(1);
      expect(await page.getByText("9 days left").count()).toBe(1);
      const name = `overview-${look.theme ?? "light"}-${look.width ?? 1280}`;
      await saveScreenshot(page, name);
      expect(await seriousViolations(page), name).toEqual([]);
      expect(await sidewaysOverflow(page), name).toBe(0);
      if (look === looks[0] && process.env["VEDETTE_SAVE_SCREENSHOT"])
        await page.screenshot({ path: picture });
    }
  });
});
