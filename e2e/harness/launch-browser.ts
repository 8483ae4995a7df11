import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/**
 * The page of suggestions below the invisible address bar is as expensive as the one under test.
 * Only the last list of features counts, so those that Playwright switches off are repeated here.
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
  // Text is as wide without a window as it is in one.
  "--font-render-hinting=none",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${switchedOff.join()}`,
  // Workers are for secure addresses only.
  "--unsafely-treat-insecure-origin-as-secure=*.northwind.test",
  "--host-resolver-rules=MAP *.northwind.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Debian's Chromium, or any on the PATH. */
export function installedBrowsers(): string[] {
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).filter(existsSync);
}

/**
 * The first of these programs that starts, as a running browser that reaches this machine only; a sentence when none does.
 * Each is started without the flags that the packaged one comes with: those are for one page in one process, and switch
 * web security off.
 */
export async function launchBrowser(paths: readonly string[]): Promise<Browser | string> {
  const faults: string[] = [];
  for (const executablePath of paths) {
    try {
      return await chromium.launch({ executablePath, args: flags });
    } catch (error) {
      faults.push(`${executablePath} does not start: ${String(error).split("\n")[0]}`);
    }
  }
  return faults.join("; ") || "no Chromium was found";
}
