import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fromFindings, type StepResult } from "./run.ts";

const BUILT = "web/dist";
/** All the script that must arrive before the first page shows, gzipped; 1 kB is 1,000 bytes. */
const BUDGET_KB = 200;
/** Vite names in the page's head whatever the entry imports; what is loaded later is not in it. */
const TAG = /<(?:script|link)\b[^>]*>/g;
const ADDRESS = /\b(?:src|href)="\/([^"]+\.js)"/;

/** The built app's first view keeps to its budget of script, without that of pages that are not open. */
export async function checkScriptBudget(): Promise<StepResult> {
  const page = join(BUILT, "index.html");
  if (!existsSync(page))
    return fromFindings([`${page} is missing: build the app with npm run build -w web.`]);
  const tags = readFileSync(page, "utf8").match(TAG) ?? [];
  const files = [...new Set(tags.flatMap((tag) => ADDRESS.exec(tag)?.[1] ?? []))];
  if (files.length === 0) return fromFindings([`${page} loads no script.`]);
  const sizes = files.map((file) => ({ file, kb: gzipSync(readFileSync(join(BUILT, file))).length / 1000 }));
  const totalKb = sizes.reduce((sum, { kb }) => sum + kb, 0);
  if (totalKb <= BUDGET_KB) return fromFindings([]);
  return fromFindings([
    `The first view loads ${totalKb.toFixed(1)} kB of gzipped script; the budget is ${BUDGET_KB} kB.`,
    ...sizes.toSorted((a, b) => b.kb - a.kb).map(({ file, kb }) => `  ${kb.toFixed(1)} kB  ${BUILT}/${file}`),
  ]);
}
