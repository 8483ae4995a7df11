import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { ActiveKind } from "../../checks/check.ts";
import type { TargetPolicy } from "../../checks/guard.ts";
import { followNameServersInUse } from "../../checks/name-servers.ts";
import { createResolver } from "../../checks/resolve.ts";
import { CLOCK_AHEAD_LIMIT_MS } from "../../platform/clock.ts";
import type { Logger } from "../../platform/context.ts";
import { DiskQueue } from "../queue/queue.ts";
import type { QueueRecord } from "../queue/record.ts";
import { measureLostTime } from "../schedule/lost-time.ts";
import { createTimeBase, type TimeBase } from "../schedule/plan.ts";
import type { Lateness } from "./check-delay.ts";
import { createEgressGuard } from "./egress.ts";
import {
  type Assignment,
  type FirstCheck,
  type ProbeResult,
  type ResultSink,
  withoutEvidence,
} from "./link.ts";
import { Runner } from "./runner.ts";

const STATE_MS = 1_000;
/** The file that remembers that the egress guard's references have answered. */
const ANSWERED = "references-answered";

/** Runs a worker of the built-in probe on this thread, until it receives the message to close. */
export function runWorker(kindOf: (type: string) => ActiveKind | null): void {
  const port = parentPort;
  if (!port) throw new Error("a probe's worker runs in a worker thread only");
  const settings = workerData as WorkerSettings;
  const post = (message: FromWorker) => port.postMessage(message);
  const log = postingLog(post);
  const queue = new DiskQueue({ folder: settings.queueFolder, maxBytes: settings.queueMaxBytes, log });
  const outbox = new Outbox(queue, (batches) => post({ type: "batches", batches }));
  const time = startTime(settings, log);
  const runner = startRunner(settings, { kindOf, log, outbox, time });
  const sendState = () => {
    // What was reported as waiting survives this worker.
    outbox.store();
    queue.flush();
    const { monitors, checks, skipped } = runner;
    const { pending } = outbox;
    const lateness = runner.takeLateness();
    post({ type: "state", monitors, checks, skipped, pending, timeMs: time.now(), lateness });
  };
  sendState();
  const timer = setInterval(sendState, STATE_MS);
  port.on("message", (message: ToWorker) => {
    obey(message, { runner, outbox, drained: () => post({ type: "drained" }) });
    if (message.type === "close") {
      clearInterval(timer);
      queue.close();
      port.close();
    }
  });
}

const startTime = ({ newestMs }: WorkerSettings, log: Logger): TimeBase =>
  createTimeBase({
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
    newestMs,
    onStep: (stepMs) => log.warn({ stepMs: Math.round(stepMs) }, clockStepped(stepMs)),
  });

interface RunnerParts {
  kindOf: (type: string) => ActiveKind | null;
  log: Logger;
  outbox: Outbox;
  time: TimeBase;
}

function startRunner(settings: WorkerSettings, { outbox, ...parts }: RunnerParts): Runner {
  const { location, policy, resolvers, ehloName, referenceTargets, concurrency, queueFolder } = settings;
  const lost = measureLostTime();
  const markFile = join(queueFolder, ANSWERED);
  return new Runner({
    ...parts,
    location,
    network: {
      resolver: createResolver({ servers: resolvers, policy }),
      policy,
      nameServers: followNameServersInUse(resolvers, {}),
      ehloName: ehloName ?? undefined,
    },
    lost,
    guard: createEgressGuard({ referenceTargets, resolvers, markFile, lostMs: lost.totalMs }),
    concurrency,
    onResult: (result, isUrgent) => outbox.add(result, isUrgent),
  });
}

const clockStepped = (stepMs: number) =>
  stepMs < -CLOCK_AHEAD_LIMIT_MS
    ? "The clock was set back by hours: it was wrong, and checks go by it again"
    : stepMs > 0
      ? "The clock was set forward, or the machine slept; checks of that time are skipped"
      : "The clock was set back; checks go on in step, with times ahead of it until it has caught up";

