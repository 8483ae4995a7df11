import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isUnavailable } from "../../platform/database/errors.ts";
import { invalidInput, PublicError, unavailable } from "../../platform/errors.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { timestamp } from "../../platform/operations/field.ts";
import { makeConfirmation, takeConfirmation } from "../confirmations.ts";
import { answer, betweenMarks, type Confirmation, hasMarks, linksTo, UNTRUSTED_NOTE } from "./answer.ts";
import { type ListedTool, toolsOf } from "./list-tools.ts";
import { fieldsOf, type ToolCall, type ToolContext, type VerbTool } from "./tool.ts";

/** Throws 422 for an organization that is missing or invalid. */
export function readCall(ctx: ToolContext, tool: VerbTool, given: Record<string, unknown>): ToolCall {
  const { organizationId, ...input } = readInput(tool, given);
  // A tool without organizations reports the field itself.
  const organizations = organizationId === undefined ? [] : [`${organizationId as string | number}`];
  if (needsOrganization(tool) && organizations.length === 0) {
    throw invalidInput({ organizationId: [msg("input.required", { field: "organizationId" })] });
  }
  return { ctx, input, organizations };
}

/** Throws what its verb throws. */
export async function runTool(
  { address }: { address: string },
  tool: ListedTool,
  call: ToolCall,
): Promise<CallToolResult> {
  const value = await tool.run(call);
  const links = linksTo(address, tool.page, aboutOf(tool, call, value));
  return answer(value, { schema: tool.answer, links });
}

function aboutOf({ item }: ListedTool, { input }: ToolCall, value: Record<string, unknown>) {
  if (item === "given") return { id: input["id"] };
  if (item === "made") return { id: (value["result"] as { id?: unknown } | undefined)?.id };
  return { isList: item === "listed" };
}

const needsOrganization = ({ input }: VerbTool): boolean =>
  ((input as { required?: string[] }).required ?? []).includes("organizationId");

/** Assistants write ids as numbers; unknown fields are left for the verb to reject. */
function readInput({ input }: VerbTool, given: Record<string, unknown>): Record<string, unknown> {
  const fields = fieldsOf(input) as Record<string, { type?: unknown }>;
  const entries = Object.entries(given).map(([name, value]) => {
    const isText = Object.hasOwn(fields, name) && fields[name]?.type === "string";
    return [name, isText && typeof value === "number" ? String(value) : value];
  });
  const own = Object.fromEntries(entries) as Record<string, unknown>;
  const field = "organizationId";
  const { [field]: value } = own;
  if (value === undefined) return own;
  if (!Object.hasOwn(fields, field)) throw invalidInput({ [field]: [msg("input.unknown", { field })] });
  if (typeof value !== "string" && !Number.isSafeInteger(value)) {
    throw invalidInput({ [field]: [msg("input.type", { field, types: "string" })] });
  }
  return own;
}

export const SUBJECT_FIELDS: readonly string[] = [
  "id",
  "uuid",
  "name",
  "title",
  "url",
  "displayTarget",
  "slug",
  "status",
  "severity",
];

export function subjectOf(found: unknown): Record<string, unknown> | null {
  if (found === null || typeof found !== "object") return null;
  const said = Object.entries(found).filter(
    ([name, value]) => SUBJECT_FIELDS.includes(name) && ["string", "number"].includes(typeof value),
  );
  return said.length > 0 ? Object.fromEntries(said) : null;
}

/** An error with all invalid fields. Quotes of other servers are between marks, as in results. */
export function sentenceOf(error: PublicError): string {
  const isForeign = error.kind === "upstream_failed";
  const fields = Object.entries(error.fields ?? {}).map(
    ([field, messages]) =>
      `${field.slice(0, 200).toWellFormed()}: ${messages.map((one) => said(one, false)).join(" ")}`,
  );
  const again =
    error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} seconds.`];
  return [said(error.descriptor, isForeign), ...fields, ...again].join("\n");
}

/** A nested message reports what happened outside. */
const said = (what: MessageDescriptor, isForeign: boolean): string =>
  isForeign || what.because ? betweenMarks(inEnglish(what)) : inEnglish(what);

const RETRY_SECONDS = 5;

interface CallEnvironment {
  ctx: ToolContext;
  address: string;
  notify?: ServerContext["mcpReq"]["notify"];
}

interface Params {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

/** A tool's error is an answer, from which the assistant learns; only an unknown tool throws. */
export async function callTool(
  own: CallEnvironment,
  { name, arguments: given = {} }: Params,
): Promise<CallToolResult> {
  const tool = toolsOf(own.ctx).get(name);
  if (!tool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 100)}.`);
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
  if (!isConfirmed) throw invalidInput({ [field]: [msg("input.unknown", { field })] });
  if (typeof token !== "string") {
    throw invalidInput({ [field]: [msg("input.type", { field, types: "string" })] });
  }
}

/**
 * Null once confirmed; otherwise the request for confirmation. Throws for callers who may not do it at all.
 */
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
    throw invalidInput({ confirmationToken: [msg("assistant.confirmation")] });
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
  const text = `Nothing has been done yet. ${tool.title}${subject ? `: ${JSON.stringify(subject)}` : ` with ${JSON.stringify(given)}`}. Get the person's approval first. Then repeat the call with the same arguments and confirmationToken ${token}, within five minutes.`;
  return { content: [{ type: "text", text }], structuredContent: { confirmation } };
}

function failed({ log, caller, signal }: ToolContext, given: unknown): CallToolResult {
  // The client is gone; nothing failed.
  if (signal?.().aborted)
    return { isError: true, content: [{ type: "text", text: "The call was cancelled." }] };
  const error = isUnavailable(given) ? unavailable(RETRY_SECONDS, given) : given;
  const isOurs = error instanceof PublicError;
  if (!isOurs || error.cause) log.error({ err: given, reqId: caller.requestId }, "tool call failed");
  const text = isOurs ? sentenceOf(error) : `Server Error (request ${caller.requestId})`;
  const texts = hasMarks(text) ? [text, UNTRUSTED_NOTE] : [text];
  return { isError: true, content: texts.map((own) => ({ type: "text", text: own })) };
}
