import { join } from "node:path";
import { planOf } from "./account/plans.ts";
import type { Context, EngineControl } from "./context.ts";
import { ingestBatch, sweepStale } from "./pipeline.ts";
import type { ResultSink } from "./probe/link.ts";
import { type LocalProbe, startLocalProbe } from "./probe/local.ts";
import { joinLocation, type Membership, SILENT_MS } from "./probe/membership.ts";
import { Roster } from "./probe/roster.ts";
import { runPacking } from "./result/packing.ts";
import { runRetention } from "./result/retention.ts";
import { type Repeated, repeat } from "./schedule/repeat.ts";
import { type Listening, startListening } from "./status/listening.ts";
import { newestCheckAt } from "./store/queries/assignments.ts";
import { deleteSilentProbes } from "./store/queries/probes.ts";

export interface Engine extends EngineControl {
  /** Ends scheduling, lets running checks end (5 s), stores their results; resolves within 8 s. */
  stop(): Promise<void>;
}

/** The stages that the engine drives; tests may record them. */
export interface Stages {
  ingestBatch: typeof ingestBatch;
  sweepStale: typeof sweepStale;
  runPacking: typeof runPacking;
  runRetention: typeof runRetention;
}

export interface EngineOptions {
  /** The module each worker thread runs; default: the real one. */
  workerEntry?: URL;
}

const LOCATION = { code: "local", name: "Local" };
const HEARTBEAT_MS = 5_000;
const FORGOTTEN_MS = 3_600_000;
/** From a probe's death to the first check by the one that takes over, beside waiting for the grid. */
const TAKEOVER_MS = SILENT_MS + HEARTBEAT_MS;
const RESYNC_MS = 60_000;
const SWEEP_MS = 1_000;
const PACKING_FIRST_MS = 180_000;
const PACKING_MS = 3_600_000;
const RETENTION_FIRST_MS = 300_000;
const RETENTION_MS = 3_600_000;
const GRACE_MS = 5_000;
const STOP_LIMIT_MS = 8_000;

const realStages: Stages = { ingestBatch, sweepStale, runPacking, runRetention };

/**
 * Starts the check engine of this process: its probe with its share of the monitors, the way of
 * their results into the store, and what time itself does (staleness, retention). Throws when the
 * store cannot be read.
 */
export async function startEngine(
  ctx: Context,
  stages: Stages = realStages,
  options: EngineOptions = {},
): Promise<Engine> {
  const listening = startListening(ctx.clock.now());
  const newestMs = await newestCheckAt(ctx.store.db);
  const probe = startProbe(ctx, stages, listening, { ...options, newestMs });
  const { self, roster } = await takePlace(ctx, probe).catch(async (error: unknown) => {
    await probe.stop(0);
    throw error;
  });
  const following = followStore(ctx, roster, self);
  const ending = new AbortController();
  const passing = passTime(ctx, stages, listening, ending.signal);
  let changed = new Set<number>();
  const takeChanges = () => {
    const monitorIds = [...changed];
    changed = new Set();
    roster.sync(monitorIds).catch((error: unknown) => {
      ctx.log.error(
        { err: error, monitorIds },
        "Changed monitors could not be read; they are within a minute",
      );
    });
  };
  return {
    monitorChanged(monitorId) {
      if (changed.size === 0) setImmediate(takeChanges);
      changed.add(monitorId);
    },
    health: () => probe.health(),
    stop: () => stopEngine(ctx, { probe, following, passing, ending, self }),
  };
}

/** Among the probes of the location, with a share of its monitors; what cannot be filled is left to the others. */
async function takePlace(ctx: Context, probe: LocalProbe): Promise<{ self: Membership; roster: Roster }> {
  const self = await joinLocation(ctx, LOCATION);
  try {
    const roster = new Roster(ctx, { probe, self, location: LOCATION.code });
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
  stages: Stages,
  listening: Listening,
  { workerEntry, newestMs }: EngineOptions & { newestMs: number | null },
): LocalProbe {
  const { dataFolder, workers, targets, resolvers, referenceTargets } = ctx.config;
  const sink: ResultSink = {
    async accept({ results }) {
      const { rechecks } = await stages.ingestBatch(ctx, results).catch((error: unknown) => {
        listening.interrupted(ctx.clock.now());
        throw error;
      });
      for (const { monitorId, location } of rechecks) {
        if (location === LOCATION.code) probe.recheck(monitorId);
      }
    },
  };
  const probe = startLocalProbe({
    location: LOCATION.code,
    folder: join(dataFolder, "probe-queue"),
    workers,
    settings: { policy: targets, resolvers, referenceTargets, newestMs },
    sink,
    log: ctx.log,
    entry: workerEntry,
  });
  return probe;
}

/** Shares follow the probes that are alive; changes that no event told of are found within a minute. */
function followStore(ctx: Context, roster: Roster, self: Membership): Repeated[] {
  const { log } = ctx;
  let shared = roster.live.join();
  const heartbeat = async () => {
    const live = await self.beat();
    if (live.join() === shared) return;
    log.info({ probes: live.length }, "The probes of this location have changed; monitors are shared anew");
    roster.live = live;
    await roster.syncAll();
    shared = live.join();
  };
  const resync = async () => {
    await deleteSilentProbes(ctx.store.db, ctx.clock.now() - FORGOTTEN_MS);
    await roster.syncAll();
  };
  return [
    repeat({ name: "The probe's heartbeat", everyMs: HEARTBEAT_MS, log, work: heartbeat }),
    repeat({ name: "Reading the monitors", everyMs: RESYNC_MS, log, work: resync }),
  ];
}

/** What happens because time passes: votes go stale, results are packed, history expires. */
function passTime(ctx: Context, stages: Stages, listening: Listening, signal: AbortSignal): Repeated[] {
  const { log, clock, store } = ctx;
  const graceMs = store.engine === "postgres" ? TAKEOVER_MS : 0;
  const sweep = async () => {
    await stages.sweepStale(ctx, { watchingSince: listening.since(clock.now()), graceMs });
    listening.heard(clock.now());
  };
  return [
    repeat({
      name: "The sweep for stale monitors",
      everyMs: SWEEP_MS,
      log,
      work: sweep,
    }),
    repeat({
      name: "Packing results",
      everyMs: PACKING_MS,
      firstMs: PACKING_FIRST_MS,
      log,
      work: () => stages.runPacking(ctx, { signal }),
    }),
    repeat({
      name: "Removing expired history",
      everyMs: RETENTION_MS,
      firstMs: RETENTION_FIRST_MS,
      log,
      work: () => stages.runRetention(ctx, { rawDaysOf: (plan) => planOf(plan).rawResultDays, signal }),
    }),
  ];
}

interface Running {
  probe: LocalProbe;
  following: Repeated[];
  passing: Repeated[];
  ending: AbortController;
  self: Membership;
}

async function stopEngine(ctx: Context, running: Running): Promise<void> {
  const { probe, following, passing, ending, self } = running;
  ending.abort();
  const { promise: limit, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, STOP_LIMIT_MS);
  const leave = async () => {
    await Promise.all(following.map((turn) => turn.stop()));
    await self.leave().catch((error: unknown) => {
      ctx.log.warn({ err: error }, "The probe's heartbeat could not be removed; others take over in 15 s");
    });
  };
  const ended = Promise.all([leave(), probe.stop(GRACE_MS), ...passing.map((turn) => turn.stop())]);
  await Promise.race([ended, limit]);
  clearTimeout(timer);
}
