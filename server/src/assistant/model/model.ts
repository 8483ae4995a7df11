import { randomUUID } from "node:crypto";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { MAX_CALLS_A_REPLY } from "../limits.ts";

/** `arguments`: JSON, or what should have been. */
export interface ModelCall {
  id: string;
  name: string;
  arguments: string;
}

export interface CallResult {
  id: string;
  text: string;
  isError: boolean;
}

/** Independent of the provider. Every call of an assistant's entry has its result in the next one. */
export type ModelEntry =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "results"; results: readonly CallResult[] };

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
  /** `refused`: by the model, not by the provider. */
  ended: "done" | "calls" | "length" | "refused";
}

export interface ReplyOptions {
  signal: AbortSignal;
  /** For each piece of text. */
  reportProgress(text: string): void;
}

/** Throws ModelError, or the signal's reason. */
export interface Model {
  complete(request: ModelRequest, options: ReplyOptions): Promise<ModelReply>;
}

/** In our own words: the provider's text is not passed on. */
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
  /** The provider's Retry-After, milliseconds. */
  readonly afterMs: number | undefined;
  /** For the log. */
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

  get descriptor(): MessageDescriptor {
    return msg(`model.${this.is}`);
  }
}

export interface ModelSettings {
  url: string;
  model: string;
  key: string | null;
  limits: StreamLimits;
}

/** Throws ModelError `long` where a reply has too many calls. */
export function assertRoomForCall(count: number): void {
  if (count >= MAX_CALLS_A_REPLY) throw new ModelError("long");
}

/** Gives calls without an id, or with that of an earlier one, their own: providers reject duplicate ids. */
export function distinctCalls(calls: Iterable<ModelCall>): ModelCall[] {
  const used = new Set([""]);
  return Array.from(calls, ({ id: given, name, arguments: written }) => {
    const id = used.has(given) ? `call_${randomUUID()}` : given;
    used.add(id);
    return { id, name, arguments: written };
  });
}

export interface StreamLimits {
  /** Until the answer begins; small machines have to load the model first. */
  beginMs: number;
  /** Between two pieces. */
  silenceMs: number;
  /** Of the whole answer: far above any model's text. */
  bytes: number;
}
