import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CLEAN_TREE_STEPS, createCleanTree } from "./clean-tree.ts";
import { repository, runScript } from "./tree.ts";

const check = (changes: Record<string, string>, ...steps: string[]) =>
  runScript(createCleanTree(changes), repository("scripts/check.ts"), steps);

interface Violation {
  /** What is broken, as a sentence. */
  fault: string;
  files: Record<string, string>;
  /** What the step's output must name. */
  names: string;
}

it("passes a tree that keeps the rules", async () => {
  const { code, output } = await check({}, ...CLEAN_TREE_STEPS);
  expect(output).toContain("All good");
  expect(code).toBe(0);
});

it("refuses a step that does not exist", async () => {
  const { code, output } = await check({}, "linting");
  expect(code).toBe(2);
  expect(output).toContain("No such step: linting");
});

const imported = (from: string, what = "x") =>
  `import { ${what} } from "${from}";\n\nexport const y = ${what};\n`;

const IMPORTS: Violation[] = [
  {
    fault: "rules that reach for the store",
    files: { "server/src/status/rules.ts": imported("../store/queries/monitors.ts", "countMonitors") },
    names: "rules-are-pure",
  },
  {
    fault: "rules that read a file",
    files: { "server/src/incident/rules.ts": imported("node:fs", "readFileSync") },
    names: "rules-do-no-io",
  },
  {
    fault: "a verb that knows HTTP",
    files: { "server/src/monitor/a.ts": imported("../http/answer.ts", "answer") },
    names: "verbs-know-no-http",
  },
  {
    fault: "a verb that knows the wire",
    files: { "server/src/monitor/b.ts": imported("../wire/monitor.ts", "project") },
    names: "verbs-know-no-wire",
  },
  {
    fault: "a handler that sees rows",
    files: { "server/src/http/c.ts": imported("../store/queries/monitors.ts", "countMonitors") },
    names: "handlers-see-no-row",
  },
  {
    fault: "a wire shape that sees rows",
    files: {
      "server/src/wire/d.ts":
        'import type { Store } from "../store/open.ts";\n\nexport const d = (store: Store) => store.file;\n',
    },
    names: "wire-sees-no-row",
  },
  {
    fault: "a wire shape that runs a query",
    files: { "server/src/wire/s.ts": imported("../store/queries/monitors.ts", "countMonitors") },
    names: "wire-runs-no-query: server/src/wire/s.ts",
  },
  {
    fault: "a wire shape that runs a verb",
    files: { "server/src/wire/e.ts": imported("../monitor/read-monitor.ts", "readMonitor") },
    names: "wire-runs-no-verb",
  },
  {
    fault: "a query that runs a verb",
    files: {
      "server/src/store/queries/f.ts": imported("../../monitor/g.ts", "g"),
      "server/src/monitor/g.ts": "export const g = 1;\n",
    },
    names: "store-stands-below",
  },
  {
    fault: "SQL outside store/",
    files: { "server/src/monitor/h.ts": imported("kysely", "sql") },
    names: "sql-in-store-only",
  },
  {
    fault: "a room that uses the store's innards",
    files: {
      "server/src/monitor/i.ts": imported("../store/bulk.ts", "bulk"),
      "server/src/store/bulk.ts": "export const bulk = 1;\n",
    },
    names: "rooms-write-no-schema",
  },
  {
    fault: "a verb that opens the store",
    files: { "server/src/monitor/j.ts": imported("../store/open.ts", "openStore") },
    names: "command-line-opens-store",
  },
  {
    fault: "a file that imports main.ts",
    files: { "server/src/monitor/k.ts": 'import "../main.ts";\n' },
    names: "nobody-imports-main",
  },
  {
    fault: "an app that reaches past the wire",
    files: { "web/src/l.ts": imported("../../server/src/status/rules.ts", "isDown") },
    names: "web-and-agent-share-wire-only",
  },
  {
    fault: "a server that needs the app",
    files: {
      "server/src/http/m.ts": imported("../../../web/src/n.ts", "n"),
      "web/src/n.ts": "export const n = 1;\n",
    },
    names: "server-stands-alone",
  },
  {
    fault: "a product that needs a tool",
    files: {
      "server/package.json": JSON.stringify({
        name: "@tiny/server",
        dependencies: { kysely: "0.0.0" },
        devDependencies: { "fast-check": "0.0.0" },
      }),
      "server/src/monitor/u.ts": imported("fast-check", "assert"),
    },
    names: "no-tools-in-the-product",
  },
  {
    fault: "a product that needs its tests",
    files: {
      "server/src/monitor/o.ts": imported("../../test/p.ts", "p"),
      "server/test/p.ts": "export const p = 1;\n",
    },
    names: "no-tests-in-the-product",
  },
  {
    fault: "files that need each other, be it for a type",
    files: {
      "server/src/monitor/q.ts": `${imported("./r.ts", "r")}export type Q = string;\n`,
      "server/src/monitor/r.ts": 'import type { Q } from "./q.ts";\n\nexport const r = (q: Q) => q;\n',
    },
    names: "no-cycles",
  },
];

