import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/**
 * What draws suggestions below an address bar that nobody sees is a page too, and as expensive as the one under test.
 * Only the last list of features counts, so those that Playwright switches off stand here again.
 */
const switchedOff = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/**
 * Nothing but this machine: a browser that calls home or resolves names would make tests depend on others. Names below
 * `northwind.test` lead here, for pages at hosts of their own.
 */
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${switchedOff.join()}`,
  // Workers are for secure addresses only.
  "--unsafely-treat-insecure-origin-as-secure=*.northwind.test",
  "--host-resolver-rules=MAP *.northwind.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
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

/** A running browser that reaches this machine only; a sentence when none can be had. */
export async function launchBrowser(): Promise<Browser | string> {
  const found = await findBrowser();
  if (typeof found === "string") return found;
  try {
    return await chromium.launch({ executablePath: found.path, args: flags });
  } catch (error) {
    return `${found.path} does not start: ${String(error).split("\n")[0]}`;
  }
}
