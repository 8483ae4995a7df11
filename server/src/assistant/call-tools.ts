import { randomUUID } from "node:crypto";
import type { CallState } from "../platform/database/tables/assistant.ts";
import type { Before } from "../platform/operations/operation.ts";
import type { AssistantTool, ToolOutcome } from "./assistant-tool.ts";
import {
  CALL_WAITS_MS,
  MAX_ARGUMENTS,
  MAX_CALLS_A_STEP,
  MAX_RESULT,
  MAX_RESULTS,
  MAX_TOOLS,
} from "./limits.ts";
import type { CallResult, ModelCall, ModelTool } from "./model/model.ts";
import type { AssistantCall } from "./queries/assistant-calls.ts";

export type MadeCall = Omit<AssistantCall, "id" | "conversationId" | "messageId" | "decidedAt">;

export interface ToolBox {
  ctx: Before;
  tools: readonly AssistantTool[];
  /** The tools that the model has been given. */
  shown: Set<string>;
  made: MadeCall[];
  /** Characters of results so far. */
  used: number;
  reportProgress(call: Pick<MadeCall, "uuid" | "tool" | "title" | "state">): void;
}

export interface StepResults {
  results: CallResult[];
  waiting: { id: string; uuid: string }[];
}

const SHOW = "show_tools";
const error = (text: string): ToolOutcome => ({ text, isError: true });

/** The tool that shows others, and those that it has shown. */
export function offeredTools({ tools, shown }: ToolBox): ModelTool[] {
  const about = [...new Set(tools.map((tool) => tool.about))];
  const show = {
    name: SHOW,
    description: "Shows the tools about a resource, which can be called from then on.",
    parameters: {
      type: "object",
      properties: { about: { type: "string", enum: about } },
      required: ["about"],
    },
  };
  return [show, ...tools.filter(({ name }) => shown.has(name))];
}

/** Arguments too long to be read are left out. */
export const shownCalls = (calls: readonly ModelCall[]): ModelCall[] =>
  calls.map((call) => (call.arguments.length > MAX_ARGUMENTS ? { ...call, arguments: "{}" } : call));

/** Executes one step's calls in order: reads at once; of all others only what is to be decided. */
export async function callTools(box: ToolBox, calls: readonly ModelCall[]): Promise<StepResults> {
  const step: StepResults = { results: [], waiting: [] };
  for (const [at, call] of calls.entries()) {
    box.ctx.signal?.().throwIfAborted();
    const outcome =
      at < MAX_CALLS_A_STEP
        ? await callOne(box, call)
        : error(`At most ${MAX_CALLS_A_STEP} calls at once. This one was not made.`);
    if (typeof outcome === "string") step.waiting.push({ id: call.id, uuid: outcome });
    else step.results.push({ id: call.id, ...bounded(box, outcome) });
  }
  return step;
}

function bounded(box: ToolBox, { text, isError }: ToolOutcome): ToolOutcome {
  if (box.used > MAX_RESULTS) return error("Too much was read for one answer. Answer with what there is.");
  const cut = text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT).toWellFormed()}\n(cut)` : text;
  box.used += cut.length;
  return { text: cut, isError };
}

/** The call's result or, where it needs a decision, its subject. */
async function callOne(box: ToolBox, { name, arguments: text }: ModelCall): Promise<ToolOutcome | string> {
  if (text.length > MAX_ARGUMENTS) return error(`The arguments are longer than ${MAX_ARGUMENTS} characters.`);
  const given = readArguments(text);
  if (given === null) return error("The arguments are not a JSON object.");
  if (name === SHOW) return showTools(box, given);
  const tool = box.tools.find((one) => one.name === name);
  if (!tool) return error(`There is no tool ${name.slice(0, 100)}. Call ${SHOW} to see what there is.`);
  return tool.atOnce ? readNow(box, tool, given) : keepWaiting(box, tool, given);
}

function readArguments(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function showTools({ tools, shown }: ToolBox, { about }: Record<string, unknown>): ToolOutcome {
  const found = tools.filter((tool) => tool.about === about);
  for (const { name } of found) {
    // Moves it to the end, as the newest.
    shown.delete(name);
    shown.add(name);
  }
  const others = [...shown].filter((name) => !tools.some((tool) => tool.isCore && tool.name === name));
  // The oldest can still be called, but are not listed.
  for (const name of others.slice(0, Math.max(0, shown.size - MAX_TOOLS))) shown.delete(name);
  const lines = found.map(({ name, title }) => `${name}: ${title}`);
  return found.length > 0
    ? { text: lines.join("\n"), isError: false }
    : error("There are no tools about that.");
}

function made(box: ToolBox, tool: AssistantTool, given: object, state: CallState): MadeCall {
  return {
    uuid: randomUUID(),
    tool: tool.name,
    title: tool.title,
    description: tool.description,
    arguments: JSON.stringify(given),
    subject: null,
    state,
    result: null,
    createdAt: box.ctx.clock.now(),
    expiresAt: null,
  };
}

async function readNow(
  box: ToolBox,
  tool: AssistantTool,
  given: Record<string, unknown>,
): Promise<ToolOutcome> {
  const call = made(box, tool, given, "running");
  box.made.push(call);
  box.reportProgress(call);
  const outcome = await tool.run(box.ctx, given);
  call.state = outcome.isError ? "failed" : "done";
  // Results are for the model alone; errors are shown.
  if (outcome.isError) call.result = outcome.text;
  box.reportProgress(call);
  return outcome;
}

/** Executes nothing, whatever the model requested: that takes the person's own click. */
async function keepWaiting(
  box: ToolBox,
  tool: AssistantTool,
  given: Record<string, unknown>,
): Promise<ToolOutcome | string> {
  const preview = await tool.preview(box.ctx, given);
  if ("refusal" in preview) return error(preview.refusal);
  const call = {
    ...made(box, tool, given, "waiting"),
    subject: JSON.stringify(preview.subject),
    expiresAt: box.ctx.clock.now() + CALL_WAITS_MS,
  };
  box.made.push(call);
  box.reportProgress(call);
  return call.uuid;
}
