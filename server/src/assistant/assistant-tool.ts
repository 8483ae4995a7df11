import type { CallerContext } from "../platform/context.ts";
import type { Model, ModelTool } from "./model/model.ts";
import type { ListedTool } from "./tools/list-tools.ts";

/** Calls under way in this process, by the key of their client. */
export interface CallsUnderWay {
  /** The call's own signal, aborted with `gone` or on cancellation; call `end` when it is over. */
  begin(key: string, gone: AbortSignal): { signal: AbortSignal; end(): void };
  /** On whichever replica it runs. */
  cancel(key: string): Promise<void>;
  count(userId: number): number;
  /** For shutdown. */
  endAll(): void;
}

export interface ToolOutcome {
  text: string;
  isError: boolean;
}

/** What a call would change: fields of it, for people. */
export type Subject = readonly { name: string; value: string }[];

/** A tool with the rights of the person who uses it. */
export interface AssistantTool extends ModelTool {
  title: string;
  about: string;
  /** Whether models get it from the beginning. */
  isCore: boolean;
  /** Read-only within the installation: executed without a decision. */
  atOnce: boolean;
  /** Errors of its verb are outcomes, too. */
  run(ctx: CallerContext, given: Record<string, unknown>): Promise<ToolOutcome>;
  /** What it would change, or why it cannot, without doing it. */
  preview(
    ctx: CallerContext,
    given: Record<string, unknown>,
  ): Promise<{ subject: Subject } | { refusal: string }>;
}

export interface Assistant {
  model: Model | null;
  /** Those of MCP, by name. Lazy. */
  tools(): ReadonlyMap<string, ListedTool>;
  listTools(ctx: CallerContext): Promise<AssistantTool[]>;
  answers: CallsUnderWay;
}

declare module "../platform/context.ts" {
  interface Context {
    /** Absent on the command line. */
    assistant?: Assistant;
  }
}
