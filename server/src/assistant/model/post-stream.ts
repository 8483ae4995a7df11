import { setTimeout as wait } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { retryAfterMs } from "../../platform/clock.ts";
import { ModelError, type ModelFailure, type StreamLimits } from "./model.ts";

export const STREAM_LIMITS: StreamLimits = { beginMs: 120_000, silenceMs: 60_000, bytes: 4 << 20 };
/** A longer Retry-After is not waited for. */
const MAX_WAIT_MS = 5_000;

export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  limits: StreamLimits;
}

/** Its errors other than ModelError count as a broken answer. */
export interface StreamReader {
  event(one: EventSourceMessage): boolean;
  whole(json: unknown): void;
}

/**
 * `event` gets each server-sent event (HTML Living Standard, 9.2) until it returns true, `whole` the JSON of
 * an unstreamed answer. A short Retry-After is waited for once. Redirects are not followed: the key must not
 * go elsewhere. Throws ModelError, or the signal's reason.
 */
export async function postStream(request: StreamRequest, reader: StreamReader): Promise<void> {
  try {
    await postOnce(request, reader);
  } catch (error) {
    if (!(error instanceof ModelError) || error.afterMs === undefined || error.afterMs > MAX_WAIT_MS) {
      throw error;
    }
    await wait(error.afterMs, undefined, { signal: request.signal });
    await postOnce(request, reader);
  }
}

async function postOnce(
  { url, headers, body, signal, limits }: StreamRequest,
  reader: StreamReader,
): Promise<void> {
  const late = new AbortController();
  const both = AbortSignal.any([signal, late.signal]);
  let timer = setTimeout(() => late.abort(), limits.beginMs);
  const onActivity = () => {
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(), limits.silenceMs);
  };
  let hasBegun = false;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: both,
    });
    if (answer.status !== 200) {
      void answer.body?.cancel().catch(() => {});
      throw failureOf(answer);
    }
    hasBegun = true;
    onActivity();
    await read(answer, reader, { bytes: limits.bytes, onActivity });
  } catch (error) {
    if (error instanceof ModelError) throw error;
    signal.throwIfAborted();
    if (late.signal.aborted) throw new ModelError("slow", { cause: error });
    throw new ModelError(hasBegun ? "cut" : "unreached", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** `onActivity`: called for each piece received. */
async function read(
  answer: Response,
  { event, whole }: StreamReader,
  { bytes, onActivity }: { bytes: number; onActivity: () => void },
): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) {
    whole(readJson(await readAll(answer, bytes, onActivity)));
    return;
  }
  if (!type.startsWith("text/event-stream")) throw new ModelError("garbled");
  let isOver = false;
  const parser = createParser({
    onEvent(one) {
      if (!isOver) isOver = event(one);
    },
  });
  for await (const text of pieces(answer, bytes, onActivity)) {
    parser.feed(text);
    // Not every server closes the connection then.
    if (isOver) break;
  }
}

async function* pieces(answer: Response, maxBytes: number, onActivity: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    onActivity();
    bytes += piece.length;
    if (bytes > maxBytes) throw new ModelError("long");
    yield decoder.decode(piece, { stream: true });
  }
}

async function readAll(answer: Response, maxBytes: number, onActivity: () => void): Promise<string> {
  let text = "";
  for await (const piece of pieces(answer, maxBytes, onActivity)) text += piece;
  return text;
}

/** Throws ModelError for invalid JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelError("garbled");
  }
}

/** 529: Anthropic is overloaded. */
const FAILURES: Readonly<Record<number, ModelFailure>> = {
  401: "key",
  403: "key",
  404: "model",
  408: "slow",
  429: "busy",
  503: "busy",
  529: "busy",
};

function failureOf({ status, headers }: Response): ModelError {
  const other = status >= 500 ? "failed" : status >= 400 ? "rejected" : "garbled";
  const is = FAILURES[status] ?? other;
  const afterMs = is === "busy" ? retryAfterMs(headers.get("retry-after"), Date.now()) : null;
  return new ModelError(is, { status, afterMs: afterMs ?? undefined });
}
