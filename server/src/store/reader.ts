import { createThread } from "../thread.ts";
import type { Db } from "./db.ts";
import { HEAVY_READS, type ReadAside, weightOf } from "./heavy-reads.ts";
import { countMonitors } from "./queries/monitor-list.ts";
import { createReadQueue, type ReaderQuestion } from "./read-queue.ts";

/** With fewer monitors the answer is there before a thread would have heard of the question. */
const MAX_MONITORS_READ_HERE = 500;
/** A thread that nobody asks anything holds 20 MB for nothing. */
const IDLE_MS = 5 * 60_000;
const YOUNG_MB = 12;

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
 * monitors. It sees what was committed before it was asked (WAL), and holds up no writer. Throws 503 when too many wait.
 */
export function openReader(db: Db, file: string, monitorsAtOnce = MAX_MONITORS_READ_HERE): Reader {
  const here = readHere(db);
  const thread = createThread<ReaderQuestion>({
    entry: new URL("reader-thread.ts", import.meta.url),
    name: "vedette-reads",
    workerData: { file },
    limits: { maxYoungGenerationSizeMb: YOUNG_MB },
    idleMs: IDLE_MS,
  });
  const queue = createReadQueue((question) => thread.ask(question));
  const readAside = async (name: ReaderQuestion["name"], input: ReaderQuestion["input"]) => {
    const { organizationId, kind } = input;
    const count = await countMonitors(db, { organizationId, kind });
    return count * weightOf(name, input) > monitorsAtOnce
      ? queue.ask({ name, input })
      : here(name, input as never);
  };
  const close = async () => {
    queue.clear();
    await thread.close();
  };
  return { readAside: readAside as ReadAside, close };
}