const functionOf = (lines: number) =>
  `export function long(): number {\n  let a = 0;\n${"  a += 1;\n".repeat(lines)}  return a;\n}\n`;

const LINT: Violation[] = [
  {
    fault: "a promise that nobody waits for",
    files: {
      "server/src/monitor/a.ts":
        "export const a = async () => 1;\n\nexport function b(): void {\n  a();\n}\n",
    },
    names: "no-floating-promises",
  },
  {
    fault: "a promise where a boolean is meant",
    files: {
      "server/src/monitor/b.ts":
        "export const f = async () => true;\n\nexport const g = () => {\n  if (f()) return 1;\n  return 2;\n};\n",
    },
    names: "no-misused-promises",
  },
  {
    fault: "a file above 250 lines",
    files: {
      "server/src/monitor/c.ts": `export const x = 1;\n${"// line\n".repeat(251)}`,
    },
    names: "eslint(max-lines)",
  },
  {
    fault: "a function above 90 lines",
    files: { "server/src/monitor/d.ts": functionOf(100) },
    names: "max-lines-per-function",
  },
  {
    fault: "any",
    files: { "server/src/monitor/e.ts": "export const e = (a: any) => a;\n" },
    names: "no-explicit-any",
  },
  {
    fault: "a default export",
    files: { "server/src/monitor/f.ts": "export default 1;\n" },
    names: "no-default-export",
  },
  {
    fault: "console in the server",
    files: { "server/src/monitor/g.ts": "console.log(1);\n" },
    names: "no-console",
  },
  {
    fault: "the environment outside main.ts",
    files: { "server/src/monitor/h.ts": "export const h = process.env;\n" },
    names: "no-process-env",
  },
  {
    fault: "a clock in the rules",
    files: { "server/src/status/rules.ts": "export const isDown = (since: number) => Date.now() > since;\n" },
    names: "A rule reads no clock",
  },
  {
    fault: "a variable that nobody uses",
    files: { "server/src/monitor/j.ts": "export function j(): void {\n  const unused = 1;\n}\n" },
    names: "no-unused-vars",
  },
  {
    fault: "a test that keeps the others from running",
    files: { "server/test/a.test.ts": 'import { it } from "vitest";\n\nit.only("works", () => {});\n' },
    names: "no-focused-tests",
  },
];

const LAYOUT: Violation[] = [
  {
    fault: "a folder called utils",
    files: { "server/src/utils/a.ts": "export const a = 1;\n" },
    names: "`utils` says nothing",
  },
  {
    fault: "a barrel",
    files: { "server/src/monitor/index.ts": 'export * from "./read-monitor.ts";\n' },
    names: "server/src/monitor/index.ts: exports what another file declares",
  },
  {
    fault: "a name that is not in kebab-case",
    files: { "server/src/monitor/readAll.ts": "export const a = 1;\n" },
    names: "`readAll.ts` is not in kebab-case",
  },
  {
    fault: "rules that make a date of now",
    files: { "server/src/incident/rules.ts": "export const now = () => new Date();\n" },
    names: "`new Date()` reads the clock",
  },
];

