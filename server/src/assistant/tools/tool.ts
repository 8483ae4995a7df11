import type { TSchema } from "typebox";
import type { Caller } from "../../platform/access/caller.ts";
import type { RouteLimit } from "../../platform/http/route.ts";
import type { Access, Calling } from "../../platform/operations/operation.ts";

export type ToolContext = Calling & { caller: Caller };

export interface ToolCall {
  ctx: ToolContext;
  input: Record<string, unknown>;
  organizations: string[];
}

/** MCP 2025-11-25, ToolAnnotations. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A verb, or several combined by the specification. */
export interface VerbTool {
  name: string;
  title: string;
  description: string;
  input: TSchema;
  /** An object. */
  output: TSchema;
  annotations: Annotations;
  /** Permissions that its verbs require; it is listed for callers who have all of them somewhere. */
  needs: Access[];
  limit: RouteLimit;
  page?: string;
  /** The subject: named by the input, created, or each of a list. Absent: none. */
  item?: "given" | "made" | "listed";
  run(call: ToolCall): Promise<Record<string, unknown>>;
  /** Destructive: MCP clients confirm by a second call. */
  isConfirmed: boolean;
  /** For tools that change something or reach outside: the subject. Throws for callers who may not do it. */
  preview?(call: ToolCall): Promise<unknown>;
}
