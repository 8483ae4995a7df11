import type { TSchema } from "typebox";
import type { Caller } from "../../platform/access/caller.ts";
import type { RouteLimit } from "../../platform/http/route.ts";
import type { Access, Calling } from "../../platform/operations/operation.ts";

/** Who calls a tool, with what a verb needs. */
export type ToolContext = Calling & { caller: Caller };

export interface ToolCall {
  ctx: ToolContext;
  input: Record<string, unknown>;
  /** The organization that is named, if one is. */
  organizations: string[];
}

/** What is said of a tool beside its words (MCP 2025-11-25, ToolAnnotations). */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One tool of an assistant: a verb, or several that the specification puts together. */
export interface VerbTool {
  name: string;
  title: string;
  description: string;
  input: TSchema;
  /** Of what `run` gives; an object. */
  output: TSchema;
  annotations: Annotations;
  /** What its verbs ask of the caller; the tool is listed for those who have it all somewhere. */
  needs: Access[];
  limit: RouteLimit;
  /** Where the app shows what it is about, by resource. */
  page?: string;
  /** Which of these things it is about: the one that its input names, the one that it makes, or each of a list. Absent: none. */
  item?: "given" | "made" | "listed";
  run(call: ToolCall): Promise<Record<string, unknown>>;
  /** It destroys something: over MCP it is confirmed by a second call. */
  isConfirmed: boolean;
  /** Of one that changes something or reaches outside: what it would be about, having refused whoever may not do it. */
  preview?(call: ToolCall): Promise<unknown>;
}
