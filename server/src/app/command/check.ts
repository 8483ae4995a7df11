import { type Command, Option } from "commander";
import type { CheckOutcome } from "../../checks/check.ts";
import { classOf } from "../../checks/reasons.ts";
import { TOOLS } from "../../checks/toolbox/registry.ts";
import { type Tool, ToolError } from "../../checks/toolbox/tool.ts";
import { networkOfTools } from "../../checks/toolbox/tool-verbs.ts";
import { readConfig } from "../../platform/config.ts";
import { ConfigError } from "../../platform/config-values.ts";
import { invalidInput, PublicError } from "../../platform/errors.ts";
import { normaliseUrl } from "../../platform/formats/url.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { validInput } from "../../platform/operations/field-errors.ts";
import { networkOf, toolSettingsOf } from "./network.ts";
import type { Wiring } from "./wiring.ts";

interface CheckFlags {
  json?: boolean;
  timeout: string;
}

const DEFAULT_WIDTH = 80;

/** `vedette check URL`: one check from here, as the engine makes it. Exit code 0 when it passed, else 1. */
export function addCheckCommand(program: Command, wiring: Wiring): void {
  program
    .command("check")
    .argument("<url>")
    .description("Check an address once and show where the time goes.")
    .option("--json", "print the outcome as JSON")
    .option("--timeout <seconds>", "1 to 60", "10")
    .action(async (typed: string, flags: CheckFlags) => {
      const address = normaliseUrl(typed);
      if (!address.ok) throw new ConfigError(inEnglish(address.problem));
      const seconds = Number(flags.timeout);
      if (!(seconds >= 1 && seconds <= 60)) throw new ConfigError("--timeout takes a number from 1 to 60.");
      const [{ checkHttp }, { renderWaterfall }] = await Promise.all([
        import("../../checks/http/http.ts"),
        import("./waterfall.ts"),
      ]);
      const network = networkOf(readConfig(wiring.environment));
      const outcome = await checkHttp.run({ url: address.url }, { network, timeoutMs: seconds * 1000 });
      process.stdout.write(
        flags.json ? `${JSON.stringify(toReport(outcome), null, 2)}\n` : drawn(address.displayUrl),
      );
      process.exitCode = outcome.verdict === "failed" ? 1 : 0;

      function drawn(url: string): string {
        const { isTTY, columns } = process.stdout;
        const { phases } = checkHttp;
        const colour = Boolean(isTTY) && !wiring.environment.NO_COLOR;
        return renderWaterfall(url, outcome, { phases, colour, width: columns ?? DEFAULT_WIDTH });
      }
    });
}

/** The outcome with its reason as the API has it: class, sentence, and the message descriptor itself. */
const toReport = ({ verdict, reason, ...seen }: CheckOutcome) => ({
  verdict,
  reasonCode: reason && classOf(reason),
  reason: reason && inEnglish(reason),
  reasonFact: reason,
  ...seen,
});

interface Field {
  type?: string;
  enum?: string[];
  description?: string;
  default?: unknown;
}

type Given = Record<string, unknown>;

/** `vedette NAME …`, for each tool of the toolbox: run from here, its result as a table or as JSON. */
export function addToolCommands(program: Command, wiring: Wiring): void {
  for (const tool of Object.values<Tool>(TOOLS)) addToolCommand(program, wiring, tool);
}

function addToolCommand(program: Command, wiring: Wiring, tool: Tool): void {
  const fields = Object.entries((tool.input as { properties?: Record<string, Field> }).properties ?? {});
  const options = fields.filter(([name]) => name !== tool.subject);
  const command = program
    .command(tool.name)
    .argument(`<${tool.subject}>`)
    .description(tool.description)
    .option("--json", "print the result as JSON");
  for (const [name, field] of options) command.addOption(optionOf(name, field));
  command.action(async (subject: string, { json = false, ...flags }: Given) => {
    const given = Object.fromEntries(
      options.flatMap(([name, field]) => {
        const flag = flags[attributeOf(name)];
        return flag === undefined ? [] : [[name, valueOf(flag, field)]];
      }),
    );
    const output = await runHere(tool, { [tool.subject]: subject, ...given }, wiring);
    process.stdout.write(json ? `${terminalJson(output)}\n` : tool.print(output));
  });
}

/** JSON, with everything in its texts escaped that a terminal would obey; JSON itself escapes some of that only. */
const terminalJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\p{Cf}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );

const flagOf = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
const attributeOf = (name: string) =>
  flagOf(name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function optionOf(name: string, { type, description = "", enum: choices, default: usual }: Field): Option {
  const takes = type === "boolean" ? "" : " <value>";
  const what = [description.replaceAll("`", ""), choices && `(${choices.join(", ")})`];
  const said = usual === undefined ? [] : [`(default: ${String(usual as string)})`];
  return new Option(`--${flagOf(name)}${takes}`, [...what, ...said].filter(Boolean).join(" "));
}

const valueOf = (flag: unknown, { type }: Field) =>
  (type === "integer" || type === "number") && flag !== "" ? Number(flag) : flag;

async function runHere(tool: Tool, given: Given, { environment }: Wiring): Promise<unknown> {
  const settings = toolSettingsOf(readConfig(environment));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const network = networkOfTools(settings);
  try {
    const input = validInput(tool.input, given) as never;
    return await tool.run(input, {
      network,
      sources: settings.sources,
      signal: stop.signal,
      reportProgress() {},
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw error.field === undefined
      ? new Error(inEnglish(error.reason))
      : invalidInput({ [error.field]: [error.reason] });
  }
}

const SYSTEM_FAULTS: Record<
  string,
  (error: NodeJS.ErrnoException & { address?: string; port?: number }) => string
> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop what listens there, or choose another with --port.`,
  EACCES: ({ port, path }) =>
    port
      ? `This user may not listen on port ${port}. Choose one above 1023 with --port.`
      : `No permission for ${path}.`,
  EADDRNOTAVAIL: ({ address }) => `This machine has no address ${address}. Choose another with --host.`,
  ENOSPC: () => "The disk is full. Free some space and start again; nothing that was stored is lost.",
  ECONNREFUSED: ({ address, port }) =>
    `The database at ${address}:${port} refuses connections. Is it running, and is DATABASE_URL right?`,
};

/** One line for the person at the terminal: what is wrong and what to do; never a stack. */
export function explain(error: unknown): string {
  if (error instanceof PublicError && error.fields) {
    return Object.values(error.fields).flat().map(inEnglish).join(" ");
  }
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const fault = SYSTEM_FAULTS[(error as NodeJS.ErrnoException).code ?? ""];
  return fault ? fault(error) : (error.message.split("\n")[0] ?? error.name);
}
