import type { TSchema } from "typebox";
import { checkKind } from "../../checks/registry.ts";
import type { Monitor } from "../../monitors/queries/monitors.ts";
import type { CallerContext } from "../../platform/context.ts";
import { isUnavailable } from "../../platform/database/errors.ts";
import { PublicError, unavailable } from "../../platform/errors.ts";
import { losesSecrets } from "../../platform/secrets/config-secrets.ts";
import type { AssistantTool, Subject, ToolOutcome } from "../assistant-tool.ts";
import { type ListedTool, permittedTools } from "./list-tools.ts";
import { changeMarked, type SchemaNode } from "./marked-fields.ts";
import { readCall, runTool, sentenceOf, subjectOf } from "./run-tool.ts";
import { runsAtOnce } from "./spec-tools.ts";
import type { ToolCall, VerbTool } from "./tool.ts";
import { toInputSchema } from "./tool-schema.ts";

/** Shorter ones would be found in other words. */
const LEAST_LENGTH = 8;
/** What stands in place of a secret. */
const SECRET = "(secret: people find it in the app, or make a new one there)";

/** A field that lets somebody in, or may. */
const isSecret = (node: SchemaNode): boolean =>
  node["x-secret"] !== undefined || node.writeOnly === true || node.format === "password";

/**
 * A tool's answer without what its schema says lets somebody in, or may (`x-secret`), for a model that runs elsewhere and whose
 * results are kept as text: a page's title may have asked for it. Addresses and commands that hold such a secret lose it as well.
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
 * Which of a call's arguments a model may not give, by name: calls are kept and shown again, where secrets are neither; and what a
 * model was told in place of a secret would overwrite that.
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

/** Whether a tool cannot be called without a secret. */
function needsSecret(schema: TSchema): boolean {
  const { required = [], properties = {} } = schema as SchemaNode & { required?: string[] };
  return required.some((name) => properties[name] !== undefined && isSecret(properties[name]));
}

/** What a model is told of from the beginning: where most answers begin. All others it is shown by resource. */
export const CORE_TOOLS: readonly string[] = [
  ...["get_dashboard_stats", "search", "list_recent_activity"],
  ...["list_incidents", "get_incident", "explain_incident", "acknowledge_incident"],
  ...["list_domains", "get_domain", "domain_summary", "domain_status_history"],
  ...["list_services", "get_service", "service_summary"],
  ...["list_devices", "get_device", "list_maintenance", "create_maintenance"],
];
const RETRY_SECONDS = 5;
/** Providers refuse these where a tool's schema begins; the verb checks what they say anyway. */
const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf"];

/** Those that can say what they would do, where they do more than read, and that take no secret: calls are kept. */
export const isForAssistant = ({ annotations, preview, input }: VerbTool): boolean =>
  (runsAtOnce(annotations) || preview !== undefined) && !needsSecret(input);

/** The tools of MCP, for the app's own assistant. */
export async function assistantTools(ctx: CallerContext): Promise<AssistantTool[]> {
  const tools = await permittedTools(ctx);
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

/** Nobody confirms by a token here: that would be the model. */
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
  `${fields.join(", ")}: may hold a secret, and calls are kept. Leave that out, or ask the person to enter it in the app.`;

/** Whether a service's configuration would be replaced, which holds what the model was not told. */
function losesSecret(found: unknown, given: Record<string, unknown>): boolean {
  if (given["protocolConfig"] === undefined || found === null || typeof found !== "object") return false;
  const { type, secrets } = found as Partial<Monitor>;
  const kind = type === undefined || secrets == null ? null : checkKind(type);
  return kind !== null && !kind.complete && losesSecrets(kind.configSchema);
}

const partsOf = (found: unknown): Subject =>
  Object.entries(subjectOf(found) ?? {}).map(([name, value]) => ({ name, value: String(value) }));

/** What a verb refuses is something to learn from; what goes wrong inside stands in the log alone. */
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
