import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger, ProbeHealth } from "../context.ts";
import { refuseUnusableQueue } from "../disk-queue/folder.ts";
import { DiskQueue } from "../disk-queue/queue.ts";
import { Delivery } from "./delivery.ts";
import { type Lateness, lateness99Ms } from "./lateness.ts";
import type { Assignment, FirstCheck, ProbeControl, ResultSink } from "./link.ts";
import { WorkerHandle } from "./worker-handle.ts";
import type { WorkerSettings, WorkerState } from "./worker-messages.ts";

export interface LocalProbeOptions {
  location: string;
  /** Where results wait on disk: a folder for each worker. */
  folder: string;
  workers: number;
  settings: Pick<
    WorkerSettings,
    "policy" | "resolvers" | "ehloName" | "referenceTargets" | "concurrency" | "newestMs"
  >;
  sink: ResultSink;
  log: Logger;
  /** The module each worker thread runs; default: the real one. */
  entry?: URL | undefined;
  /** A worker died and is at work again: what it was asked for beside its schedule is forgotten. */
  onRestart?: (() => void) | undefined;
}

/** The probe inside the server process: worker threads that do the checks, a main thread that only passes batches on. */
export interface LocalProbe extends ProbeControl {
  health(): ProbeHealth;
  /** Ends scheduling, lets running checks end, delivers their results. At most `graceMs` and about two seconds. */
  stop(graceMs: number): Promise<void>;
}

const TICKING_MS = 5_000;
const LATENESS_MS = 60_000;
const DELIVERY_LIMIT_MS = 1_500;

/** What is known of a worker: totals of its earlier lives too. */
interface Seen {
  state: WorkerState | null;
  atMs: number;
  checksBefore: number;
  skippedBefore: number;
}

/**
 * Starts the workers; what an earlier process left undelivered on disk is delivered first. Throws when this
 * user may not use the folder.
 */
export function startLocalProbe(options: LocalProbeOptions): LocalProbe {
  const { workers, folder, log } = options;
  refuseUnusableQueue(folder);
  mergeLeftQueues(folder, workers, log);
  const delivery = new Delivery(options.sink, log);
  const lateness: { atMs: number; counts: Lateness }[] = [];
  const seen: Seen[] = [];
  const handles = Array.from({ length: workers }, (_, index) => {
    const own: Seen = { state: null, atMs: performance.now(), checksBefore: 0, skippedBefore: 0 };
    seen.push(own);
    return new WorkerHandle({
      entry: options.entry ?? new URL("./worker.ts", import.meta.url),
      settings: { ...options.settings, location: options.location, queueFolder: join(folder, String(index)) },
      log,
      onBatches: (source, batches) => delivery.add(source, batches),
      onState(state) {
        own.state = state;
        own.atMs = performance.now();
        lateness.push({ atMs: own.atMs, counts: state.lateness });
        while (lateness[0] && lateness[0].atMs < own.atMs - LATENESS_MS) lateness.shift();
      },
      onDeath(source) {
        delivery.discard(source);
        own.checksBefore += own.state?.checks ?? 0;
        own.skippedBefore += own.state?.skipped ?? 0;
        own.state = null;
      },
      onRestart: options.onRestart,
    });
  });
  return {
    ...controlOf(handles),
    health: () =>
      healthOf(
        seen,
        lateness.map(({ counts }) => counts),
      ),
    stop: (graceMs) => stopAll(handles, delivery, graceMs),
  };
}

/** Spreads the monitors over the workers by number. */
function controlOf(handles: WorkerHandle[]): ProbeControl {
  const handleOf = (monitorId: number) => handles[monitorId % handles.length] as WorkerHandle;
  return {
    assign(assignments: Assignment[], firstCheck?: FirstCheck) {
      const parts = Map.groupBy(assignments, ({ monitorId }) => handleOf(monitorId));
      for (const [handle, part] of parts) handle.assign(part, firstCheck);
    },
    unassign(monitorIds) {
      for (const [handle, part] of Map.groupBy(monitorIds, handleOf)) handle.unassign(part);
    },
    recheck: (monitorId) => handleOf(monitorId).recheck(monitorId),
    checkNow: (monitorId, request) => handleOf(monitorId).checkNow(monitorId, request),
  };
}

async function stopAll(handles: WorkerHandle[], delivery: Delivery, graceMs: number): Promise<void> {
  await Promise.all(handles.map((handle) => handle.drain(graceMs)));
  // What does not get through now is on disk and is delivered after the next start.
  const { promise: limit, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DELIVERY_LIMIT_MS);
  await Promise.race([delivery.finish(), limit]);
  clearTimeout(timer);
  await Promise.all(handles.map((handle) => handle.close()));
}

function healthOf(seen: Seen[], lateness: Lateness[]): ProbeHealth {
  const now = performance.now();
  const sum = (of: (worker: Seen) => number) => seen.reduce((total, worker) => total + of(worker), 0);
  return {
    ticking: seen.every(({ state, atMs }) => state !== null && now - atMs < TICKING_MS),
    monitors: sum(({ state }) => state?.monitors ?? 0),
    queuedResults: sum(({ state }) => state?.pending ?? 0),
    checksTotal: sum(({ state, checksBefore }) => checksBefore + (state?.checks ?? 0)),
    skippedTotal: sum(({ state, skippedBefore }) => skippedBefore + (state?.skipped ?? 0)),
    lateness99Ms: lateness99Ms(lateness),
  };
}

/** After a start with fewer workers than before: what the others left goes to the first one's queue. */
function mergeLeftQueues(folder: string, workers: number, log: Logger): void {
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => /^\d+$/.test(name) && Number(name) >= workers);
  for (const name of left) {
    const from = new DiskQueue({ folder: join(folder, name), log });
    const to = new DiskQueue({ folder: join(folder, "0"), log });
    for (let batch = from.next(); batch; batch = from.next()) to.append(batch.payload, batch.count);
    from.close();
    to.close();
    rmSync(join(folder, name), { recursive: true });
  }
}
