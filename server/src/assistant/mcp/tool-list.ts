import { randomUUID } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import {
  type CallToolResult,
  ProtocolError,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { isUnavailable } from "../../platform/database/errors.ts";
import { invalidInput, PublicError, unavailable } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { keepRecent } from "../../platform/lru-cache.ts";
import { timestamp } from "../../platform/operations/field.ts";
import { ownTurn } from "../../platform/turns.ts";
import { makeConfirmation, takeConfirmation } from "../confirmations.ts";
import { type Confirmation, hasMarks, UNTRUSTED_NOTE } from "../tools/answer.ts";
import { type ListedTool, toolsOf } from "../tools/list-tools.ts";
import { readCall, runTool, sentenceOf, subjectOf } from "../tools/run-tool.ts";
import type { ToolCall, ToolContext } from "../tools/tool.ts";
import { RPC } from "./messages.ts";

/** Serialized and compressed once for all callers who may use the same tools. */
interface ToolList {
  json: Buffer;
  /** A part of a deflate stream: it ends at a byte boundary and refers to nothing before it. */
  deflated: Buffer;
}

/** Some 600 kB each; people of the same rights share one. */
const MAX_LISTS = 8;

const lists = keepRecent<string, ToolList>(MAX_LISTS);

/**
 * `isChoice`: the client has chosen tools, in one of millions of ways; such a list is not cached, since no
 * other client shares it.
 */
export async function toolListOf(tools: readonly ListedTool[], isChoice: boolean): Promise<ToolList> {
  const key = tools.map(({ name }) => name).join(" ");
  const cached = lists.get(key);
  if (cached) return cached;
  if (isChoice) await ownTurn();
  const json = Buffer.from(JSON.stringify(tools.map(({ schema }) => schema)).slice(1, -1));
  const deflated = deflateRawSync(json, {
    level: constants.Z_BEST_SPEED,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const list = { json, deflated };
  if (!isChoice) lists.set(key, list);
  return list;
}

/**
 * Replaces a list while the SDK serializes the answer, under an unguessable tool name: each revision gets its
 * envelope, and half a megabyte is not serialized for each request.
 */
export interface Placeholder {
  tool: Tool;
  written: string;
  list: ToolList;
}

export function placeholderFor(list: ToolList): Placeholder {
  const tool: Tool = { name: randomUUID(), inputSchema: { type: "object" } };
  return { tool, written: JSON.stringify(tool), list };
}

/**
 * The answer with the list instead of its placeholder, gzipped where the client accepts that. Throws if it is
 * missing.
 */
export function withList(
  text: string,
  { written, list }: Placeholder,
  takesGzip: boolean,
): { body: Buffer; encoding: "gzip" | null } {
  const at = text.indexOf(written);
  if (at < 0) throw new Error("The SDK wrote a list of tools in another way than expected");
  const [before, after] = [text.slice(0, at), text.slice(at + written.length)].map((part) =>
    Buffer.from(part),
  ) as [Buffer, Buffer];
  if (!takesGzip) return { body: Buffer.concat([before, list.json, after]), encoding: null };
  return { body: gzipOf(before, list, after), encoding: "gzip" };
}

/** RFC 1952: magic number, deflate, no flags, no time, no hint, no system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

function gzipOf(before: Buffer, { json, deflated }: ToolList, after: Buffer): Buffer {
  const begin = deflateRawSync(before, { finishFlush: constants.Z_FULL_FLUSH });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(after, crc32(json, crc32(before))), 0);
  trailer.writeUInt32LE(before.length + json.length + after.length, 4);
  return Buffer.concat([GZIP_HEADER, begin, deflated, deflateRawSync(after), trailer]);
}

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
