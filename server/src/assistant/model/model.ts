import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";

/** A call of a tool as a model wrote it; `arguments`: JSON, or what should have been. */
export interface ModelCall {
  id: string;
  name: string;
  arguments: string;
}

/** What came of a call, for the model. */
export interface CallResult {
  id: string;
  text: string;
  isError: boolean;
}

/** One part of a conversation, in no provider's words. Every call of an assistant's part has its result in the next one. */
export type ModelEntry =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "results"; results: readonly CallResult[] };

/** A tool as a model is told of it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  system: string;
  entries: readonly ModelEntry[];
  tools: readonly ModelTool[];
}

export interface ModelReply {
  text: string;
  calls: ModelCall[];
  /** Why it ended: it was done, it wants calls, its text became too long, or it would not answer. */
  ended: "done" | "calls" | "length" | "refused";
}

export interface ReplyOptions {
  signal: AbortSignal;
  /** Hears each piece of text as it comes. */
  reportProgress(text: string): void;
}

/** A language model behind an address. Throws ModelError, or the signal's reason. */
export interface Model {
  complete(request: ModelRequest, options: ReplyOptions): Promise<ModelReply>;
}

/** Why a model did not answer, in our words alone: nothing of what its provider says gets anywhere. */
export type ModelFailure =
  | "key"
  | "model"
  | "rejected"
  | "busy"
  | "failed"
  | "unreached"
  | "cut"
  | "garbled"
  | "slow"
  | "long";

export class ModelError extends Error {
  readonly is: ModelFailure;
  /** How long the provider wants to be left alone, where it says so; milliseconds. */
  readonly afterMs: number | undefined;
  /** The status code, for the log. */
  readonly status: number | undefined;

  constructor(
    is: ModelFailure,
    { afterMs, status, cause }: { afterMs?: number | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(`model: ${is}${status === undefined ? "" : ` (${status})`}`, { cause });
    this.is = is;
    this.afterMs = afterMs;
    this.status = status;
  }

  get fact(): MessageDescriptor {
    return msg(`model.${this.is}`);
  }
}
