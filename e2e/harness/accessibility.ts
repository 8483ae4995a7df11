import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe finds serious or critical on the page, each as a line that says where; `contrast` is all of it that colours decide. */
export async function seriousViolations(page: Page, rules: "all" | "contrast" = "all"): Promise<string[]> {
  const found = await violations(page, rules);
  return lines(found.filter(({ impact }) => impact === "serious" || impact === "critical"));
}

/** The same, however little it matters. */
export const allViolations = async (page: Page): Promise<string[]> => lines(await violations(page, "all"));

async function violations(page: Page, rules: "all" | "contrast"): Promise<Violation[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = {
    resultTypes: ["violations"],
    ...(rules === "contrast" && { runOnly: ["color-contrast"] }),
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
