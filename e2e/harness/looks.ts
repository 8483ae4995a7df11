import type { Page } from "playwright-core";
import { type Rules, seriousViolations } from "./accessibility.ts";
import { saveScreenshot, sidewaysOverflow } from "./screenshots.ts";

const screen = { width: 1280, height: 800 };
const phone = { width: 390, height: 740 };

/**
 * The themes differ in their colours, and the phone in what is folded away: each is searched for that. What colours decide takes
 * axe longer than all else, so each theme is searched for it on one of the two.
 */
const looks: { suffix: string; theme: "light" | "dark"; size: typeof screen; rules: Rules | null }[] = [
  { suffix: "light", theme: "light", size: screen, rules: "all" },
  { suffix: "dark", theme: "dark", size: screen, rules: null },
  { suffix: "dark-phone", theme: "dark", size: phone, rules: "contrast" },
  { suffix: "light-phone", theme: "light", size: phone, rules: "structure" },
];

/**
 * What is wrong with what the page shows, in both themes, on a screen and on a phone: what axe finds serious,
 * and whether it scrolls sideways. The page is turned over in place; each look can be had as a picture,
 * `NAME-dark-phone`, of the window or the whole page (screenshots.ts). It ends as it began, light and on a screen.
 */
export async function faultsInEveryLook(page: Page, name: string, fullPage = false): Promise<string[]> {
  const faults: string[] = [];
  for (const { suffix, theme, size, rules } of looks) {
    await show(page, theme, size);
    await saveScreenshot(page, `${name}-${suffix}`, fullPage);
    const wider = await sidewaysOverflow(page);
    if (wider > 0) faults.push(`${name}-${suffix} scrolls sideways by ${wider} px`);
    const found = rules === null ? [] : await seriousViolations(page, rules);
    faults.push(...found.map((violation) => `${name}-${suffix}: ${violation}`));
  }
  await show(page, "light", screen);
  return faults;
}

/** Turns the page over and waits until it is painted: what has been measured takes a frame, its drawing another. */
async function show(page: Page, theme: "light" | "dark", size: typeof screen): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize(size);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
