import type { Tool } from "@modelcontextprotocol/server";
import type { TSchema } from "typebox";
import { mayDoSomewhere } from "../../platform/access/check-access.ts";
import type { Context } from "../../platform/context.ts";
import { needsOf } from "../../platform/operations/call.ts";
import { answerSchema } from "./answer.ts";
import { type Offered, SPEC_TOOLS, TOOL_FEATURES, verbTools } from "./spec-tools.ts";
import { type ToolContext, toInputSchema, toOutputSchema, type VerbTool } from "./tool.ts";

export interface ListedTool extends VerbTool {
  answer: TSchema;
  schema: Tool;
}

/** Always listed: who the caller is, and in which organizations. */
const ALWAYS = ["account", "organization"];

/** By name. The specification's tools come first and replace verbs of the same name. */
export const makeTools = (offered: Offered): ReadonlyMap<string, ListedTool> =>
  new Map(
    [...verbTools(offered), ...SPEC_TOOLS]
      .toSorted((one, other) => rank(one) - rank(other))
      .map((tool) => [tool.name, listed(tool)]),
  );

export function toolsOf({ assistant }: Pick<Context, "assistant">): ReadonlyMap<string, ListedTool> {
  if (!assistant) throw new Error("No server runs here.");
  return assistant.tools();
}

/** A map keeps the position of a name's first entry and the value of its last. */
const rank = ({ name }: VerbTool): number => (SPEC_TOOLS.some((tool) => tool.name === name) ? 0 : 1);

function listed(tool: VerbTool): ListedTool {
  const { name, title, description, annotations } = tool;
  const answer = answerSchema(tool.output, tool);
  return {
    ...tool,
    answer,
    schema: {
      name,
      title,
      description,
      inputSchema: toInputSchema(tool.input) as Tool["inputSchema"],
      outputSchema: toOutputSchema(answer) as NonNullable<Tool["outputSchema"]>,
      annotations: { title, ...annotations },
    },
  };
}

/**
 * All tools, or those that a caller may use somewhere. `about`: only of these resources, for clients that
 * handle few.
 */
export async function listTools(
  ctx: Partial<ToolContext>,
  about: readonly string[] | null,
): Promise<ListedTool[]> {
  const tools = [...toolsOf(ctx).values()].filter(
    ({ page = "" }) => about === null || about.includes(page) || ALWAYS.includes(page),
  );
  const { caller } = ctx;
  return caller ? permittedTools({ ...(ctx as ToolContext), caller }, tools) : tools;
}

export async function permittedTools(ctx: ToolContext, tools: Iterable<ListedTool>): Promise<ListedTool[]> {
  const may = await mayDoSomewhere(ctx);
  return [...tools].filter(({ needs }) => needs.every((one) => may(needsOf(one, TOOL_FEATURES))));
}
