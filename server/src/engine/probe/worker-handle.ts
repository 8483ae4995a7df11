import { Worker } from "node:worker_threads";
import type { Logger } from "../../platform/context.ts";
import type { QueueRecord } from "../queue/record.ts";
import type { BatchSource } from "./delivery.ts";
import type { Assignment, FirstCheck, ProbeControl } from "./link.ts";
import type { FromWorker, ToWorker, WorkerSettings, WorkerState } from "./worker-main.ts";

export interface WorkerHandleOptions {
  entry: URL;
  settings: WorkerSettings;
  log: Logger;
  onBatches(source: BatchSource, batches: QueueRecord[]): void;
  onState(state: WorkerState): void;
  /** This life of the worker is over: what it sent without acknowledgement comes again. */
  onDeath(source: BatchSource): void;
  /** The next life has been given the same monitors. */
  onRestart?: (() => void) | undefined;
}

const FIRST_RESTART_MS = 100;
const MAX_RESTART_DELAY_MS = 10_000;
/**
 * Room for new objects; left alone it grows to 50 MB, of which nothing but fewer collections is gained. The
 * main thread's is set where it is started (main.ts, first line).
 */
const YOUNG_MB = 12;
/** A worker that lived this long did not die of what the one before died of. */
const STABLE_MS = 60_000;

/** One life of a worker thread. */
interface Life extends BatchSource {
  worker: Worker;
  exited: Promise<void>;
  drained: Promise<void>;
}

/** A worker thread with its monitors; when it dies it is started again with the same ones. */
export class WorkerHandle implements ProbeControl {
  readonly #options: WorkerHandleOptions;
  readonly #assignments = new Map<number, Assignment>();
  #life: Life;
  #restartMs = FIRST_RESTART_MS;
  #restart: NodeJS.Timeout | null = null;
  #isStopping = false;
  /** The schedule's time as the worker last reported it. */
  #time: { atMs: number; timeMs: number } | null = null;

  constructor(options: WorkerHandleOptions) {
    this.#options = options;
    this.#life = this.#start();
  }

  assign(assignments: Assignment[], firstCheck: FirstCheck = "now"): void {
    for (const assignment of assignments) {
      const known = this.#assignments.get(assignment.monitorId);
      if (!known || known.revision <= assignment.revision)
        this.#assignments.set(assignment.monitorId, assignment);
    }
    this.#post({ type: "assign", assignments, firstCheck });
  }

  unassign(monitorIds: number[]): void {
    for (const id of monitorIds) this.#assignments.delete(id);
    this.#post({ type: "unassign", monitorIds });
  }

  recheck(monitorId: number): void {
    this.#post({ type: "recheck", monitorId });
  }

  checkNow(monitorId: number, request: string): void {
    this.#post({ type: "check_now", monitorId, request });
  }

  /** Ends scheduling; resolves when running checks have ended (at most `graceMs`) and their results were sent. */
  async drain(graceMs: number): Promise<void> {
    this.#isStopping = true;
    if (this.#restart) clearTimeout(this.#restart);
    this.#post({ type: "drain", graceMs });
    await Promise.race([this.#life.drained, this.#life.exited]);
  }

  /** Closes the queue and ends the thread, by force after a second. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#post({ type: "close" });
    const { worker, exited } = this.#life;
    const timer = setTimeout(() => void worker.terminate(), 1_000);
    await exited;
    clearTimeout(timer);
  }

  #post(message: ToWorker): void {
    send(this.#life.worker, message);
  }

  #start(): Life {
    const { entry, settings, onBatches, log } = this.#options;
    const worker = new Worker(entry, {
      workerData: { ...settings, newestMs: this.#newestMs() },
      name: "vedette-probe",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const startedMs = performance.now();
    const drained = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<void>();
    const acknowledge = (sequence: number) => send(worker, { type: "acknowledge", sequence });
    const life: Life = { worker, acknowledge, drained: drained.promise, exited: exited.promise };
    let failure: unknown;
    worker.on("message", (message: FromWorker) => {
      if (message.type === "batches") onBatches(life, message.batches);
      else if (message.type === "state") this.#onState(message);
      else if (message.type === "log") log[message.level](message.fields, message.message);
      else drained.resolve();
    });
    worker.on("error", (error) => {
      failure = error;
    });
    worker.on("exit", (code) => {
      exited.resolve();
      if (!this.#isStopping) this.#onDeath(life, { err: failure, code }, performance.now() - startedMs);
    });
    return life;
  }

  #onState(state: WorkerState): void {
    this.#time = { atMs: performance.now(), timeMs: state.timeMs };
    this.#options.onState(state);
  }

  /** What a schedule that was ahead of the clock has used by now; repeated times would pass for old results. */
  #newestMs(): number | null {
    return this.#scheduleMs() ?? this.#options.settings.newestMs ?? null;
  }

  #scheduleMs(): number | null {
    return this.#time && this.#time.timeMs + performance.now() - this.#time.atMs;
  }

  /** For the next life. What was checked last is not known: any of it just now, for rechecks keep their delay. */
  #heldAt(diedMs: number | null): Assignment[] {
    const held = [...this.#assignments.values()];
    return diedMs === null ? held : held.map((one) => ({ ...one, lastAtMs: Math.floor(diedMs) }));
  }

  #onDeath(life: Life, fields: object, livedMs: number): void {
    const { onDeath, log } = this.#options;
    const diedMs = this.#scheduleMs();
    onDeath(life);
    if (livedMs > STABLE_MS) this.#restartMs = FIRST_RESTART_MS;
    log.error({ ...fields, restartMs: this.#restartMs }, "A worker of the probe died; it is started again");
    this.#restart = setTimeout(() => {
      this.#life = this.#start();
      this.#post({ type: "assign", assignments: this.#heldAt(diedMs), firstCheck: "on_grid" });
      this.#options.onRestart?.();
    }, this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 2, MAX_RESTART_DELAY_MS);
  }
}

/** A thread, not a window: there is no origin to name. Nothing happens when it has ended. */
function send(worker: Worker, message: ToWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message);
}
