import { open, readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import type { Static } from "typebox";
import { FileProblem, FORMAT_NAMES } from "../../monitors/import/file-entry.ts";
import { readKumaDatabase } from "../../monitors/import/kuma-database.ts";
import {
  DATABASE_START_BYTES,
  decodeFile,
  importInParts,
  isDatabaseFile,
  isNoted,
} from "../../monitors/schemas/import-client.ts";
import type { ImportResult } from "../../monitors/schemas/imports.ts";
import { ConfigError } from "../../platform/config-values.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import type { Wiring } from "./wiring.ts";

type Result = Static<typeof ImportResult>;

interface ImportFlags extends ServerFlags {
  format?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
  env?: boolean;
  set: Record<string, string>;
}

const withServer = (command: Command): Command =>
  command
    .option("--server <address>", "the running server", "http://127.0.0.1:8080")
    .option("--token <key>", "an API key (better: VEDETTE_TOKEN, which no list of processes shows)");

/** `vedette import` and `vedette export`, by the API of a running server. */
export function addImportCommands(program: Command, wiring: Wiring): void {
  withServer(program.command("import").argument("<file>"))
    .description(
      "Import monitors: a list of addresses, CSV, Uptime Kuma (backup or kuma.db), Gatus, or what export wrote.",
    )
    .option("--format <name>", `${FORMAT_NAMES.join(", ")}; usually recognised by itself`)
    .option("--dry-run", "only show what would be created")
    .option("--yes", "create it without confirmation")
    .option("--json", "as JSON")
    .option("--set <name=value>", "a value for ${name} in the file; may be repeated", keepValue, {})
    .option("--env", "take the other values for ${name} from the environment")
    .action((file: string, flags: ImportFlags) => runImport(wiring, file, flags));

  withServer(program.command("export").argument("[file]"))
    .description("Export all monitors as YAML, without secrets, into a file or to the terminal.")
    .action(async (file: string | undefined, flags: ServerFlags) => {
      const text = await (await createSender(wiring, flags)("GET", "/api/exports")).text();
      if (file === undefined) return void process.stdout.write(text);
      await writeFile(file, text);
      process.stdout.write(`Wrote ${file}.\n`);
    });
}

function keepValue(text: string, known: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new ConfigError("--set takes NAME=VALUE.");
  return { ...known, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Exit code 1 where a monitor of the file cannot be made; 2 where they can, but not with everything that it says. */
async function runImport(wiring: Wiring, path: string, flags: ImportFlags): Promise<void> {
  const sendRequest = createSender(wiring, flags);
  const content = await contentOf(path);
  const importRequest = { content, ...(flags.format && { format: flags.format }) };
  const { preview, variables } = await previewOf(sendRequest, wiring, { importRequest, flags });
  const print = (text: string) => void (flags.json || process.stdout.write(text));
  print(entryTable(preview.entries, process.stdout.columns));
  for (const { message } of preview.notes) print(`${message}\n`);
  print(`\n${summaryLine(preview)}\n`);
  const isDone = flags.dryRun || preview.summary.create === 0;
  if (!isDone && !flags.yes) await confirm(preview.summary.create);
  const result = isDone
    ? preview
    : await makeAll(sendRequest, { ...importRequest, variables }, preview, print);
  if (flags.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  const { invalid, overQuota } = result.summary;
  if (invalid + overQuota > 0) process.exitCode = 1;
  else if (result.entries.some(isNoted)) process.exitCode = 2;
}

/** A file as the API takes it. A database stays here: only its monitors are sent. */
async function contentOf(path: string): Promise<string> {
  const file = await open(path);
  let start: Uint8Array;
  try {
    ({ buffer: start } = await file.read(new Uint8Array(DATABASE_START_BYTES), 0, DATABASE_START_BYTES, 0));
  } finally {
    await file.close();
  }
  if (!isDatabaseFile(start)) return decodeFile(await readFile(path));
  try {
    return await readKumaDatabase(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new ConfigError(Object.values(error.fields).flat().map(inEnglish).join(" "));
  }
}

const imported = async (sendRequest: SendRequest, body: object): Promise<Result> =>
  ((await (await sendRequest("POST", "/api/imports", body)).json()) as { data: Result }).data;

async function previewOf(
  sendRequest: SendRequest,
  { environment }: Wiring,
  { importRequest, flags }: { importRequest: object; flags: ImportFlags },
) {
  const first = await imported(sendRequest, { ...importRequest, variables: flags.set });
  const found = flags.env
    ? first.missing.flatMap((name) => {
        const value = environment[name];
        return value === undefined ? [] : [[name, value]];
      })
    : [];
  const variables = { ...flags.set, ...(Object.fromEntries(found) as Record<string, string>) };
  return {
    variables,
    preview: found.length > 0 ? await imported(sendRequest, { ...importRequest, variables }) : first,
  };
}

async function confirm(count: number): Promise<void> {
  if (!process.stdin.isTTY)
    throw new ConfigError("Nothing was created. Add --yes to create it, or --dry-run to only look.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `Create ${count === 1 ? "this monitor" : `these ${count} monitors`}? [y/N] `,
  );
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new ConfigError("Nothing was created.");
}

async function makeAll(
  sendRequest: SendRequest,
  importRequest: object,
  preview: Result,
  print: (text: string) => void,
): Promise<Result> {
  const entries: Result["entries"] = [];
  const summary = { create: 0, created: 0, duplicate: 0, invalid: 0, overQuota: 0 };
  for await (const part of importInParts((which) => imported(sendRequest, { ...importRequest, ...which }))) {
    entries.push(...part.entries);
    for (const name of Object.keys(summary) as (keyof typeof summary)[]) summary[name] += part.summary[name];
    if (process.stderr.isTTY)
      process.stderr.write(`\r${entries.length} of ${preview.total}${part.next === null ? "\n" : ""}`);
  }
  const result = { ...preview, dryRun: false, next: null, summary, entries };
  // What the preview said otherwise.
  const surprises = entries.filter(
    ({ index, outcome }) => outcome !== "created" && preview.entries[index]?.outcome === "create",
  );
  print(entryTable(surprises, process.stdout.columns));
  print(`${summaryLine(result)}\n`);
  return result;
}

/** Flags of commands that speak to a running server by its API. */
interface ServerFlags {
  server: string;
  token?: string;
}

type SendRequest = (method: "GET" | "POST", path: string, body?: object) => Promise<Response>;

const MAX_WAIT_SECONDS = 60;

/** Requests to the server that the flags name. Throws ConfigError, with what the server says where it refuses. */
function createSender({ environment }: Wiring, { server, token }: ServerFlags): SendRequest {
  const key = token ?? environment["VEDETTE_TOKEN"];
  if (!key) throw new ConfigError("An API key is needed: set VEDETTE_TOKEN, or use --token.");
  if (!URL.canParse(server))
    throw new ConfigError("--server takes an address such as https://vedette.example.com.");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return async function sendRequest(method, path, body): Promise<Response> {
    const url = new URL(path, server);
    const request = {
      method,
      headers,
      redirect: "manual",
      ...(body && { body: JSON.stringify(body) }),
    } as const;
    const response = await fetch(url, request).catch((error: Error) => {
      throw new ConfigError(`${url.origin} cannot be reached: ${causeOf(error)}`);
    });
    if (response.status !== 429) return await answered(response, url);
    const waitSeconds = Number(response.headers.get("retry-after")) || 1;
    await setTimeout(Math.min(waitSeconds, MAX_WAIT_SECONDS) * 1000);
    return sendRequest(method, path, body);
  };
}

const causeOf = ({ cause, message }: Error): string =>
  cause instanceof Error ? cause.message || message : message;

async function answered(response: Response, url: URL): Promise<Response> {
  if (response.ok) return response;
  const reply = (await response.json().catch(() => null)) as {
    message?: string;
    errors?: Record<string, string[]>;
  } | null;
  const errors = Object.values(reply?.errors ?? {}).flat();
  throw new ConfigError(
    errors.length > 0
      ? errors.join(" ")
      : (reply?.message ?? `${url.origin} answers ${response.status}: is it Vedette?`),
  );
}

type Entry = Result["entries"][number];

const WORDS: Readonly<Record<Entry["outcome"], string>> = {
  create: "new",
  created: "created",
  duplicate: "exists",
  invalid: "invalid",
  over_quota: "over quota",
};

const DEFAULT_WIDTH = 100;
const MAX_CELL = 40;

/** One entry a line: its place, what becomes of it, what it is; beneath it what is wrong, and what is left out. */
function entryTable(entries: readonly Entry[], columns = DEFAULT_WIDTH): string {
  const rows = entries.map((entry) => [
    entry.line === null ? `#${entry.index + 1}` : String(entry.line),
    WORDS[entry.outcome],
    entry.type ?? "",
    plain(entry.name ?? ""),
    plain(entry.target ?? ""),
  ]);
  const widths = [0, 1, 2, 3].map((at) =>
    Math.min(MAX_CELL, Math.max(0, ...rows.map((row) => row[at]?.length ?? 0))),
  );
  return entries
    .map((entry, at) => {
      const cells = (rows[at] ?? []).map((cell, column) => fitted(cell, column, widths));
      const said = [
        ...(entry.outcome === "duplicate" ? [] : entry.problems.map(sentence)),
        ...entry.notes.map(({ message }) => message),
      ];
      const indent = " ".repeat((widths[0] ?? 0) + 2);
      return [
        cells.join("  ").trimEnd().slice(0, Math.max(40, columns)),
        ...said.map((text) => indent + plain(text)),
      ]
        .map((line) => `${line}\n`)
        .join("");
    })
    .join("");
}

function summaryLine({ summary, missing, entries }: Result): string {
  const { create, created, duplicate, invalid, overQuota } = summary;
  const noted = entries.filter(isNoted).length;
  const parts = [
    create > 0 && `${create} to create`,
    created > 0 && `${created} created`,
    duplicate > 0 && `${duplicate} already there`,
    invalid > 0 && `${invalid} that cannot be imported`,
    overQuota > 0 && `${overQuota} beyond what the plan allows`,
    noted > 0 && `${noted} not with everything that the file says`,
  ].filter(Boolean);
  const wanted =
    missing.length > 0 ? ` Values are needed for ${missing.join(", ")}: use --set or --env.` : "";
  return `${parts.join(", ")}.${wanted}`;
}

const sentence = ({ field, message }: Entry["problems"][number]): string =>
  field === "" ? message : `${field}: ${message}`;

const fitted = (cell: string, column: number, widths: readonly number[]): string => {
  const width = widths[column];
  if (width === undefined) return cell;
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width);
};

/** Names come from a file: nothing of them commands the terminal. */
const plain = (text: string): string => text.replace(/\p{C}/gu, "?");
