/**
 * `npm run check`: everything that must be true before a change is merged, short of the tests.
 *
 *   npm run check                     every step, two at a time
 *   npm run check -- lint imports     only these steps
 *
 * Steps look at the current folder; scripts/test/house.test.ts points them at trees that break a rule.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { checkConfigurationDocs } from "./checks/configuration-docs.ts";
import { checkFolderMap } from "./checks/folder-map.ts";
import { checkInstallSize } from "./checks/install-size.ts";
import { checkLayout } from "./checks/layout.ts";
import { checkRatchets } from "./checks/ratchets.ts";
import { runNodeScript, runTool, type StepResult } from "./checks/run.ts";
import { checkScriptBudget } from "./checks/script-budget.ts";
import { checkStrippedTypes } from "./checks/stripped-types.ts";
import { checkVisibleText } from "./checks/visible-text.ts";

interface Step {
  name: string;
  /** What to do when it fails, where that is not obvious from the output. */
  hint?: string;
  run(): Promise<StepResult>;
}

/** Written by scripts/openapi.ts. */
const DOCUMENT = "openapi/dist/openapi.json";

const STEPS: readonly Step[] = [
  { name: "types", run: () => runTool("@typescript/native", "tsc", ["-p", "."]) },
  { name: "web-types", run: () => runTool("@typescript/native", "tsc", ["-p", "web"]) },
  {
    name: "stripped-types",
    hint: "tsc accepts it, Node does not: write it in another way",
    run: checkStrippedTypes,
  },
  { name: "lint", run: () => runTool("oxlint", "oxlint", ["--type-aware", "--deny-warnings"]) },
  {
    name: "format",
    hint: "npm run format",
    run: () => runTool("@biomejs/biome", "biome", ["check", "--error-on-warnings", "."]),
  },
  {
    name: "imports",
    hint: "the rules are in .dependency-cruiser.mjs, each with its reason",
    run: () =>
      runTool("dependency-cruiser", "depcruise", [
        ...["--config", ".dependency-cruiser.mjs", "--output-type", "err-long"],
        ...["server", "agent", "web", "scripts", "bench", "e2e"].filter((folder) => existsSync(folder)),
      ]),
  },
  { name: "unused", run: () => runTool("knip", "knip", ["--no-progress", "--no-config-hints"]) },
  {
    name: "openapi",
    hint: "npm run openapi, then commit openapi/",
    run: checkOpenApi,
  },
  {
    name: "check-docs",
    hint: "npm run check-docs, then commit docs/checks.md",
    run: () => runNodeScript("scripts/check-docs.ts", ["--check"]),
  },
  { name: "redocly", run: () => lintDocument(() => runTool("@redocly/cli", "redocly", ["lint", DOCUMENT])) },
  {
    name: "spectral",
    run: () => lintDocument(() => runNodeScript(join(import.meta.dirname, "spectral.ts"), [DOCUMENT])),
  },
  { name: "configuration-docs", run: checkConfigurationDocs },
  { name: "layout", run: checkLayout },
  { name: "folder-map", run: checkFolderMap },
  {
    name: "ratchets",
    hint: "join, reuse, or use the field's word; where a count fell: npm run ratchets",
    run: checkRatchets,
  },
  {
    name: "visible-text",
    hint: "en.json, de.json and zh.json in the page's folder; CONTRIBUTING.md, Languages",
    run: checkVisibleText,
  },
  {
    name: "script-budget",
    hint: "load pages with lazyPage (web/src/routes.tsx)",
    run: checkScriptBudget,
  },
  {
    name: "install-size",
    hint: "what only tests and checks need belongs in devDependencies (docs/adr/0001)",
    run: checkInstallSize,
  },
];

let openApiChecked: Promise<StepResult> | undefined;

/** Writes the OpenAPI document too; once for all steps that need it. */
function checkOpenApi(): Promise<StepResult> {
  openApiChecked ??= runNodeScript("scripts/openapi.ts", ["--check"]);
  return openApiChecked;
}

async function lintDocument(lint: () => Promise<StepResult>): Promise<StepResult> {
  const built = await checkOpenApi();
  return existsSync(DOCUMENT) ? lint() : built;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `No such step: ${unknown.join(", ")}. There are: ${STEPS.map((step) => step.name).join(", ")}.`,
  );
  process.exit(2);
}

const startedAt = performance.now();
const failed = await runSteps(STEPS.filter((step) => wanted.length === 0 || wanted.includes(step.name)));
const total = formatSeconds(performance.now() - startedAt);
console.log(failed.length === 0 ? `\nAll good (${total}).` : `\nFailed: ${failed.join(", ")} (${total}).`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs the steps, as many at a time as there are cores but at most two; returns the names of those that failed. */
async function runSteps(steps: readonly Step[]): Promise<string[]> {
  const queue = [...steps];
  const failures: string[] = [];
  const work = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const begin = performance.now();
      const { ok, output } = await step.run();
      console.log(`${ok ? "✓" : "✗"} ${step.name.padEnd(20)} ${formatSeconds(performance.now() - begin)}`);
      if (ok) continue;
      failures.push(step.name);
      console.log(`${indent(output)}${step.hint ? `\n    → ${step.hint}` : ""}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return steps.map(({ name }) => name).filter((name) => failures.includes(name));
}

function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, "    ");
}
