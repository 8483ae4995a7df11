/**
 * `npm test`: every vitest project, or what the arguments select (they are vitest's own), and as the
 * very last line `N passed, N failed, N skipped`. Before it stands what was skipped, and why.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestSummary } from "./test-summary-reporter.ts";

const REPORTERS = [
  "--reporter=default",
  `--reporter=${join(import.meta.dirname, "test-summary-reporter.ts")}`,
];
const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
const file = join(folder, "summary.json");

const exitCode = await runVitest(process.argv.slice(2));
const summary = readSummary();
rmSync(folder, { recursive: true, force: true });
printSummary(summary);
process.exitCode = summary.failed > 0 ? exitCode || 1 : exitCode;

function runVitest(args: string[]): Promise<number> {
  const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...REPORTERS, ...args], {
    stdio: "inherit",
    env: { ...process.env, TEST_SUMMARY_FILE: file },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/** vitest that broke down before its end left no summary: that is one failure, never a quiet success. */
function readSummary(): TestSummary {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as TestSummary;
  } catch {
    console.log("\nThe test run broke down before its end; its output is above.");
    return { passed: 0, failed: 1, skipped: 0, reasons: {} };
  }
}

function printSummary({ passed, failed, skipped, reasons }: TestSummary): void {
  if (skipped > 0) console.log("\nSkipped:");
  for (const [reason, count] of Object.entries(reasons)) console.log(`  ${count} × ${reason}`);
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
}
