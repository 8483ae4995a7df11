import type { TSchema } from "typebox";
import { checkKind } from "../../checks/registry.ts";
import type { Monitor } from "../../monitors/queries/monitors.ts";
import type { CallerContext, Context } from "../../platform/context.ts";
import { isUnavailable } from "../../platform/database/errors.ts";
import { PublicError, unavailable } from "../../platform/errors.ts";
import { losesSecrets } from "../../platform/secrets/config-secrets.ts";
import type { Assistant, AssistantTool, Subject, ToolOutcome } from "../assistant-tool.ts";
import { followCalls } from "../confirmations.ts";
import { createModel } from "../model/registry.ts";
import { changeMarked, type SchemaNode } from "./answer.ts";
import { type ListedTool, permittedTools } from "./list-tools.ts";
import { readCall, runTool, sentenceOf, subjectOf } from "./run-tool.ts";
import { runsAtOnce } from "./spec-tools.ts";
import { type ToolCall, toInputSchema, type VerbTool } from "./tool.ts";

/** Shorter secrets would match ordinary words. */
const LEAST_LENGTH = 8;
const SECRET = "(secret: people find it in the app, or make a new one there)";

const isSecret = (node: SchemaNode): boolean =>
  node["x-secret"] !== undefined || node.writeOnly === true || node.format === "password";

/**
 * Removes secrets (`x-secret`) from answers, also within addresses and commands: the model runs elsewhere,
 * results are stored as text, and a monitored page's title may have prompted the call.
 */
function withoutSecrets(schema: TSchema, value: Record<string, unknown>): Record<string, unknown> {
  const secrets = new Set<string>();
  const masked = changeMarked({ schema, value, isMarked: isSecret }, ({ text, isOwn }) => {
    if (isOwn && text.length >= LEAST_LENGTH) secrets.add(text);
    return SECRET;
  }) as Record<string, unknown>;
  if (secrets.size === 0) return masked;
  return JSON.parse(JSON.stringify(masked), (_name, own: unknown) =>
    typeof own === "string"
      ? [...secrets].reduce((text, secret) => text.replaceAll(secret, () => SECRET), own)
      : own,
  ) as Record<string, unknown>;
}

/**
 * Secret arguments that a model may not give: calls are stored and shown; and the model's replacement for a
 * secret would overwrite it.
 */
function secretArguments(schema: TSchema, given: object): string[] {
  const found = new Set<string>();
  const isMask = (text: string) => text.includes(SECRET);
  changeMarked({ schema, value: given, isMarked: isSecret }, ({ text, at }) => {
    found.add(at);
    return text;
  });
  for (const [name, value] of Object.entries(given)) if (isMask(JSON.stringify(value))) found.add(name);
  return [...found];
}

function needsSecret(schema: TSchema): boolean {
  const { required = [], properties = {} } = schema as SchemaNode & { required?: string[] };
  return required.some((name) => properties[name] !== undefined && isSecret(properties[name]));
}

/** The tools that most answers begin with. The others are shown by resource. */
export const CORE_TOOLS: readonly string[] = [
  ...["get_dashboard_stats", "search", "list_recent_activity"],
  ...["list_incidents", "get_incident", "explain_incident", "acknowledge_incident"],
  ...["list_domains", "get_domain", "domain_summary", "domain_status_history"],
  ...["list_services", "get_service", "service_summary"],
  ...["list_devices", "get_device", "list_maintenance", "create_maintenance"],
];
const RETRY_SECONDS = 5;
/** Providers reject these at the top of a schema; the verb validates anyway. */
const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf"];

/** Reads, and tools with a preview that take no secret, since calls are stored. */
export const isForAssistant = ({ annotations, preview, input }: VerbTool): boolean =>
  (runsAtOnce(annotations) || preview !== undefined) && !needsSecret(input);

export async function assistantTools(
  ctx: CallerContext,
  all: Iterable<ListedTool>,
): Promise<AssistantTool[]> {
  const tools = await permittedTools(ctx, all);
  return tools.filter(isForAssistant).map(toolOf);
}

