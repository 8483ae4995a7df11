import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeEach, inject, onTestFinished } from "vitest";
import { installedBrowsers, launchBrowser } from "./launch-browser.ts";
import { takePicture } from "./screenshots.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Programs of Chromium, to be tried in this order. */
    browsers: string[];
  }
}

const started = await launchBrowser(inject("browsers"));
let whole: Promise<Browser | string> | undefined;

type Skip = (reason: string) => void;

/** Without a browser tests are skipped with the reason, unless that would go unnoticed. */
function skipWithout(browser: Browser | string, skip: Skip): void {
  if (typeof browser !== "string") return;
  if (process.env["VEDETTE_REQUIRE_BROWSER"] === "1") throw new Error(browser);
  skip(browser);
}

beforeEach(({ skip }) => skipWithout(started, skip));

/** For a test of what only a Chromium that is installed has: `openPage` with `whole` opens pages of that. */
export async function needWholeBrowser(skip: Skip): Promise<void> {
  whole ??= launchBrowser(installedBrowsers());
  skipWithout(await whole, skip);
}

afterAll(async () => {
  for (const browser of [started, await whole])
    if (browser !== undefined && typeof browser !== "string") await browser.close();
});

export interface Look {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  /** By its IANA name; without it, the machine's. */
  timeZone?: string;
  /** The browser caches the app's files, as it does for people; a test can then not answer the page's requests. */
  offline?: boolean;
  /** False: a browser that runs no script. */
  script?: false;
  /** The page breaks its policy on purpose, so that nothing is said of it. */
  hostile?: true;
  /** A browser that shows notifications, and has workers at hosts that are not secure: needs `needWholeBrowser`. */
  whole?: true;
}

/**
 * A page of a browser of its own: no cookies, nothing cached. Closed when the test ends, which fails
 * when the page threw an error or broke the content security policy.
 */
export async function openPage(baseUrl: string, look: Look = {}): Promise<Page> {
  const browser = look.whole ? await whole : started;
  if (browser === undefined || typeof browser === "string") throw new Error(browser);
  const context: BrowserContext = await browser.newContext({
    baseURL: baseUrl,
    colorScheme: look.theme ?? "light",
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    locale: "en-GB",
    ...(look.timeZone && { timezoneId: look.timeZone }),
    reducedMotion: "reduce",
    serviceWorkers: look.offline ? "allow" : "block",
    javaScriptEnabled: look.script ?? true,
  });
  const faults: string[] = [];
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (!look.hostile && /content security policy/i.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await showFailure(page, task.name);
    await context.close();
    if (faults.length > 0) throw new Error(`The page reported: ${faults.join("; ")}`);
  });
  return page;
}

/** Where the page was and what it showed when its test failed: an address in the log, and a picture. */
async function showFailure(page: Page, test: string): Promise<void> {
  const name = `failed-${test.replaceAll(/[^a-z]+/gi, "-").slice(0, 60)}`;
  console.error(`${test}: the page was at ${page.url()}; see e2e/screenshots/${name}.png`);
  await takePicture(page, name).catch(() => undefined);
}
