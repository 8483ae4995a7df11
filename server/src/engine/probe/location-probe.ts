import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Context, Logger } from "../../platform/context.ts";
import { deleteSilentProbes } from "../../platform/database/installation.ts";
import { type Jobs, startJobs } from "../../platform/jobs.ts";
import type { ProbeHealth } from "../control.ts";
import { DiskQueue, refuseUnusableQueue } from "../queue/queue.ts";
import { type Lateness, lateness99Ms } from "./check-delay.ts";
import { Delivery } from "./delivery.ts";
import type { ReachableProbe } from "./directory.ts";
import type { Assignment, FirstCheck, ProbeControl, ResultSink } from "./link.ts";
import { joinLocation, type Membership } from "./membership.ts";
import { Roster } from "./roster.ts";
import { WorkerHandle } from "./worker-handle.ts";
import type { WorkerSettings, WorkerState } from "./worker-main.ts";

export interface Location {
  code: string;
  name: string;
}

/** The location of a server that is given no other. */
export const LOCAL: Location = { code: "local", name: "Local" };
export const HEARTBEAT_MS = 5_000;
const FORGOTTEN_MS = 3_600_000;
const RESYNC_MS = 60_000;

/** A probe of this process at one location, with its share of the monitors there. */
export interface LocationProbe extends ReachableProbe {
  /** Reads what changed of these monitors. Throws the store's error. */
  sync(monitorIds: readonly number[]): Promise<void>;
  health(): ProbeHealth;
  jobs: Jobs["stats"];
  /** Gives its share to others, lets running checks end, delivers their results. */
  stop(graceMs: number): Promise<void>;
}

export interface LocationProbeOptions {
  location: Location;
  sink: ResultSink;
  /** The newest scheduled time that the store knows, milliseconds. */
  newestMs: number | null;
  /** The module each worker thread runs; default: the real one. */
  workerEntry?: URL | undefined;
}

/** Starts it; what cannot be read is left to the others. Throws the store's error, and of a queue that cannot be used. */
export async function startLocationProbe(
  ctx: Context,
  options: LocationProbeOptions,
): Promise<LocationProbe> {
  const { location } = options;
  let roster: Roster | null = null;
  const probe = startProbe(ctx, options, () => {
    roster?.recheckForgotten().catch((error: unknown) => {
      ctx.log.error(
        { err: error },
        "What a dead worker left unsettled cannot be read; it waits for the next run",
      );
    });
  });
  try {
    const place = await takePlace(ctx, location, probe);
    roster = place.roster;
    return assemble(ctx, location, { probe, ...place });
  } catch (error) {
    await probe.stop(0);
    throw error;
  }
}

interface Place {
  probe: LocalProbe;
  self: Membership;
  roster: Roster;
}

function assemble(ctx: Context, location: Location, { probe, self, roster }: Place): LocationProbe {
  const following = followStore(ctx, roster, self);
  const leave = async () => {
    await following.stop();
    await self.leave().catch((error: unknown) => {
      ctx.log.warn({ err: error }, "The probe's heartbeat could not be removed; others take over in 15 s");
    });
  };
  return {
    location: location.code,
    holds: (monitorId) => roster.holds(monitorId),
    control: probe,
    sync: (monitorIds) => roster.sync(monitorIds),
    health: () => probe.health(),
    jobs: following.stats,
    stop: async (graceMs) => void (await Promise.all([leave(), probe.stop(graceMs)])),
  };
}

/** Among the probes of the location, with a share of its monitors; what cannot be filled is left to the others. */
async function takePlace(ctx: Context, location: Location, probe: LocalProbe): Promise<Omit<Place, "probe">> {
  const self = await joinLocation(ctx, location);
  try {
    const roster = new Roster(ctx, { probe, self, location: location.code });
    roster.live = await self.beat();
    await roster.syncAll();
    return { self, roster };
  } catch (error) {
    await self.leave().catch(() => {});
    throw error;
  }
}

function startProbe(
  ctx: Context,
  { location, sink, newestMs, workerEntry }: LocationProbeOptions,
  onRestart: () => void,
): LocalProbe {
  const { dataFolder, workers, targets, resolvers, ehloName, referenceTargets } = ctx.config;
  const queue = location.code === LOCAL.code ? "probe-queue" : `probe-queue-${location.code}`;
  return startLocalProbe({
    location: location.code,
    folder: join(dataFolder, queue),
    workers,
    settings: { policy: targets, resolvers, ehloName, referenceTargets, newestMs },
    sink,
    log: ctx.log,
    entry: workerEntry,
    onRestart,
  });
}

/** Shares follow the probes that are alive; changes without an event are found within a minute. */
function followStore(ctx: Context, roster: Roster, self: Membership): Jobs {
  let shared = roster.live.join();
  const heartbeat = async () => {
    const live = await self.beat();
    if (live.join() === shared) return;
    ctx.log.info(
      { probes: live.length },
      "The probes of this location have changed; monitors are shared out again",
    );
    roster.live = live;
    await roster.syncAll();
    shared = live.join();
  };
  const resync = async () => {
    await deleteSilentProbes(ctx.store.db, ctx.clock.now() - FORGOTTEN_MS);
    await roster.syncAll();
  };
  return startJobs(ctx, [
    { name: "probe-heartbeat", everyMs: HEARTBEAT_MS, run: heartbeat },
    { name: "read-monitors", everyMs: RESYNC_MS, run: resync },
  ]);
}

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
  /** A worker died and is at work again: requests beside its schedule are lost. */
  onRestart?: (() => void) | undefined;
}

/** The probe inside the server process: worker threads that do the checks, a main thread that only passes batches on. */
interface LocalProbe extends ProbeControl {
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
