import { type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import { invalidInput } from "../errors.ts";
import { validInput } from "../input/valid-input.ts";
import { inEnglish } from "../texts/english.ts";
import { networkOfTools } from "../toolbox/network-of-tools.ts";
import { TOOLS } from "../toolbox/registry.ts";
import { type Tool, ToolError } from "../toolbox/tool.ts";
import { toolSettingsOf } from "./network.ts";
import type { Wiring } from "./wiring.ts";

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
/** As commander calls it. */
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
    return await tool.run(input, { network, sources: settings.sources, signal: stop.signal, tell() {} });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw error.field === undefined
      ? new Error(inEnglish(error.reason))
      : invalidInput({ [error.field]: [error.reason] });
  }
}
