import { readFileSync, writeFileSync } from "node:fs";
import { format } from "node:util";
import type { CheckKind } from "../server/src/checks/check.ts";
import { checkKinds } from "../server/src/checks/registry.ts";
import { phasesSentence } from "../server/src/monitors/schemas/check-configs.ts";

const FILE = new URL("../docs/checks.md", import.meta.url);

/** The part of JSON Schema that the kinds' configurations use, with our hints. */
interface Schema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  "x-secret"?: "hidden" | "changers" | "headers";
  "x-when"?: Record<string, unknown[]>;
}

const INTRODUCTION = `# Kinds of checks

<!-- Made by \`npm run check-docs\` from the schemas in server/src/checks; do not edit. -->

What a monitor of each kind needs to know. A service says its kind in \`protocol\` and the fields below in
\`protocolConfig\` ([API guide](api.md#services)); a domain is always checked by HTTP and has these fields itself.

Secrets are stored encrypted. One that is *never returned* stays when it is not sent again; one *for those who may
change it* is left out of what others read. Of *request headers*, the values of credentials (\`Authorization\`, \`Cookie\`,
names with \`key\`, \`token\` and the like, values such as \`Bearer …\`) are returned as \`********\`, which keeps the stored value
when it is sent back; those who may not change the monitor see no other values either, but of \`Accept\`,
\`Accept-Encoding\`, \`Accept-Language\`, \`Content-Type\` and \`User-Agent\`. Stored secrets are used only with the settings they
were saved with: to change the host, the port or how it is secured, send them again.

How results become a status: [how status is decided](status.md). What is stored of an HTTP check that began an outage:
[what the check saw](status.md#what-the-check-saw).
`;

function sectionOf({
  type,
  phases,
  configSchema,
  defaults = {},
}: Pick<CheckKind, "type" | "phases" | "configSchema" | "defaults">) {
  const schema = configSchema as unknown as Schema;
  const differing = Object.entries(defaults).map(([name, value]) => `\`${name}\` is ${value}`);
  return [
    `## ${schema.title}\n`,
    `Protocol \`${type}\`. ${schema.description} ${phasesSentence(phases)}\n`,
    ...(differing.length > 0 ? [`By default, ${differing.join(" and ")}.\n`] : []),
    "| field | meaning | default | values | secret |",
    "|---|---|---|---|---|",
    ...rowsOf(schema, ""),
    "",
  ].join("\n");
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    ...(field.const === undefined ? [rowOf(prefix + name, field, required.includes(name))] : []),
    ...rowsOf(field, `${prefix}${name}.`),
    ...(field.items?.anyOf ?? []).flatMap((one) => rowsOf(one, `${prefix}${name}[${variantOf(one)}].`)),
  ]);
}

/** The field that distinguishes it from the others, e.g. `type: status`. */
const variantOf = ({ properties = {} }: Schema): string =>
  Object.entries(properties)
    .filter(([, field]) => field.const !== undefined)
    .map(([name, field]) => `${name}: ${field.const}`)
    .join(", ");

function rowOf(name: string, field: Schema, isRequired: boolean): string {
  const usual = field.default === undefined ? "" : `\`${JSON.stringify(field.default)}\``;
  const secret = {
    hidden: "never returned",
    changers: "for those who may change it",
    headers: "request headers",
  };
  return `| ${[
    `\`${name}\``,
    [field.description, conditionOf(field)].filter(Boolean).join(" "),
    isRequired ? "required" : usual,
    valuesOf(field),
    field["x-secret"] ? secret[field["x-secret"]] : "",
  ]
    .map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " "))
    .join(" | ")} |`;
}

function conditionOf({ "x-when": when = {} }: Schema): string {
  const parts = Object.entries(when).map(([name, values]) => `\`${name}\` is ${values.join(" or ")}`);
  return parts.length === 0 ? "" : `Only where ${parts.join(" and ")}.`;
}

/** How a bound is worded, by its keyword. */
const BOUNDS: readonly [keyof Schema, string][] = [
  ["minimum", "at least %s"],
  ["maximum", "at most %s"],
  ["minLength", "at least %s characters"],
  ["maxLength", "at most %s characters"],
  ["maxItems", "at most %s items"],
  ["maxProperties", "at most %s entries"],
];

function valuesOf(field: Schema): string {
  const values = field.enum ?? field.anyOf?.flatMap((one) => one.const ?? []) ?? [];
  if (values.length > 0) return values.map((value) => `\`${value}\``).join(", ");
  if (field.minimum !== undefined && field.maximum !== undefined)
    return `${field.minimum} to ${field.maximum}`;
  const bounds = BOUNDS.filter(([keyword]) => field[keyword] !== undefined && field[keyword] !== 1);
  const words = bounds.map(([keyword, wording]) => format(wording, field[keyword]));
  const types = field.type ?? field.anyOf?.map((one) => one.type).join(" or ");
  return [types, ...words].join(", ");
}

/**
 * Writes docs/checks.md from the registry; with \`--check\`, only says whether it is current (exit code 1 when not).
 */
const text = [INTRODUCTION, ...Object.values(checkKinds).map(sectionOf)].join("\n");
if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  process.stderr.write("docs/checks.md is not current. Run: npm run check-docs\n");
  process.exitCode = 1;
}
