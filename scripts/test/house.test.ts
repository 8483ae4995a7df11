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

const IMPORTS: Violation[] = [
  {
    fault: "files that need each other, be it for a type",
    files: {
      "server/src/monitor/q.ts":
        'import { r } from "./r.ts";\n\nexport const y = r;\nexport type Q = string;\n',
      "server/src/monitor/r.ts": 'import type { Q } from "./q.ts";\n\nexport const r = (q: Q) => q;\n',
    },
    names: "no-cycles",
  },
];

const LINT: Violation[] = [
  {
    fault: "a promise that nobody waits for",
    files: {
      "server/src/monitor/a.ts":
        "export const a = async () => 1;\n\nexport function b(): void {\n  a();\n}\n",
    },
    names: "no-floating-promises",
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
    fault: "an export that nobody needs",
    files: {
      "server/src/status/rules.ts": "export const isDown = (n: number) => n > 1;\nexport const spare = 1;\n",
    },
    names: "spare",
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

const RATCHETS: Violation[] = [
  {
    fault: "more files than there were",
    files: { "scripts/checks/ratchets.json": '{ "lines in server/src": 1000 }\n' },
    names: "files in server/src: ",
  },
  {
    fault: "a word of our own for what the field has a term for",
    files: {
      "scripts/checks/ratchets.json": "{}\n",
      "server/src/monitor/a.ts": "/** Who was told. */\nexport const toldSince = 1;\n",
    },
    names: "private words in server/src: 2, and may be 0 at most",
  },
  {
    fault: "folders that import each other",
    files: {
      "scripts/checks/ratchets.json": "{}\n",
      "server/src/page/a.ts": 'import { b } from "../device/b.ts";\n\nexport const a = b;\n',
      "server/src/device/b.ts": 'import type { A } from "../page/c.ts";\n\nexport const b: A = 1;\n',
      "server/src/page/c.ts": "export type A = number;\n",
    },
    names: "pairs of folders that import each other in server/src: 1, and may be 0 at most",
  },
];

const FORMAT: Violation[] = [
  {
    fault: "a line that is not formatted",
    files: { "server/src/monitor/a.ts": "export const a   = 1\n" },
    names: "server/src/monitor/a.ts",
  },
];

const TYPES: Violation[] = [
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

const STRIPPED_TYPES: Violation[] = [
  {
    fault: "syntax that Node cannot leave out of a file",
    files: { "server/src/status/rules.ts": "export enum Rule {\n  Down,\n}\n" },
    names: "server/src/status/rules.ts: ",
  },
];

const oneByOne = [
  { step: "script-budget", violations: SCRIPT_BUDGET },
  { step: "layout", violations: LAYOUT },
  { step: "unused", violations: UNUSED },
  { step: "configuration-docs", violations: CONFIGURATION_DOCS },
  { step: "folder-map", violations: FOLDER_MAP },
  { step: "ratchets", violations: RATCHETS },
  { step: "format", violations: FORMAT },
  { step: "types", violations: TYPES },
  { step: "stripped-types", violations: STRIPPED_TYPES },
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
