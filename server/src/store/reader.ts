import { Worker } from "node:worker_threads";
import { HEAVY_READS, type ReadAside } from "./heavy-reads.ts";
import type { Db } from "./open.ts";
import { countMonitors } from "./queries/monitor-list.ts";

/** With fewer monitors the answer is there before a thread would have heard of the question. */
const MONITORS_A_BATCH = 500;
/** A thread that nobody asks anything holds 20 MB for nothing. */
const IDLE_MS = 5 * 60_000;
const YOUNG_MB = 12;

/** What the thread is asked, and what it says. */
export interface ReaderQuestion {
  id: number;
  name: keyof typeof HEAVY_READS;
  input: never;
}
export type ReaderAnswer = { id: number; value: unknown } | { id: number; error: DriverFault };

/** What is told of an error: a clone would lose the driver's codes, which store/errors.ts reads. */
export interface DriverFault {
  message: string;
  code?: unknown;
  errcode?: unknown;
}

/** Runs a heavy read on the handle given: PostgreSQL does the work elsewhere anyway. */
export const readHere =
  (db: Db): ReadAside =>
  (name, input) =>
    HEAVY_READS[name](db, input as never) as never;

export interface Reader {
  readAside: ReadAside;
  close(): Promise<void>;
}

/**
 * Heavy reads of the SQLite file in a thread with a connection of its own, started by the first question about many
 * monitors. It sees what was committed before it was asked (WAL), and holds up no writer.
 */
export function openReader(db: Db, file: string, monitorsAtOnce = MONITORS_A_BATCH): Reader {
  const here = readHere(db);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let thread: Worker | null = null;
  let asked = 0;
  let idle: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(new URL("reader-thread.ts", import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    started.on("message", (answer: ReaderAnswer) => settle(waiting, answer));
    started.on("error", (error) => failAll(waiting, error));
    started.on("exit", () => {
      if (thread === started) thread = null;
      failAll(waiting, new Error("The reading thread has ended."));
    });
    // A command line must not be kept from ending by it.
    started.unref();
    return started;
  };
  const ask = (name: ReaderQuestion["name"], input: unknown): Promise<unknown> => {
    clearTimeout(idle);
    idle = setTimeout(end, IDLE_MS).unref();
    thread ??= start();
    asked += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(asked, answer);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    thread.postMessage({ id: asked, name, input: input as never } satisfies ReaderQuestion);
    return answer.promise;
  };
  const readAside = async (name: ReaderQuestion["name"], input: never) => {
    const { organizationId, kind } = input as Parameters<ReadAside>[1];
    const count = await countMonitors(db, { organizationId, kind });
    return count > monitorsAtOnce ? ask(name, input) : here(name, input);
  };
  return { readAside: readAside as ReadAside, close: end };
}

function settle(waiting: Map<number, PromiseWithResolvers<unknown>>, answer: ReaderAnswer): void {
  const asked = waiting.get(answer.id);
  waiting.delete(answer.id);
  if ("value" in answer) asked?.resolve(answer.value);
  else asked?.reject(Object.assign(new Error(answer.error.message), answer.error));
}

function failAll(waiting: Map<number, PromiseWithResolvers<unknown>>, error: unknown): void {
  for (const asked of waiting.values()) asked.reject(error);
  waiting.clear();
}