const UNUSED: Violation[] = [
  {
    fault: "a file that nobody needs",
    files: { "server/src/monitor/a.ts": "export const a = 1;\n" },
    names: "server/src/monitor/a.ts",
  },
  {
    fault: "an export that nobody needs",
    files: {
      "server/src/status/rules.ts": "export const isDown = (n: number) => n > 1;\nexport const spare = 1;\n",
    },
    names: "spare",
  },
  {
    fault: "a package that nobody needs",
    files: {
      "server/package.json": JSON.stringify({
        name: "@tiny/server",
        type: "module",
        dependencies: { kysely: "0.0.0", pg: "0.0.0" },
      }),
    },
    names: "pg",
  },
];

const CONFIGURATION_DOCS: Violation[] = [
  {
    fault: "a variable that is not documented",
    files: {
      "server/src/config.ts": 'export const portOf = (e: object) => ("VEDETTE_SECRET" in e ? 1 : 2);\n',
    },
    names: "VEDETTE_SECRET is read in server/src/config.ts but not in docs/configuration.md",
  },
  {
    fault: "a documented variable that does not exist",
    files: { "docs/configuration.md": "`VEDETTE_PORT`, `VEDETTE_COLOUR`\n" },
    names: "VEDETTE_COLOUR is in docs/configuration.md but server/src/config.ts does not know it",
  },
];

const FOLDER_MAP: Violation[] = [
  {
    fault: "a folder that the map lacks",
    files: { "server/src/page/a.ts": "export const a = 1;\n" },
    names: "server/src/page/ is not in",
  },
  {
    fault: "a folder that exists on the map only",
    files: { "README.md": "## Map of the folders\n\n```\nserver/src/  it\n  http/ chat/\n```\n" },
    names: "README.md maps server/src/chat, which does not exist",
  },
];

const FORMAT: Violation[] = [
  {
    fault: "a line that is not formatted",
    files: { "server/src/monitor/a.ts": "export const a   = 1\n" },
    names: "server/src/monitor/a.ts",
  },
  {
    fault: "imports out of order",
    files: {
      "server/src/monitor/b.ts":
        'import { join } from "node:path";\nimport { readFileSync } from "node:fs";\n\nexport const b = [join, readFileSync];\n',
    },
    names: "server/src/monitor/b.ts",
  },
];

const TYPES: Violation[] = [
  {
    fault: "a wrong type",
    files: { "server/src/monitor/a.ts": 'export const a: number = "one";\n' },
    names: "TS2322",
  },
  {
    fault: "syntax that is not erasable",
    files: { "server/src/monitor/b.ts": "export enum B {\n  One,\n}\n" },
    names: "TS1294",
  },
];

/** What gzip cannot make smaller than about `kb` kilobytes: three quarters of base64 is noise. */
const script = (kb: number) => `"${randomBytes(kb * 1000).toString("base64")}";\n`;
const builtPage = (...tags: string[]) => `<!doctype html>\n<head>\n${tags.join("\n")}\n</head>\n`;
const entryTag = '<script type="module" crossorigin src="/assets/index-a1.js"></script>';
const chunkTag = '<link rel="modulepreload" crossorigin href="/assets/chunk-b2.js">';

const SCRIPT_BUDGET: Violation[] = [
  {
    fault: "a first view with more than 200 kB of script",
    files: {
      "web/dist/index.html": builtPage(entryTag),
      "web/dist/assets/index-a1.js": script(210),
    },
    names: "the budget is 200 kB",
  },
  {
    fault: "scripts that are too much together, and names the largest",
    files: {
      "web/dist/index.html": builtPage(entryTag, chunkTag),
      "web/dist/assets/index-a1.js": script(90),
      "web/dist/assets/chunk-b2.js": script(130),
    },
    names: "kB  web/dist/assets/chunk-b2.js",
  },
  {
    fault: "an app that has not been built",
    files: {},
    names: "web/dist/index.html is missing",
  },
];

