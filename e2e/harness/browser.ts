import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeEach, onTestFinished } from "vitest";

/** Nothing but this machine: a browser that calls home or resolves names would make tests depend on others. */
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Debian's Chromium or any on the PATH, else the one in @sparticuz/chromium; a sentence when there is none. */
async function findBrowser(): Promise<{ path: string } | string> {
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  const installed = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
  if (installed) return { path: installed };
  try {
    const packaged = (await import("@sparticuz/chromium")).default;
    // Without the flags it comes with: those are for one page in one process, and switch web security off.
    return { path: await packaged.executablePath() };
  } catch (error) {
    return `no Chromium: none on the PATH, and that of @sparticuz/chromium does not unpack (${String(error)})`;
  }
}

async function launch(): Promise<Browser | string> {
  const found = await findBrowser();
  if (typeof found === "string") return found;
  try {
    return await chromium.launch({ executablePath: found.path, args: flags });
  } catch (error) {
    return `${found.path} does not start: ${String(error).split("\n")[0]}`;
  }
}

const started = await launch();

// Without a browser the tests of the file are skipped with the reason, unless that would go unnoticed.
beforeEach(({ skip }) => {
  if (typeof started !== "string") return;
  if (process.env["VEDETTE_REQUIRE_BROWSER"] === "1") throw new Error(started);
  skip(started);
});

afterAll(async () => {
  if (typeof started !== "string") await started.close();
});

export interface Look {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
}

/**
 * A page of a browser of its own: no cookies, nothing cached. Closed when the test ends, which fails
 * when the page threw an error or broke the content security policy.
 */
export async function openPage(baseUrl: string, look: Look = {}): Promise<Page> {
  if (typeof started === "string") throw new Error(started);
  const context: BrowserContext = await started.newContext({
    baseURL: baseUrl,
    colorScheme: look.theme ?? "light",
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  const faults: string[] = [];
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    if (faults.length > 0) throw new Error(`The page reported: ${faults.join("; ")}`);
  });
  return page;
}
