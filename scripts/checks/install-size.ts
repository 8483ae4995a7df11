import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromFindings, type StepResult } from "./run.ts";

/** All files of the packages that `npm start` installs; 1 MB is 1,000,000 bytes. */
const BUDGET_MB = 490;
const LARGEST_SHOWN = 8;

type Lockfile = { packages: Record<string, { dev?: boolean }> };

/** What a start installs keeps to its budget: watching a web site needs no browser. */
export async function checkInstallSize(): Promise<StepResult> {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lockfile;
  const sizes = Object.entries(packages)
    .filter(([path, { dev }]) => path.includes("node_modules/") && !dev && existsSync(path))
    .map(([path]) => ({ path, mb: bytesOf(path) / 1_000_000 }));
  const totalMb = sizes.reduce((sum, { mb }) => sum + mb, 0);
  if (totalMb <= BUDGET_MB) return fromFindings([]);
  const largest = sizes.toSorted((a, b) => b.mb - a.mb).slice(0, LARGEST_SHOWN);
  return fromFindings([
    `npm start installs ${totalMb.toFixed(1)} MB; the budget is ${BUDGET_MB} MB.`,
    ...largest.map(({ path, mb }) => `  ${mb.toFixed(1)} MB  ${path}`),
  ]);
}

/** Without the packages inside, which the lockfile names too, and without following links. */
function bytesOf(path: string): number {
  const file = lstatSync(path);
  if (!file.isDirectory()) return file.size;
  const inside = readdirSync(path).filter((name) => name !== "node_modules");
  return inside.reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
