import type { CallerContext } from "../platform/context.ts";
import type { Model, ModelTool } from "./model/model.ts";

/** The calls under way in this process, by what their clients call them. */
export interface CallsUnderWay {
  /** The call's own signal, aborted with `gone` or when it is cancelled; `end` once it is over. */
  begin(key: string, gone: AbortSignal): { signal: AbortSignal; end(): void };
  /** Stops a call, on whichever replica it is. */
  cancel(key: string): Promise<void>;
  count(userId: number): number;
  /** Stops them all: the server ends. */
  endAll(): void;
}

/** The outcome of a tool's call, as a model gets it. */
export interface ToolOutcome {
  text: string;
  isError: boolean;
}

/** What a call would be done to: fields of it, for people. */
export type Subject = readonly { name: string; value: string }[];

/** A tool of the product as the assistant has it, with the rights of the person who uses it. */
export interface AssistantTool extends ModelTool {
  title: string;
  /** The resource it is about. */
  about: string;
  /** Whether a model knows it from the beginning. */
  isCore: boolean;
  /** It only reads what is here: it is done at once. Any other waits until its person agrees. */
  atOnce: boolean;
  /** What its verb refuses is an outcome, too. */
  run(ctx: CallerContext, given: Record<string, unknown>): Promise<ToolOutcome>;
  /** What it would be done to, or why it cannot be done, with nothing done. */
  preview(
    ctx: CallerContext,
    given: Record<string, unknown>,
  ): Promise<{ subject: Subject } | { refusal: string }>;
}

/** What the app's assistant works with. One a server. */
export interface Assistant {
  /** Null: none is configured. */
  model: Model | null;
  /** Those that the caller may use somewhere. */
  listTools(ctx: CallerContext): Promise<AssistantTool[]>;
  /** The answers that are being written. */
  answers: CallsUnderWay;
}

declare module "../platform/context.ts" {
  interface Context {
    /** The app's assistant. Absent where no server runs (command line). */
    assistant?: Assistant;
  }
}
