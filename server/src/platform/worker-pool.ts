import { AsyncLocalStorage } from "node:async_hooks";
import { parentPort, type ResourceLimits, Worker } from "node:worker_threads";

export interface ThreadOptions {
  /** The module that the thread runs; it calls `handleRequests`. */
  entry: URL;
  /** In tools that show threads, and in the error of what its end leaves unanswered. */
  name: string;
  workerData: unknown;
  /** A thread that needs more memory than this ends, and nothing else suffers. */
  limits: ResourceLimits;
  /** How long it outlives its last answer. */
  idleMs: number;
  /** When a request has been silent for so long, the thread is stuck, and is ended. Absent: it never is. */
  stuckMs?: number;
  /** Receives the fault that ended a thread. */
  onFault?: (error: unknown) => void;
}

/** The error of a request whose thread ended before it was answered; `cause`: the fault that ended it. */
export class ThreadEnded extends Error {}

/** A thread that handles requests: started by the first one, ended when there have been none for a while. */
export interface Thread<Request> {
  /**
   * Rejects with the error that `answer` threw; with ThreadEnded; with the signal's reason, which the thread
   * learns. `onProgress` receives what the thread reports before the answer.
   */
  run(request: Request, signal?: AbortSignal, onProgress?: OnProgress): Promise<unknown>;
  /** Ends the thread; what is under way fails. The next request starts another. */
  close(): Promise<void>;
}

type OnProgress = (progress: unknown) => void;

type ToThread = { id: number; request: unknown } | { id: number; isGivenUp: true };
type FromThread =
  | { id: number; value: unknown }
  | { id: number; progress: unknown }
  | { id: number; message: string; fields: object };

interface PendingRequest {
  onProgress: OnProgress;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs what serves all, such as threads and jobs, outside the request that starts it: its faults are not that
 * connection's (platform/http/request-edge.ts).
 */
export const outsideRequests: <T>(run: () => T) => T = AsyncLocalStorage.snapshot();

/** One life of the thread, with the requests sent to it; its end does not concern those put to the next. */
interface Life {
  worker: Worker;
  pending: Map<number, PendingRequest>;
  idle?: NodeJS.Timeout;
}

/** Starts with its first request. */
export function createThread<Request>(options: ThreadOptions): Thread<Request> {
  let current: Life | null = null;
  let lastId = 0;
  const end = async (life: Life | null): Promise<void> => {
    clearTimeout(life?.idle);
    if (current === life) current = null;
    await life?.worker.terminate();
  };
  const start = (): Life =>
    startLife(options, (life) => {
      clearTimeout(life.idle);
      if (current === life) current = null;
    });
  const rest = (life: Life): void => {
    if (life !== current || life.pending.size > 0) return;
    clearTimeout(life.idle);
    life.idle = setTimeout(() => void end(life), options.idleMs).unref();
  };
  return {
    async run(request, signal, onProgress) {
      signal?.throwIfAborted();
      const life = (current ??= start());
      clearTimeout(life.idle);
      lastId += 1;
      const stuck = options.stuckMs && setTimeout(() => void end(life), options.stuckMs);
      const handleProgress: OnProgress = (progress) => {
        if (stuck) stuck.refresh();
        onProgress?.(progress);
      };
      try {
        return await sendRequest(life, { id: lastId, request }, signal, handleProgress);
      } finally {
        clearTimeout(stuck);
        rest(life);
      }
    },
    close: () => end(current),
  };
}

function startLife({ entry, name, workerData, limits, onFault }: ThreadOptions, onEnd: (life: Life) => void) {
  const worker = outsideRequests(() => new Worker(entry, { workerData, name, resourceLimits: limits }));
  // The caller that waits for an answer keeps the process alive, not the thread.
  worker.unref();
  const life: Life = { worker, pending: new Map() };
  const failAll = (cause?: unknown): void => {
    onEnd(life);
    const error = new ThreadEnded(`The thread ${name} has ended.`, { cause });
    for (const { reject } of life.pending.values()) reject(error);
    life.pending.clear();
  };
  worker.on("message", (answer: FromThread) => completeRequest(life.pending.get(answer.id), answer));
  worker.on("error", (error) => {
    onFault?.(error);
    failAll(error);
  });
  worker.on("exit", () => failAll());
  return life;
}

async function sendRequest(
  { worker, pending }: Life,
  message: { id: number; request: unknown },
  signal: AbortSignal | undefined,
  onProgress: OnProgress,
): Promise<unknown> {
  const { id } = message;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const giveUp = (): void => {
    post(worker, { id, isGivenUp: true });
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    post(worker, { ...message });
    pending.set(id, { resolve, reject, onProgress });
    return await promise;
  } finally {
    pending.delete(id);
    signal?.removeEventListener("abort", giveUp);
  }
}

function completeRequest(pending: PendingRequest | undefined, answer: FromThread): void {
  if ("progress" in answer) progressOf(pending, answer.progress);
  else if ("value" in answer) pending?.resolve(answer.value);
  else pending?.reject(Object.assign(new Error(answer.message), answer.fields));
}

/** What fails in the listener is its own fault, not that of the thread or the process. */
function progressOf(pending: PendingRequest | undefined, progress: unknown): void {
  try {
    pending?.onProgress(progress);
  } catch (error) {
    pending?.reject(error);
  }
}

function post(port: { postMessage(message: unknown): void } | null, message: ToThread | FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port?.postMessage(message);
}

/**
 * In the thread: sends the value, or the error that `answer` threw with its message, stack and plain fields
 * (a clone would lose a driver's codes). The signal is aborted when the caller no longer waits.
 */
export function handleRequests<Request>(
  answer: (request: Request, signal: AbortSignal, reportProgress: OnProgress) => Promise<unknown>,
): void {
  const underWay = new Map<number, AbortController>();
  const reply = async (id: number, request: Request): Promise<void> => {
    const givenUp = new AbortController();
    underWay.set(id, givenUp);
    const reportProgress: OnProgress = (progress) => post(parentPort, { id, progress });
    try {
      post(parentPort, { id, value: await answer(request, givenUp.signal, reportProgress) });
    } catch (error) {
      post(parentPort, { id, ...textOf(error) });
    } finally {
      underWay.delete(id);
    }
  };
  parentPort?.on("message", (message: ToThread) => {
    if ("request" in message) void reply(message.id, message.request as Request);
    else underWay.get(message.id)?.abort();
  });
}

function textOf(error: unknown): { message: string; fields: object } {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const isPlain = (value: unknown) => typeof value !== "object" || value?.constructor === Object;
  const plainTypes = ["string", "number", "object"];
  const fields = Object.entries(error).filter(
    ([, value]) => plainTypes.includes(typeof value) && isPlain(value),
  );
  return { message: error.message, fields: { ...Object.fromEntries(fields), stack: error.stack } };
}