const shownText = (element: string) =>
  `export function A() {\n  const { t } = useTranslation();\n  return ${element};\n}\n`;

const VISIBLE_TEXT: Violation[] = [
  {
    fault: "words between tags",
    files: { "web/src/a.tsx": shownText("<p>Good morning</p>") },
    names: "web/src/a.tsx:3: Good morning stands in the code",
  },
  {
    fault: "a name that only screen readers hear",
    files: { "web/src/b.tsx": shownText('<a aria-label="Home" href="/">⌂</a>') },
    names: 'web/src/b.tsx:3: "Home"',
  },
  {
    fault: "a placeholder that depends",
    files: {
      "web/src/c.tsx": shownText('<input placeholder={t("a.b") || (wide ? "Search names" : "…")} />'),
    },
    names: 'web/src/c.tsx:3: "Search names"',
  },
  {
    fault: "half a sentence around a figure",
    files: { "web/src/d.tsx": shownText("<p>{`${t('a.b')} of ${total}`}</p>") },
    names: "web/src/d.tsx:3: } of ${",
  },
  {
    fault: "words in a component's own attribute",
    files: { "web/src/e.tsx": shownText('<Field label="Your name" name="name" />') },
    names: 'web/src/e.tsx:3: "Your name"',
  },
  {
    fault: "a notice with written words",
    files: { "web/src/f.ts": 'export const f = () => showToast("error", "It failed");\n' },
    names: 'web/src/f.ts:1: "It failed"',
  },
];

it("allows signs, figures and texts from the translations", async () => {
  const files = {
    "web/src/a.tsx": shownText(
      '<p title={t("a.b")} className="wide">{on === "yes" ? t("a.c") : "–"} / {`${1} · ${t("a.d")}`}</p>',
    ),
  };
  const { code, output } = await check(files, "visible-text");
  expect(output).toContain("All good");
  expect(code).toBe(0);
});

it("allows any amount of script that the first view does not load", async () => {
  const files = {
    "web/dist/index.html": builtPage(entryTag),
    "web/dist/assets/index-a1.js": script(150),
    "web/dist/assets/later-c3.js": script(400),
  };
  const { code, output } = await check(files, "script-budget");
  expect(output).toContain("All good");
  expect(code).toBe(0);
});

const oneByOne = [
  { step: "script-budget", violations: SCRIPT_BUDGET },
  { step: "layout", violations: LAYOUT },
  { step: "unused", violations: UNUSED },
  { step: "configuration-docs", violations: CONFIGURATION_DOCS },
  { step: "folder-map", violations: FOLDER_MAP },
  { step: "format", violations: FORMAT },
  { step: "types", violations: TYPES },
];

describe.each(oneByOne)("npm run check -- $step", ({ step, violations }) => {
  it.each(violations)("refuses $fault", async ({ files, names }) => {
    const { code, output } = await check(files, step);
    expect(output).toContain(names);
    expect(output).toContain(`Failed: ${step}`);
    expect(code).toBe(1);
  });
});

// These tools take half a second to start, so one run shows all their violations.
const together = [
  { step: "imports", violations: IMPORTS },
  { step: "lint", violations: LINT },
  { step: "visible-text", violations: VISIBLE_TEXT },
];

describe.each(together)("npm run check -- $step", ({ step, violations }) => {
  it("refuses a tree that breaks its rules, and names every one", async () => {
    const files = Object.assign({}, ...violations.map((violation) => violation.files)) as Record<
      string,
      string
    >;
    const { code, output } = await check(files, step);
    const unnamed = violations.filter(({ names }) => !output.includes(names)).map(({ fault }) => fault);
    expect(unnamed, output).toEqual([]);
    expect(code).toBe(1);
  });
});
