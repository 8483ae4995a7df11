import type { TargetPolicy } from "../check/guard.ts";
import type { ToolName } from "./registry.ts";
import type { ToolSources } from "./tool.ts";

/** What the thread that runs tools is started with. */
export interface ToolSettings {
  /** As createResolver takes them. */
  resolvers: readonly string[];
  policy: TargetPolicy;
  sources: ToolSources;
}

/** What it is asked. */
export interface ToolRequest {
  tool: ToolName;
  input: unknown;
}
