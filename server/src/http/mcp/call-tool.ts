import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { ProtocolError } from "@modelcontextprotocol/server";
import { makeConfirmation, takeConfirmation } from "../../assistant/confirmations.ts";
import { invalidInput, PublicError, unavailable } from "../../errors.ts";
import { isUnavailable } from "../../store/errors.ts";
import { fact } from "../../texts/fact.ts";
import { timestamp } from "../../wire/field.ts";
import { answer, type Confirmation } from "./answer.ts";
import { linksTo } from "./links.ts";
import { RPC, sentenceOf } from "./rpc-error.ts";
import type { ToolCall, ToolContext } from "./tool.ts";
import { fieldsOf } from "./tool-schema.ts";
import { allTools, type ListedTool } from "./tools.ts";
import { hasMarks, UNTRUSTED_NOTE } from "./untrusted.ts";

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
    return await run(own, tool, given);
  } catch (error) {
    return failed(own.ctx, error);
  }
}

async function run(
  own: CallEnvironment,
  tool: ListedTool,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  const { organizationId, confirmationToken, ...input } = readInput(tool, given);
  // A tool that takes no organization says so itself.
  const organizations = organizationId === undefined ? [] : [`${organizationId as string | number}`];
  if (needsOrganization(tool) && organizations.length === 0) {
    throw invalidInput({ organizationId: [fact("input.required", { field: "organizationId" })] });
  }
  const call: ToolCall = { ctx: own.ctx, input, organizations };
  if (tool.preview) {
    const refusal = await confirm(own, tool, call, { given: input, organizationId, confirmationToken });
    if (refusal) return refusal;
  }
  const value = await tool.run(call);
  return answer(value, {
    schema: tool.answer,
    links: linksTo(own.address, tool.page, aboutOf(tool, call, value)),
  });
}

function aboutOf({ item }: ListedTool, { input }: ToolCall, value: Record<string, unknown>) {
  if (item === "given") return { id: input["id"] };
  if (item === "made") return { id: (value["result"] as { id?: unknown } | undefined)?.id };
  return { isList: item === "listed" };
}

const needsOrganization = ({ input }: ListedTool): boolean =>
  ((input as { required?: string[] }).required ?? []).includes("organizationId");

/** Numbers where text is wanted are what assistants write of ids; what no field is called is left for the verb to refuse. */
function readInput({ input }: ListedTool, given: Record<string, unknown>): Record<string, unknown> {
  const fields = fieldsOf(input) as Record<string, { type?: unknown }>;
  const entries = Object.entries(given).map(([name, value]) => {
    const isText = Object.hasOwn(fields, name) && fields[name]?.type === "string";
    return [name, isText && typeof value === "number" ? String(value) : value];
  });
  const own = Object.fromEntries(entries) as Record<string, unknown>;
  for (const name of ["organizationId", "confirmationToken"]) {
    const isKnown = Object.hasOwn(fields, name);
    const value = own[name];
    if (value === undefined) continue;
    if (!isKnown) throw invalidInput({ [name]: [fact("input.unknown", { field: name })] });
    const isId = name === "organizationId" && Number.isSafeInteger(value);
    if (typeof value !== "string" && !isId) {
      throw invalidInput({ [name]: [fact("input.type", { field: name, types: "string" })] });
    }
  }
  return own;
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

const SAID = ["id", "uuid", "name", "title", "url", "displayTarget", "slug", "status", "severity"];

/** What people know it by. */
function subjectOf(found: unknown): Record<string, unknown> | null {
  if (found === null || typeof found !== "object") return null;
  const said = Object.entries(found).filter(
    ([name, value]) => SAID.includes(name) && ["string", "number"].includes(typeof value),
  );
  return said.length > 0 ? Object.fromEntries(said) : null;
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
