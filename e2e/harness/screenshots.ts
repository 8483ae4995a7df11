import { join } from "node:path";
import type { Page } from "playwright-core";

const folder = join(import.meta.dirname, "../screenshots");

/** Whether pictures of the pages are wanted. */
export const picturesAreWanted = process.env["VEDETTE_SAVE_SCREENSHOT"] !== undefined;

/**
 * Waits until the page has its fonts; where pictures are wanted, saves what the window shows, or the page to its end, to
 * e2e/screenshots/NAME.png.
 */
export async function saveScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  await page.evaluate("document.fonts.ready");
  if (picturesAreWanted) await takePicture(page, name, fullPage);
}

/** Saves what the window shows, or the page to its end, to e2e/screenshots/NAME.png. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
const MAX_WAIT_MS = 3_000;

/** How much wider than the window the page is, in CSS pixels; 0 when it does not scroll sideways. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  // A page that was made narrower is laid out a moment later, on a busy machine: what scrolls then, scrolls for good.
  await page.waitForFunction(`${OVERFLOW} <= 0`, undefined, { timeout: MAX_WAIT_MS }).catch(() => undefined);
  return page.evaluate<number>(OVERFLOW);
}