interface Parts {
  runner: Runner;
  outbox: Outbox;
  drained(): void;
}

function obey(message: ToWorker, { runner, outbox, drained }: Parts): void {
  switch (message.type) {
    case "assign":
      runner.assign(message.assignments, message.firstCheck);
      break;
    case "unassign":
      runner.unassign(message.monitorIds);
      break;
    case "recheck":
      runner.recheck(message.monitorId);
      break;
    case "check_now":
      runner.checkNow(message.monitorId, message.request);
      break;
    case "acknowledge":
      outbox.acknowledge(message.sequence);
      break;
    case "drain":
      void runner
        .stop(message.graceMs)
        .then(() => outbox.flush())
        .then(drained);
      break;
    case "close":
      break;
  }
}

/** Errors do not survive the way to the main thread as they are: their text does. */
function postingLog(post: (message: FromWorker) => void): Logger {
  const at =
    (level: "info" | "warn" | "error") =>
    (fields: object, message = "") => {
      const { err, ...rest } = fields as { err?: unknown };
      const error = err instanceof Error ? { error: err.stack } : {};
      post({ type: "log", level, fields: { ...rest, ...error }, message });
    };
  return { debug: () => {}, info: at("info"), warn: at("warn"), error: at("error") };
}

const BATCH_RESULTS = 500;
/** What a process that is killed may lose is what was made within this time. */
const STORE_MS = 20;
const SEND_MS = 250;
/** A person waits: a first result, or a verdict that changed. */
const URGENT_SEND_MS = 20;
/** Results of a batch that may carry what their check saw, or the way there: of a thousand that fail at once the first represent all. */
const BATCH_EVIDENCE = 64;
/** Above this the queue on disk takes results alone. */
const ROOMY_BYTES = 128 * 1024 * 1024;
/** What may be under way to the store; the rest waits on disk. */
const WINDOW_RESULTS = 2_000;
const WINDOW_BATCHES = 256;

/** Collects results into batches, puts them on disk at once, then hands them on, a bounded number at a time. */
export class Outbox {
  readonly #queue: DiskQueue;
  readonly #post: (batches: QueueRecord[]) => void;
  #results: ProbeResult[] = [];
  #evidence = 0;
  readonly #inFlight: { sequence: number; count: number }[] = [];
  #inFlightResults = 0;
  #storeTimer: NodeJS.Timeout | null = null;
  #sendTimer: NodeJS.Timeout | null = null;
  #isUrgent = false;

  /** What an earlier process left on disk goes out first. */
  constructor(queue: DiskQueue, post: (batches: QueueRecord[]) => void) {
    this.#queue = queue;
    this.#post = post;
    this.#pump();
  }

  /** Results that were made and not acknowledged. */
  get pending(): number {
    return this.#queue.pending + this.#results.length;
  }