const known = new WeakMap<ListedTool, AssistantTool>();

function toolOf(tool: ListedTool): AssistantTool {
  const own = known.get(tool) ?? makeTool(tool);
  known.set(tool, own);
  return own;
}

function makeTool(tool: ListedTool): AssistantTool {
  const { name, title, description, page = "other" } = tool;
  return {
    ...{ name, title, description, about: page, parameters: parametersOf(tool) },
    isCore: CORE_TOOLS.includes(name),
    atOnce: runsAtOnce(tool.annotations),
    run: (ctx, given) =>
      safely(
        ctx,
        (error) => ({ text: error, isError: true }),
        () => run(ctx, tool, given),
      ),
    preview: (ctx, given) =>
      safely<{ subject: Subject } | { refusal: string }>(
        ctx,
        (refusal) => ({ refusal }),
        async () => {
          const secrets = secretArguments(tool.input, given);
          if (secrets.length > 0) return { refusal: noSecrets(secrets) };
          const found = await tool.preview?.(readCall(ctx, tool, given));
          if (losesSecret(found, given)) return { refusal: noSecrets(["protocolConfig"]) };
          return { subject: partsOf(found) };
        },
      ),
  };
}

/** Without the confirmation token: the model would confirm its own call. */
function parametersOf({ input }: ListedTool): AssistantTool["parameters"] {
  const inputSchema = toInputSchema(input);
  const { confirmationToken: _, ...properties } = (inputSchema["properties"] ?? {}) as Record<
    string,
    unknown
  >;
  const entries = Object.entries(inputSchema).filter(([keyword]) => !REFUSED_AT_TOP.includes(keyword));
  return { ...Object.fromEntries(entries), properties };
}

async function run(
  ctx: CallerContext,
  tool: ListedTool,
  given: Record<string, unknown>,
): Promise<ToolOutcome> {
  // Links within the app need no address.
  const runWithoutSecrets = async (call: ToolCall) => withoutSecrets(tool.answer, await tool.run(call));
  const quiet = { ...tool, run: runWithoutSecrets };
  const { content } = await runTool({ address: "" }, quiet, readCall(ctx, tool, given));
  return { text: content.map((part) => (part.type === "text" ? part.text : "")).join("\n"), isError: false };
}

const noSecrets = (fields: readonly string[]): string =>
  `${fields.join(", ")}: may hold a secret, and calls are saved. Leave that out, or let the person enter it in the app.`;

/** Whether the call would replace a service's configuration with secrets that the model did not get. */
function losesSecret(found: unknown, given: Record<string, unknown>): boolean {
  if (given["protocolConfig"] === undefined || found === null || typeof found !== "object") return false;
  const { type, secrets } = found as Partial<Monitor>;
  const kind = type === undefined || secrets == null ? null : checkKind(type);
  return kind !== null && !kind.complete && losesSecrets(kind.configSchema);
}

const partsOf = (found: unknown): Subject =>
  Object.entries(subjectOf(found) ?? {}).map(([name, value]) => ({ name, value: String(value) }));

/** The model learns from a verb's errors; internal errors go to the log alone. */
async function safely<T>(
  ctx: CallerContext,
  refused: (why: string) => T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (given) {
    const error = isUnavailable(given) ? unavailable(RETRY_SECONDS, given) : given;
    const isOurs = error instanceof PublicError;
    const { requestId } = ctx.caller;
    if (!isOurs || error.cause) ctx.log.error({ err: given, reqId: requestId }, "tool call failed");
    return refused(isOurs ? sentenceOf(error) : `Server Error (request ${requestId})`);
  }
}

export const createAssistant = (
  ctx: Pick<Context, "config" | "store" | "clock" | "live">,
  tools: Assistant["tools"],
): Assistant => ({
  model: createModel(ctx.config),
  tools,
  listTools: (own) => assistantTools(own, tools().values()),
  answers: followCalls(ctx),
});
