import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** What `npm test` says last. A file that does not load and an error outside any test count as failed tests. */
export interface TestSummary {
  passed: number;
  failed: number;
  skipped: number;
  /** Why tests were skipped (`ctx.skip("reason")`), and how many for each reason. */
  reasons: Record<string, number>;
  /** The tests that failed; errors outside a test are only counted. `file` is absolute, `name` has the suites' names in front. */
  failures: { file: string; name: string }[];
}

/** Writes the summary as JSON to the file that scripts/test.ts names in TEST_SUMMARY_FILE. (vitest wants a class.) */
export default class TestSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env["TEST_SUMMARY_FILE"];
    if (file) writeFileSync(file, JSON.stringify(summarize(modules, unhandledErrors.length)));
  }
}

/** A suite that is skipped as a whole says why in its name: `rooms (postgres; no PostgreSQL: …)`. */
function reasonInName(test: TestCase): string | undefined {
  for (let parent = test.parent; parent.type === "suite"; parent = parent.parent) {
    const reason = /\([^;()]*; (.*)\)$/.exec(parent.name)?.[1];
    if (reason) return reason;
  }
  return undefined;
}

function summarize(modules: readonly TestModule[], unhandledErrors: number): TestSummary {
  const summary: TestSummary = { passed: 0, failed: unhandledErrors, skipped: 0, reasons: {}, failures: [] };
  for (const module of modules) {
    summary.failed += module.errors().length;
    for (const suite of module.children.allSuites()) summary.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === "passed") summary.passed += 1;
      else if (result.state === "failed") {
        summary.failed += 1;
        summary.failures.push({ file: module.moduleId, name: test.fullName });
      } else {
        // A test that never got a result was cut off by a failure that is counted already.
        const note = result.state === "skipped" ? result.note : undefined;
        const file = relative(process.cwd(), module.moduleId);
        const reason = note ?? reasonInName(test) ?? `no reason given (${file})`;
        summary.skipped += 1;
        summary.reasons[reason] = (summary.reasons[reason] ?? 0) + 1;
      }
    }
  }
  return summary;
}
