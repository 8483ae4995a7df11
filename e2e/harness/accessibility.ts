import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** Less than half of what `axe.source` is: every page that is looked at reads it first. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe looks for: everything, what colours decide, or everything else. */
export type Rules = "all" | "contrast" | "structure";

const OPTIONS = {
  all: {},
  contrast: { runOnly: ["color-contrast"] },
  structure: { rules: { "color-contrast": { enabled: false } } },
} satisfies Record<Rules, object>;

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe finds serious or critical on the page, each as a line that says where. */
export async function seriousViolations(page: Page, rules: Rules = "all"): Promise<string[]> {
  const found = await violations(page, rules);
  return lines(found.filter(({ impact }) => impact === "serious" || impact === "critical"));
}

/** The same, however little it matters. */
export const allViolations = async (page: Page): Promise<string[]> => lines(await violations(page, "all"));

async function violations(page: Page, rules: Rules): Promise<Violation[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const options = {
    resultTypes: ["violations"],
    // Of every element that is examined, not only of faulty ones; they are not used.
    selectors: false,
    ...OPTIONS[rules],
  };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations;
}

const lines = (found: readonly Violation[]): string[] =>
  found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html} ${failureSummary}`),
  );
