/**
 * `npm test`: every vitest project, or what the arguments select (they are vitest's own), and as the
 * very last line `N passed, N failed, N skipped`. Before it comes what was skipped, and why.
 *
 * Where a few files of a whole run fail, they run once more by themselves: a machine that others keep busy must not
 * call a change broken. What passes then is named as unsteady, to be fixed; what is broken fails twice.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { TestSummary } from "./test-summary-reporter.ts";

const REPORTERS = [
  "--reporter=default",
  `--reporter=${join(import.meta.dirname, "test-summary-reporter.ts")}`,
];
const SUMMARY = "summary.json";
/** A browser that is ended in the middle of its work cannot remove its own; it goes with the folder. */
const BROWSERS = ".org.chromium.Chromium.";
/** More than these that fail are no accident. */
const MOST_FILES_AGAIN = 5;
/** What tests need at one time is far less. */
const ROOM_BYTES = 2 * 1024 ** 3;

/** Of the servers that tests start as processes. */
const COMPILED = join(import.meta.dirname, "../node_modules/.cache/vedette-tests");

/** Every temporary file of this run is in it, and goes with it. */
const folder = mkdtempSync(join(fastestFolder(), "vedette-test-"));
// PostgreSQL refuses to run as root; another user has to get to its files in here.
chmodSync(folder, 0o755);
const file = join(folder, SUMMARY);

const args = process.argv.slice(2);
const { exitCode, summary, unsteady } = await runTwiceAtMost();
const left = readdirSync(folder).filter((name) => name !== SUMMARY && !name.startsWith(BROWSERS));
rmSync(folder, { recursive: true, force: true });
if (left.length > 0) console.log(`\nLeft in the temporary folder by a test: ${left.join(", ")}`);
if (unsteady.length > 0) console.log("\nFailed at first, passed when run again; to be fixed:");
for (const { file: module, name } of unsteady) console.log(`  ${relative(process.cwd(), module)} > ${name}`);
printSummary({ ...summary, failed: summary.failed + (left.length > 0 ? 1 : 0) });
process.exitCode = summary.failed + left.length > 0 ? exitCode || 1 : exitCode;

/** Memory where the system offers it as a folder: tests write thousands of databases. */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > ROOM_BYTES ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function runTwiceAtMost() {
  const exitCode = await runVitest(args);
  const first = readSummary();
  const files = [...new Set(first.failures.map((failure) => failure.file))];
  const whole = args.every((arg) => arg.startsWith("--"));
  const outsideTests = first.failed > first.failures.length;
  if (!whole || outsideTests || files.length === 0 || files.length > MOST_FILES_AGAIN) {
    return { exitCode, summary: first, unsteady: [] };
  }
  console.log("\nOnce more what failed:\n");
  rmSync(file);
  const codeAgain = await runVitest([...args, ...files]);
  const again = readSummary();
  const fixed = first.failed - again.failed;
  const summary = { ...first, passed: first.passed + fixed, failed: again.failed };
  const stillFails = new Set(again.failures.map((failure) => failure.name));
  return {
    exitCode: codeAgain,
    summary,
    unsteady: first.failures.filter(({ name }) => !stillFails.has(name)),
  };
}

function runVitest(args: string[]): Promise<number> {
  const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...REPORTERS, ...args], {
    stdio: "inherit",
    env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: COMPILED, TEST_SUMMARY_FILE: file },
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
    return { passed: 0, failed: 1, skipped: 0, reasons: {}, failures: [] };
  }
}

function printSummary({ passed, failed, skipped, reasons }: TestSummary): void {
  if (skipped > 0) console.log("\nSkipped:");
  for (const [reason, count] of Object.entries(reasons)) console.log(`  ${count} × ${reason}`);
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
}
