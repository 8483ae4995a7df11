import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installedBrowsers } from "./launch-browser.ts";

const PACKAGES = join(import.meta.dirname, "../../node_modules");
/** Beside the packages: folders for temporary files may be ones from which nothing can be run. */
const CACHE = join(PACKAGES, ".cache/vedette-browser");
/** Prints where the program is, which unpacks itself to where temporary files are. */
const UNPACK =
  "import('@sparticuz/chromium').then(async (it) => console.log(await it.default.executablePath()))";

/**
 * The Chromium of @sparticuz/chromium comes first: it is the same on every machine, and made to have no window, so that a page
 * costs it three fifths of what it costs a whole one.
 */
export function setup(project: TestProject): void {
  project.provide("browsers", [...packagedBrowser(), ...installedBrowsers()]);
}

/** Its program, which the first run unpacks; nothing where there is no room for it. */
function packagedBrowser(): string[] {
  const { version } = JSON.parse(
    readFileSync(join(PACKAGES, "@sparticuz/chromium/package.json"), "utf8"),
  ) as {
    version: string;
  };
  const folder = join(CACHE, version);
  if (!existsSync(folder)) unpackTo(folder);
  return existsSync(folder) ? [join(folder, "chromium")] : [];
}

/** Whole or not at all, though the run may be killed and another may do the same. */
function unpackTo(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const parts = mkdtempSync(`${folder}-`);
  try {
    execFileSync(process.execPath, ["-e", UNPACK], { cwd: CACHE, env: { ...process.env, TMPDIR: parts } });
    renameSync(parts, folder);
  } catch {
    rmSync(parts, { recursive: true, force: true });
  }
}
