import { unavailable } from "../errors.ts";
import type { MonitorKind } from "../monitor-defaults.ts";
import { ownTurn } from "../turns.ts";
import { createThread } from "../worker-pool.ts";
import type { Db } from "./schema.ts";

/** With fewer monitors the answer is there before a thread would have received the request. */
const MAX_MONITORS_READ_HERE = 500;
/** An idle thread holds 20 MB for nothing. */
const IDLE_MS = 5 * 60_000;
const YOUNG_MB = 12;

/** Monitors of one kind, in a window of time (milliseconds). */
interface ReadInput {
  organizationId: number;
  kind: MonitorKind;
  from: number;
  to: number;
}

/**
 * Computed from all monitors of an organization: SQLite takes a tenth of a second for ten thousand, too
 * long for the main thread. Input and result must survive a structured clone.
 */
export interface HeavyRead<Input extends ReadInput, Output> {
  /** By which the thread finds it (app/reader-thread.ts). */
  name: string;
  read(db: Db, input: Input): Promise<Output>;
  /** How much work it is for each monitor, measured by what a list costs for one; default: 1. */
  weightOf?(input: Input): number;
}

/** Throws what the read throws. */
export type ReadInWorker = <Input extends ReadInput, Output>(
  read: HeavyRead<Input, Output>,
  input: Input,
) => Promise<Output>;

/** Runs a heavy read on the handle given: PostgreSQL does the work elsewhere anyway. */
export const readHere =
  (db: Db): ReadInWorker =>
  ({ read }, input) =>
    read(db, input);

interface Reader {
  readInWorker: ReadInWorker;
  close(): Promise<void>;
}

/**
 * In a thread with its own connection, started by the first request about many monitors. Sees what was
 * committed before (WAL), holds up no writer. Throws 503 when too many wait.
 */
export function openReader(db: Db, file: string, monitorsAtOnce = MAX_MONITORS_READ_HERE): Reader {
  const here = readHere(db);
  const thread = createThread<ReadRequest>({
    entry: new URL("../../app/reader-thread.ts", import.meta.url),
    name: "vedette-reads",
    workerData: { file },
    limits: { maxYoungGenerationSizeMb: YOUNG_MB },
    idleMs: IDLE_MS,
  });
  const queue = createReadQueue((request) => thread.run(request));
  const readInWorker: ReadInWorker = async (heavy, input) => {
    const monitors = await countMonitors(db, input);
    if (monitors * (heavy.weightOf?.(input) ?? 1) <= monitorsAtOnce) return here(heavy, input);
    return queue.run({ name: heavy.name, input }) as ReturnType<typeof heavy.read>;
  };
  const close = async () => {
    queue.clear();
    await thread.close();
  };
  return { readInWorker, close };
}

export interface ReadRequest {
  name: string;
  input: ReadInput;
}

async function countMonitors(db: Db, { organizationId, kind }: ReadInput): Promise<number> {
  const counts = db.selectFrom("monitor_counts").select("count");
  const row = await counts
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Requests that wait until the one under way has been answered. */
interface ReadQueue {
  /** Throws what reading throws, and 503 when too many wait. */
  run(request: ReadRequest): Promise<unknown>;
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
 * Organizations take turns. A request equal to a waiting one shares its answer, but not that of the one
 * under way, which may have missed what the caller has just written.
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
        return inOwnTurn(same.promise);
      }
      if (line.size >= MAX_WAITING_OF_ORGANIZATION || count >= MAX_WAITING) return Promise.reject(tooMany());
      const waiting = { request, ...Promise.withResolvers<unknown>() };
      lines.set(organizationId, line.set(key, waiting));
      count += 1;
      if (!isReading) void readNext();
      return inOwnTurn(waiting.promise);
    },
    clear() {
      for (const line of lines.values()) for (const { reject } of line.values()) reject(tooMany());
      lines.clear();
      count = 0;
    },
  };
}

/** Those who share an answer go on one after the other: each has a report, a list or a file to write of it. */
async function inOwnTurn(reading: Promise<unknown>): Promise<unknown> {
  const answer = await reading;
  await ownTurn();
  return answer;
}

/** Its organization then comes last. */
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
