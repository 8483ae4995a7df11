import { readFileSync } from "node:fs";
import { createTree, linkPackages, repository, type Tree } from "./tree.ts";

const CONFIGURATION = [
  ".dependency-cruiser.mjs",
  ".gitignore",
  ".oxlintrc.json",
  "biome.json",
  "tsconfig.base.json",
  "tsconfig.json",
];

const manifest = (name: string, more: object = {}) =>
  `${JSON.stringify({ name, version: "0.1.0", private: true, type: "module", ...more }, null, 2)}\n`;

/** A small Vedette that keeps every rule of the house, under this repository's own configuration. */
const CLEAN = {
  "package.json": manifest("tiny", {
    workspaces: ["server"],
    devDependencies: { "dependency-cruiser": "0.0.0" },
  }),
  "server/package.json": manifest("@tiny/server", { dependencies: { kysely: "0.0.0" } }),
  "knip.json": [
    "{",
    '  "workspaces": {',
    '    ".": { "entry": [".dependency-cruiser.mjs"] },',
    '    "server": { "entry": ["src/main.ts"], "project": ["src/**/*.ts"] }',
    "  }",
    "}",
    "",
  ].join("\n"),
  "README.md": [
    "# Tiny\n",
    "## Map of the folders\n",
    "```",
    "server/src/            the server",
    "  http/                handlers",
    "  monitor/ status/     verbs and rules",
    "  store/               SQL",
    "  wire/                shapes",
    "docs/                  documentation",
    "```\n",
  ].join("\n"),
  "docs/configuration.md": "`VEDETTE_PORT`: the port.\n",
  "server/src/main.ts": [
    'import { portOf } from "./config.ts";',
    'import { answer } from "./http/answer.ts";',
    'import { openStore } from "./store/open.ts";',
    "",
    "console.log(answer({ failures: portOf(process.env), store: openStore() }));",
    "",
  ].join("\n"),
  "server/src/config.ts":
    "export const portOf = (environment: Record<string, string | undefined>) => Number(environment.VEDETTE_PORT);\n",
  "server/src/http/answer.ts": [
    'import { readMonitor } from "../monitor/read-monitor.ts";',
    'import type { Store } from "../store/open.ts";',
    'import { project } from "../wire/monitor.ts";',
    "",
    "export const answer = (input: { failures: number; store: Store }) => project(readMonitor(input.failures));",
    "",
  ].join("\n"),
  "server/src/monitor/read-monitor.ts": [
    'import { isDown } from "../status/rules.ts";',
    'import { countMonitors } from "../store/queries/monitors.ts";',
    "",
    "export interface Monitor {",
    "  down: boolean;",
    "  count: string;",
    "}",
    "",
    "export function readMonitor(failures: number): Monitor {",
    "  return { down: isDown(failures), count: countMonitors() };",
    "}",
    "",
  ].join("\n"),
  "server/src/status/rules.ts": "export const isDown = (failures: number) => failures > 1;\n",
  "server/src/store/open.ts":
    'export interface Store {\n  file: string;\n}\n\nexport const openStore = (): Store => ({ file: "vedette.db" });\n',
  "server/src/store/queries/monitors.ts":
    'import { sql } from "kysely";\n\nexport const countMonitors = () => typeof sql`select count(*) from monitors`;\n',
  "server/src/wire/monitor.ts":
    'import type { Monitor } from "../monitor/read-monitor.ts";\n\nexport const project = (monitor: Monitor) => JSON.stringify(monitor);\n',
};

/** Steps that make sense in a tree without an app and without an API document. */
export const CLEAN_TREE_STEPS = [
  ...["types", "stripped-types", "lint", "format", "imports", "unused"],
  ...["configuration-docs", "layout", "folder-map"],
];

/** A fresh tree that keeps every rule; what `changes` writes may break some. */
export function createCleanTree(changes: Record<string, string> = {}): Tree {
  const configuration = CONFIGURATION.map((file) => [file, readFileSync(repository(file), "utf8")]);
  const tree = createTree({
    ...(Object.fromEntries(configuration) as Record<string, string>),
    ...CLEAN,
    ...changes,
  });
  linkPackages(tree);
  return tree;
}
