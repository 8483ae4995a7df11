import type { CallToolResult } from "@modelcontextprotocol/server";
import { invalidInput, type PublicError } from "../../platform/errors.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { answer, betweenMarks, linksTo } from "./answer.ts";
import type { ListedTool } from "./list-tools.ts";
import type { ToolCall, ToolContext, VerbTool } from "./tool.ts";
import { fieldsOf } from "./tool-schema.ts";

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