  add(result: ProbeResult, isUrgent: boolean): void {
    const isCarrying = result.evidence !== undefined || result.route !== undefined;
    const mayCarry = isCarrying && this.#evidence < BATCH_EVIDENCE;
    if (result.route !== undefined && !mayCarry) return;
    this.#results.push(mayCarry ? result : withoutEvidence(result));
    if (mayCarry) this.#evidence += 1;
    if (this.#results.length >= BATCH_RESULTS) this.flush();
    else this.#storeTimer ??= setTimeout(() => this.store(), STORE_MS);
    if (!this.#sendTimer || (isUrgent && !this.#isUrgent)) this.#arm(isUrgent);
  }

  /** Puts what was gathered on disk and on its way. */
  flush(): void {
    if (this.#sendTimer) clearTimeout(this.#sendTimer);
    this.#sendTimer = null;
    this.#isUrgent = false;
    this.store();
    this.#pump();
  }

  acknowledge(sequence: number): void {
    while (this.#inFlight[0] && this.#inFlight[0].sequence <= sequence) {
      this.#inFlightResults -= this.#inFlight.shift()?.count ?? 0;
    }
    this.#queue.acknowledge(sequence);
    this.#pump();
  }

  #arm(isUrgent: boolean): void {
    if (this.#sendTimer) clearTimeout(this.#sendTimer);
    this.#isUrgent = isUrgent;
    this.#sendTimer = setTimeout(() => this.flush(), isUrgent ? URGENT_SEND_MS : SEND_MS);
  }

  /** Puts what was gathered on disk. */
  store(): void {
    if (this.#storeTimer) clearTimeout(this.#storeTimer);
    this.#storeTimer = null;
    const results = this.#results;
    if (results.length === 0) return;
    this.#results = [];
    this.#evidence = 0;
    const isTight = this.#queue.isFailing || this.#queue.sizeBytes > ROOMY_BYTES;
    const toStore = isTight
      ? results.filter(({ route }) => route === undefined).map(withoutEvidence)
      : results;
    if (toStore.length > 0) this.#queue.append(JSON.stringify(toStore), toStore.length);
  }

  /** One message for all that is ready: the store then takes it in one transaction. */
  #pump(): void {
    const batches: QueueRecord[] = [];
    while (this.#inFlightResults < WINDOW_RESULTS && this.#inFlight.length < WINDOW_BATCHES) {
      const batch = this.#queue.next();
      if (!batch) break;
      this.#inFlight.push({ sequence: batch.sequence, count: batch.count });
      this.#inFlightResults += batch.count;
      batches.push(batch);
    }
    if (batches.length > 0) this.#post(batches);
  }
}

/** What a worker thread is started with. */
export interface WorkerSettings {
  location: string;
  /** Its part of the disk queue. */
  queueFolder: string;
  queueMaxBytes?: number;
  policy: TargetPolicy;
  resolvers: string[];
  /** How checks call themselves to mail servers; null: by their own address. */
  ehloName?: string | null;
  referenceTargets: string[];
  /** The newest scheduled time that the store knows, so that none is used twice; milliseconds. */
  newestMs?: number | null;
  /** Checks under way at once. */
  concurrency?: number;
}

export type ToWorker =
  | { type: "assign"; assignments: Assignment[]; firstCheck: FirstCheck }
  | { type: "unassign"; monitorIds: number[] }
  | { type: "recheck"; monitorId: number }
  | { type: "check_now"; monitorId: number; request: string }
  | { type: "acknowledge"; sequence: number }
  /** No new checks; answered by `drained` when those under way have ended or `graceMs` are over. */
  | { type: "drain"; graceMs: number }
  | { type: "close" };

export type FromWorker =
  | { type: "batches"; batches: QueueRecord[] }
  | ({ type: "state" } & WorkerState)
  | { type: "log"; level: "info" | "warn" | "error"; fields: object; message: string }
  | { type: "drained" };

/** Sent every second: also the sign that the worker's clock ticks. */
export interface WorkerState {
  monitors: number;
  pending: number;
  checks: number;
  skipped: number;
  /** The schedule's time now: it may be ahead of the clock, and the next worker goes on from there. */
  timeMs: number;
  /** Of the checks begun since the last message. */
  lateness: Lateness;
}

/** Refusals without any success after which the store itself is taken to be the problem. */
const REFUSALS_WITHOUT_SUCCESS = 12;

/**
 * Stores what can be stored, halving what is refused, and answers the results that were refused one
 * by one while others were taken; null when nothing was taken: then the store is at fault, not they.
 * Parts that are stored here and again later change nothing.
 */
export async function storePart(
  sink: ResultSink,
  results: readonly ProbeResult[],
  sequence: number,
): Promise<ProbeResult[] | null> {
  const refused: ProbeResult[] = [];
  const open: ProbeResult[][] = [[...results]];
  let taken = 0;
  let refusals = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    try {
      await sink.accept({ sequence, results: part });
      taken += part.length;
    } catch {
      refusals += 1;
      if (taken === 0 && refusals >= REFUSALS_WITHOUT_SUCCESS) return null;
      if (part.length === 1) refused.push(...part);
      else {
        const middle = part.length >> 1;
        open.push(part.slice(middle), part.slice(0, middle));
      }
    }
  }
  return taken === 0 ? null : refused;
}
