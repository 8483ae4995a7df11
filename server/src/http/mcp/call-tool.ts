import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { ProtocolError } from "@modelcontextprotocol/server";
import { makeConfirmation, takeConfirmation } from "../../assistant/confirmations.ts";
import { invalidInput, PublicError, unavailable } from "../../errors.ts";
import { isUnavailable } from "../../store/errors.ts";
import { fact } from "../../texts/fact.ts";
import { timestamp } from "../../wire/field.ts";
import type { Confirmation } from "../tools/answer.ts";
import { allTools, type ListedTool } from "../tools/list-tools.ts";
import { readCall, runTool, subjectOf } from "../tools/run-tool.ts";
import { sentenceOf } from "../tools/sentence-of.ts";
import type { ToolCall, ToolContext } from "../tools/tool.ts";
import { hasMarks, UNTRUSTED_NOTE } from "../tools/untrusted.ts";
import { RPC } from "./rpc-error.ts";

const RETRY_SECONDS = 5;

/** Where the app is, and what is heard of how far a call is. */
export interface CallEnvironment {
  ctx: ToolContext;
  address: string;
  tell?: ServerContext["mcpReq"]["notify"];
}

interface Params {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

/** Calls a tool. What it refuses is an answer too, from which an assistant learns; only an unknown tool is an error. */
export async function callTool(
  own: CallEnvironment,
  { name, arguments: given = {} }: Params,
): Promise<CallToolResult> {
  const tool = allTools().get(name);
  if (!tool) throw new ProtocolError(RPC.params, `There is no tool ${name.slice(0, 100)}.`);
  try {
    own.ctx.signal?.().throwIfAborted();
    return await run(own, tool, given);
  } catch (error) {
    return failed(own.ctx, error);
  }
}

async function run(
  own: CallEnvironment,
  tool: ListedTool,
  { confirmationToken, ...given }: Record<string, unknown>,
): Promise<CallToolResult> {
  const call = readCall(own.ctx, tool, given);
  if (confirmationToken !== undefined) readConfirmation(tool, confirmationToken);
  if (tool.isConfirmed) {
    const { organizationId } = given;
    const refusal = await confirm(own, tool, call, { given: call.input, organizationId, confirmationToken });
    if (refusal) return refusal;
  }
  return runTool(own, tool, call);
}

function readConfirmation({ isConfirmed }: ListedTool, token: unknown): void {
  const field = "confirmationToken";
  if (!isConfirmed) throw invalidInput({ [field]: [fact("input.unknown", { field })] });
  if (typeof token !== "string") {
    throw invalidInput({ [field]: [fact("input.type", { field, types: "string" })] });
  }
}

/** Null once it is confirmed; else what is to be confirmed, for whoever may do it at all. */
async function confirm(
  { ctx }: CallEnvironment,
  tool: ListedTool,
  call: ToolCall,
  {
    given,
    organizationId,
    confirmationToken,
  }: Record<"given" | "organizationId" | "confirmationToken", unknown>,
): Promise<CallToolResult | null> {
  const meant = { caller: ctx.caller, tool: tool.name, arguments: [given, organizationId ?? null] };
  if (confirmationToken !== undefined) {
    if (await takeConfirmation(ctx, confirmationToken as string, meant)) return null;
    throw invalidInput({ confirmationToken: [fact("assistant.confirmation")] });
  }
  const found = await tool.preview?.(call);
  const { token, expiresAt } = makeConfirmation(ctx, meant);
  const subject = subjectOf(found);
  const confirmation: Confirmation = {
    required: true,
    wouldDo: tool.description,
    ...(subject && { subject }),
    token,
    expiresAt: timestamp(expiresAt),
  };
  const text = `Nothing has been done yet. ${tool.title}${subject ? `: ${JSON.stringify(subject)}` : ` with ${JSON.stringify(given)}`}. Ask the person first. Then repeat the call with the same arguments and confirmationToken ${token}, within five minutes.`;
  return { content: [{ type: "text", text }], structuredContent: { confirmation } };
}

function failed({ log, caller, signal }: ToolContext, given: unknown): CallToolResult {
  // Nobody waits for it, and nothing went wrong.
  if (signal?.().aborted)
    return { isError: true, content: [{ type: "text", text: "The call was cancelled." }] };
  const error = isUnavailable(given) ? unavailable(RETRY_SECONDS, given) : given;
  const isOurs = error instanceof PublicError;
  if (!isOurs || error.cause) log.error({ err: given, reqId: caller.requestId }, "tool call failed");
  const text = isOurs ? sentenceOf(error) : `Server Error (request ${caller.requestId})`;
  const texts = hasMarks(text) ? [text, UNTRUSTED_NOTE] : [text];
  return { isError: true, content: texts.map((own) => ({ type: "text", text: own })) };
}
