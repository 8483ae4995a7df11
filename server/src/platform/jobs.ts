import { Type } from "typebox";
import type { Context } from "./context.ts";
import { releaseLease, takeLease, writeMeta } from "./database/installation.ts";
import type { Db } from "./database/schema.ts";
import { verb } from "./operations/operation.ts";
import { outsideRequests } from "./worker-pool.ts";

/** Something that time sets off, again and again: the pause is counted from the end of a run, so two never overlap. */
export interface Job {
  /** In the log, in /metrics and in `vedette jobs`, such as `pack-results`. */
  name: string;
  everyMs: number;
  /** Before the first run; default: `everyMs`. */
  firstMs?: number;
  /** Of several servers, one runs it at a time. */
  isLeased?: boolean;
  run(): Promise<unknown>;
}

/** How the runs of a job on this server have gone. */
export interface JobStats {
  name: string;
  everyMs: number;
  /** So many have ended, and of these so many with an error. */
  runs: number;
  failures: number;
  /** When the last one began, milliseconds; null: none has ended yet. */
  startedAt: number | null;
  tookMs: number;
  /** Why the last one failed; null: it did not. */
  failure: string | null;
}

/** Jobs that were started. */
export interface Jobs {
  /** The next run of the job begins now, or once the running one has ended. */
  runSoon(name: string): void;
  stats(): readonly Readonly<JobStats>[];
  /** No further run begins; resolves when those that are running have ended. */
  stop(): Promise<void>;
}

type Runner = Pick<Context, "store" | "clock" | "log">;

/** A server that dies while it runs a leased job keeps the others from it for this long. */
const LEASE_MS = 3_600_000;
/** Several servers that were started together do not all read the store at the same moment. */
const JITTER = 0.1;
/** How often the last run of a job that runs every second is written down: about once a minute. */
const RECORDED_EVERY_MS = 50_000;
const MAX_FAILURE = 200;

/** Starts these jobs. What one throws is logged when it begins to fail and when it works again, not at every run. */
export function startJobs(ctx: Runner, jobs: readonly Job[]): Jobs {
  const started = jobs.map((job) => startJob(ctx, job));
  return {
    runSoon: (name) => started.find(({ stats }) => stats.name === name)?.runSoon(),
    stats: () => started.map(({ stats }) => stats),
    stop: async () => void (await Promise.all(started.map((one) => one.stop()))),
  };
}

function startJob(ctx: Runner, job: Job) {
  const { name, everyMs, firstMs = everyMs } = job;
  const stats: JobStats = {
    ...{ name, everyMs, runs: 0, failures: 0 },
    ...{ startedAt: null, tookMs: 0, failure: null },
  };
  const record = recorder(ctx, stats);
  let isStopped = false;
  let isRunning = false;
  let isWanted = false;
  let running = Promise.resolve();
  const run = async () => {
    isRunning = true;
    isWanted = false;
    if (await runOnce(ctx, job, stats)) await record();
    isRunning = false;
    if (!isStopped) timer = setTimeout(begin, isWanted ? 0 : withJitter(everyMs));
  };
  const begin = () => {
    running = outsideRequests(run);
  };
  let timer = setTimeout(begin, firstMs);
  return {
    stats,
    runSoon() {
      if (isStopped || isWanted) return;
      isWanted = true;
      if (isRunning) return;
      clearTimeout(timer);
      timer = setTimeout(begin, 0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const withJitter = (ms: number): number => ms * (1 + JITTER * (2 * Math.random() - 1));

/** False: another server has the lease. */
async function runOnce(ctx: Runner, job: Job, stats: JobStats): Promise<boolean> {
  const { clock, log } = ctx;
  const startedAt = clock.now();
  const beganMs = performance.now();
  const wasFailing = stats.failure !== null;
  try {
    if (!(await (job.isLeased ? runLeased(ctx, job, startedAt) : runAlone(job)))) return false;
    if (wasFailing) log.info({ job: job.name }, `Job ${job.name} works again`);
    stats.failure = null;
  } catch (error) {
    const text = `Job ${job.name} failed; it is tried again every ${job.everyMs} ms`;
    if (!wasFailing) log.error({ err: error, job: job.name }, text);
    stats.failure = String(error instanceof Error ? error.message : error).slice(0, MAX_FAILURE);
    stats.failures += 1;
  }
  stats.runs += 1;
  stats.startedAt = startedAt;
  stats.tookMs = performance.now() - beganMs;
  return true;
}

async function runAlone(job: Job): Promise<true> {
  await job.run();
  return true;
}

async function runLeased({ store: { db } }: Runner, { name, run }: Job, now: number): Promise<boolean> {
  const [key, until] = [leaseOf(name), now + LEASE_MS];
  if (!(await takeLease(db, key, now, until))) return false;
  await run().finally(() => releaseLease(db, key, until));
  return true;
}

/** The key of its lease in the table `meta`. */
export const leaseOf = (name: string): string => `lease ${name}`;

// What `vedette jobs` reads, which is another process.

const RUN_OF = "job ";

/** The last run of a job that was written down, by whichever server ran it. */
export interface RecordedRun extends Pick<JobStats, "name" | "everyMs" | "tookMs" | "failure"> {
  startedAt: number;
}

/** Writes the last run down: once a minute at most, unless a failure begins or ends. */
function recorder({ store, clock }: Runner, stats: JobStats): () => Promise<void> {
  let recordedAt = Number.NEGATIVE_INFINITY;
  let failure: string | null = null;
  return async () => {
    const now = clock.now();
    const isRecent = Math.abs(now - recordedAt) < RECORDED_EVERY_MS;
    if (isRecent && (failure === null) === (stats.failure === null)) return;
    const { name, runs: _, failures: __, ...run } = stats;
    recordedAt = now;
    failure = stats.failure;
    // A store that is away makes the job fail as well, which is logged.
    await writeMeta(store.db, RUN_OF + name, JSON.stringify(run)).catch(() => {});
  };
}

/** By name. Throws the store's error. */
export async function listRecordedRuns(db: Db): Promise<RecordedRun[]> {
  const rows = await db
    .selectFrom("meta")
    .select(["key", "value"])
    .where("key", "like", `${RUN_OF}%`)
    .orderBy("key")
    .execute();
  return rows.map(({ key, value }) => ({ ...JSON.parse(value), name: key.slice(RUN_OF.length) }));
}

const JobOfInstallation = Type.Object({
  name: Type.String(),
  /** Milliseconds between the end of one run and the next. */
  everyMs: Type.Number(),
  lastRunAt: Type.String({ format: "date-time" }),
  tookMs: Type.Number(),
  /** Why the last run failed. */
  failure: Type.Union([Type.String(), Type.Null()]),
});

/** What time sets off, with the last run by any server; of jobs that run every second it is up to a minute old. */
export const listJobs = verb({
  by: "operator",
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: Type.Array(JobOfInstallation),
  run: async ({ db }) =>
    (await listRecordedRuns(db)).map(({ startedAt, ...job }) => ({
      ...job,
      lastRunAt: new Date(startedAt).toISOString(),
    })),
});
