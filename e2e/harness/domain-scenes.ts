import type { Locator, Page } from "playwright-core";
import { eventually } from "../../server/test/harness/eventually.ts";
import { answerWithNorthwindDomain } from "./northwind-domain.ts";

/** What says the status at the top of the page. */
export const panel = (page: Page, status: string): Locator => page.locator(`header [data-status=${status}]`);
/** Rows of the last results. */
export const results = (page: Page, state: string): Locator => page.locator(`[data-result=${state}]`);
/** A card of the page by its heading. */
export const card = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
/** Whether the chart has been drawn: some of its canvas is not empty. */
export const isDrawn = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    "(() => { const c = document.querySelector('canvas'); return !!c && c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((byte) => byte > 0); })()",
  );

/** The page in its states worth looking at. */
export const scenes: Record<string, (page: Page) => Promise<void>> = {
  down: async (page) => {
    await answerWithNorthwindDomain(page, { state: "down" });
    await page.goto("/domains/1");
    await panel(page, "down").waitFor();
    await results(page, "down").first().waitFor();
    await eventually(() => isDrawn(page), Boolean);
  },
  hour: async (page) => {
    await answerWithNorthwindDomain(page);
    await page.goto("/domains/1?range=1h");
    await panel(page, "up").waitFor();
    await eventually(() => isDrawn(page), Boolean);
  },
  table: async (page) => {
    await answerWithNorthwindDomain(page);
    await page.goto("/domains/1?range=1h");
    await page.getByRole("button", { name: "Show as table" }).click();
    await card(page, "Response time").getByRole("table").waitFor();
  },
  loading: async (page) => {
    await answerWithNorthwindDomain(page, { ready: new Promise(() => {}) });
    await page.goto("/domains/1");
    await page.getByText("Loading…").first().waitFor({ state: "attached" });
  },
  error: async (page) => {
    await page.route("**/api/domains/**", (route) => route.fulfill({ status: 400, body: "no" }));
    await page.goto("/domains/1");
    await page.getByRole("heading", { name: "This domain could not be loaded" }).waitFor();
  },
};
