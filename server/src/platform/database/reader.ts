import { readUptimes } from "../../engine/queries/transitions.ts";
import { countMonitors, pageByUptime } from "../../monitors/queries/monitor-list.ts";
import { readMonitorSummary } from "../../monitors/queries/monitor-names.ts";
import { readMonitorReport } from "../../reports/queries/reports.ts";
import { unavailable } from "../errors.ts";
import { createThread } from "../worker-pool.ts";
import type { Db } from "./db.ts";

/** With fewer monitors the answer is there before a thread would have received the request. */
const MAX_MONITORS_READ_HERE = 500;
/** An idle thread holds 20 MB for nothing. */
const IDLE_MS = 5 * 60_000;
const YOUNG_MB = 12;

/** Runs a heavy read on the handle given: PostgreSQL does the work elsewhere anyway. */
export const readHere =
  (db: Db): ReadInWorker =>
  (name, input) =>
    HEAVY_READS[name](db, input as never) as never;

interface Reader {
  readInWorker: ReadInWorker;
  close(): Promise<void>;
}

/**
 * Heavy reads of the SQLite file in a thread with a connection of its own, started by the first request about many
 * monitors. It sees what was committed before the request (WAL), and holds up no writer. Throws 503 when too many wait.
 */
export function openReader(db: Db, file: string, monitorsAtOnce = MAX_MONITORS_READ_HERE): Reader {
  const here = readHere(db);
  const thread = createThread<ReadRequest>({
    entry: new URL("reader-thread.ts", import.meta.url),
    name: "vedette-reads",
    workerData: { file },
    limits: { maxYoungGenerationSizeMb: YOUNG_MB },
    idleMs: IDLE_MS,
  });
  const queue = createReadQueue((request) => thread.run(request));
  const readInWorker = async (name: ReadRequest["name"], input: ReadRequest["input"]) => {
    const { organizationId, kind } = input;
    const count = await countMonitors(db, { organizationId, kind });
    return count * weightOf(name, input) > monitorsAtOnce
      ? queue.run({ name, input })
      : here(name, input as never);
  };
  const close = async () => {
    queue.clear();
    await thread.close();
  };
  return { readInWorker: readInWorker as ReadInWorker, close };
}

/** A request to the reader's thread. */
export interface ReadRequest {
  name: keyof HeavyReads;
  input: Parameters<ReadInWorker>[1];
}

/** Requests that wait until the one under way has been answered. */
interface ReadQueue {
  /** Resolves with the answer. Throws what reading throws, and 503 when too many wait. */
  run(request: ReadRequest): Promise<unknown>;
  /** Refuses those that wait. */
  clear(): void;
}

interface Waiting extends PromiseWithResolvers<unknown> {
  request: ReadRequest;
}

const MAX_WAITING_OF_ORGANIZATION = 8;
const MAX_WAITING = 100;
const RETRY_SECONDS = 5;
const MINUTE_MS = 60_000;

/**
 * One request is read after the other, and organizations take turns. A request equal to one that is waiting shares its
 * answer; not that of the one under way, which may have missed what the caller has just written.
 */
export function createReadQueue(read: (request: ReadRequest) => Promise<unknown>): ReadQueue {
  /** By organization, and by request; organizations without any are absent. Whose turn is next comes first. */
  const lines = new Map<number, Map<string, Waiting>>();
  let count = 0;
  let isReading = false;
  const readNext = async (): Promise<void> => {
    const next = takeNext(lines);
    isReading = next !== null;
    if (!next) return;
    count -= 1;
    await read(next.request).then(next.resolve, next.reject);
    void readNext();
  };
  return {
    run(request) {
      const { organizationId } = request.input;
      const line = lines.get(organizationId) ?? new Map<string, Waiting>();
      const key = keyOf(request);
      const same = line.get(key);
      if (same) {
        // The newest window: no caller gets an earlier time than it requested.
        same.request = request;
        return same.promise;
      }
      if (line.size >= MAX_WAITING_OF_ORGANIZATION || count >= MAX_WAITING) return Promise.reject(tooMany());
      const waiting = { request, ...Promise.withResolvers<unknown>() };
      lines.set(organizationId, line.set(key, waiting));
      count += 1;
      if (!isReading) void readNext();
      return waiting.promise;
    },
    clear() {
      for (const line of lines.values()) for (const { reject } of line.values()) reject(tooMany());
      lines.clear();
      count = 0;
    },
  };
}

/** Takes the first request of the organization whose turn it is, which then comes last. */
function takeNext(lines: Map<number, Map<string, Waiting>>): Waiting | null {
  for (const [organizationId, line] of lines) {
    lines.delete(organizationId);
    for (const [key, waiting] of line) {
      line.delete(key);
      if (line.size > 0) lines.set(organizationId, line);
      return waiting;
    }
  }
  return null;
}

/** The same for the same request: windows of one length that end within the same minute are one. */
function keyOf({ name, input: { from, to, ...rest } }: ReadRequest): string {
  return JSON.stringify([name, to - from, Math.floor(to / MINUTE_MS), rest]);
}

const tooMany = () => unavailable(RETRY_SECONDS);

/**
 * Reads that are computed from every monitor of an organization and its history: with ten thousand of them SQLite
 * takes a tenth of a second, and other requests may not wait for that (reader.ts). Their arguments name `organizationId` and
 * `kind`; arguments and results must survive a structured clone.
 */
export const HEAVY_READS = {
  pageByUptime,
  readMonitorSummary,
  readMonitorReport,
  readUptimes,
} satisfies Record<string, (db: Db, input: never) => Promise<unknown>>;

type HeavyReads = typeof HEAVY_READS;

const DAY_MS = 86_400_000;
/** A row of the roll-ups is read in about a fifth of the time that a figure of a list takes. */
const DAYS_AS_ONE = 5;

/** How much work it is for each monitor, measured by what a list costs for one. */
const weightOf = (name: keyof HeavyReads, { from, to }: { from: number; to: number }): number =>
  name === "readMonitorReport" ? 1 + (to - from) / DAY_MS / DAYS_AS_ONE : 1;

/** Runs one of them without blocking the main thread. Throws what it throws. */
export type ReadInWorker = <Name extends keyof HeavyReads>(
  name: Name,
  input: Parameters<HeavyReads[Name]>[1],
) => ReturnType<HeavyReads[Name]>;
