import { correctDeliveries } from "../alerts/deliver.ts";
import type { EngineControl } from "../engine/control.ts";
import { sumHealth } from "../engine/probe/check-delay.ts";
import {
  type CheckRequest,
  createManualChecks,
  createProbeDirectory,
  type ManualChecks,
  type ProbeDirectory,
  type Recheck,
} from "../engine/probe/directory.ts";
import type { ProbeResult, ResultSink } from "../engine/probe/link.ts";
import {
  LOCAL,
  type Location,
  type LocationProbe,
  startLocationProbe,
} from "../engine/probe/location-probe.ts";
import { newestCheckAt } from "../engine/queries/states.ts";
import { type Corrections, watchClock } from "../engine/results/clock-watch.ts";
import { runPacking } from "../engine/results/pack-results.ts";
import { runRetention } from "../engine/results/retention.ts";
import type { PrepareResults } from "../engine/results/store-results.ts";
import { type Listening, startListening } from "../engine/status/late-signals.ts";
import { createEvidenceMemory } from "../incidents/evidence.ts";
import { correctIncidentDates } from "../incidents/queries/automatic-incidents.ts";
import { packMetrics } from "../monitors/devices/metrics/pack-metrics.ts";
import { followMembers, followParents } from "../monitors/find-members.ts";
import { createActiveWindows } from "../monitors/maintenance/active-windows.ts";
import { followWindows } from "../monitors/maintenance/apply-window.ts";
import type { Context } from "../platform/context.ts";
import { isUnavailable } from "../platform/database/errors.ts";
import { CHECK_NOW_EVENT, CHECKED_EVENT, RECHECK_EVENT } from "../platform/database/events.ts";
import { type Jobs, startJobs } from "../platform/jobs.ts";
import { CHANGE_EVENTS, changedMonitors, STATUS_EVENTS, WINDOW_EVENT } from "../platform/live-events.ts";
import { outsideRequests } from "../platform/worker-pool.ts";
import { type PassingTimeOptions, type TimedStages, timedJobs } from "./jobs.ts";
import { ingestBatch, sweepStale } from "./pipeline.ts";

export interface Engine extends EngineControl {
  /** Another process wants an extra check that a probe of this one may have to make. */
  recheck(recheck: Recheck): void;
  /** A caller waits for a check that a probe of this process may have to make. */
  checkWanted(wanted: CheckRequest): void;
  /** A check that a caller may wait for here was made by another process. */
  checkMade(result: ProbeResult): void;
  /** A monitor's status changed, which may concern groups. */
  statusChanged(monitorId: number): void;
  /** Maintenance windows were planned, changed or deleted, on whichever process. */
  windowsChanged(): void;
  /** Ends scheduling, lets running checks end (5 s), stores their results; resolves within 8 s. */
  stop(): Promise<void>;
}

export interface Stages extends TimedStages {
  ingestBatch: typeof ingestBatch;
}

export interface EngineOptions extends PassingTimeOptions {
  /** The module each worker thread runs; default: the real one. */
  workerEntry?: URL;
  /** Where this process checks from, a probe of its own for each; default: `local`. */
  locations?: readonly Location[];
  /** How long the machine has been up, milliseconds; default: what it says. */
  machineMs?: () => number;
}

const GRACE_MS = 5_000;
const STOP_LIMIT_MS = 8_000;
/** How late groups, dependents and windows are at most, where no event starts them. */
const STATUS_MS = 1_000;

/** What a wrong clock has dated beside states and results. */
export const CORRECTIONS: Corrections = { deliveries: correctDeliveries, incidents: correctIncidentDates };

const realStages: Stages = { ingestBatch, sweepStale, runPacking, packMetrics, runRetention };

/**
 * Probes with their share of the monitors, the path of results into the store, and timed jobs. Throws when
 * the store cannot be read.
 */
export async function startEngine(
  ctx: Context,
  stages: Stages = realStages,
  options: EngineOptions = {},
): Promise<Engine> {
  const listening = await startListening(ctx.store.db, ctx.clock.now());
  const watch = watchClock(ctx, CORRECTIONS, options.machineMs);
  await watch.look();
  const windows = createActiveWindows(ctx);
  await windows.reload();
  // Before any result: what is found in a window must not be taken for an outage.
  ctx.windows = windows;
  ctx.evidence = createEvidenceMemory();
  const probes = createProbeDirectory();
  const manual = createManualChecks(ctx);
  const accept = accepting(ctx, stages, { listening, probes, manual });
  const sink: ResultSink = { accept: ({ results }) => accept(results) };
  const running = await startProbes(ctx, sink, options);
  for (const probe of running) probes.add(probe);
  const ending = new AbortController();
  const members = followMembers(ctx);
  const following = followWindows(ctx, windows, members.changed);
  const jobs = startJobs(ctx, [
    ...timedJobs(ctx, stages, { listening, watch, options, accept }, ending.signal),
    { name: "evaluate-groups", everyMs: STATUS_MS, run: members.look },
    { name: "apply-maintenance", everyMs: STATUS_MS, firstMs: 0, run: following.look },
    { name: "evaluate-dependents", everyMs: STATUS_MS, run: () => followParents(ctx) },
  ]);
  const statusChanged = (monitorId: number) => {
    members.changed(monitorId);
    jobs.runSoon("evaluate-groups");
    jobs.runSoon("evaluate-dependents");
  };
  let changed = new Set<number>();
  const readAgain = (monitorIds: readonly number[]) =>
    Promise.all(running.map((probe) => probe.sync(monitorIds))).catch((error: unknown) => {
      ctx.log.error(
        { err: error, monitorIds },
        "Changed monitors could not be read; they will be read again within a minute",
      );
    });
  const takeChanges = () => {
    const monitorIds = [...changed];
    changed = new Set();
    void readAgain(monitorIds);
    manual.changed(monitorIds);
  };
  return {
    accept,
    monitorChanged(monitorId) {
      if (changed.size === 0) setImmediate(() => outsideRequests(takeChanges));
      changed.add(monitorId);
      statusChanged(monitorId);
    },
    statusChanged,
    windowsChanged() {
      following.changed();
      jobs.runSoon("apply-maintenance");
    },
    recheck: (recheck) => probes.recheck(recheck),
    checkNow: (monitorId, wait) => manual.checkNow(monitorId, wait),
    // Read first: what a user has just saved is what they want checked.
    checkWanted: (wanted) =>
      outsideRequests(() => void readAgain([wanted.monitorId]).then(() => probes.checkNow(wanted))),
    checkMade: (result) => manual.answer(result),
    health: () => ({
      ...sumHealth(running.map((probe) => probe.health())),
      isClockTrusted: !watch.isSkewSuspected,
    }),
    jobs: () => [...jobs.stats(), ...running.flatMap((probe) => probe.jobs())],
    stop: () => stopEngine({ running, jobs, ending }).finally(() => manual.giveUp()),
  };
}

/** Where probes bring their results; requests that follow go to whichever probe checks the monitor. */
function accepting(
  ctx: Context,
  stages: Stages,
  { listening, probes, manual }: { listening: Listening; probes: ProbeDirectory; manual: ManualChecks },
): (results: readonly ProbeResult[], prepareResults?: PrepareResults) => Promise<void> {
  return async (results, prepareResults) => {
    const { rechecks, awaited } = await stages
      .ingestBatch(ctx, results, (recheck) => probes.isHeld(recheck), prepareResults)
      .catch((error: unknown) => {
        // A refused batch does not hold up the others.
        if (isUnavailable(error)) listening.interrupted(ctx.clock.now());
        throw error;
      });
    for (const recheck of rechecks) probes.recheck(recheck);
    for (const result of awaited) manual.answer(result);
  };
}

/** Starts a probe for each location; none is left running when one cannot start. */
async function startProbes(
  ctx: Context,
  sink: ResultSink,
  { locations = [LOCAL], workerEntry }: EngineOptions,
): Promise<LocationProbe[]> {
  const newestMs = await newestCheckAt(ctx.store.db);
  const started = await Promise.allSettled(
    locations.map((location) => startLocationProbe(ctx, { location, sink, newestMs, workerEntry })),
  );
  const running = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = started.find((each) => each.status === "rejected");
  if (!failed) return running;
  await Promise.all(running.map((probe) => probe.stop(0)));
  throw failed.reason;
}

/** The event log's entries for the engine, on whichever replica they were written. */
export function followEvents(engine: Engine, live: Pick<EventSource, "onEvent">): void {
  for (const type of CHANGE_EVENTS) {
    live.onEvent(type, (payload) => {
      for (const monitorId of changedMonitors(payload)) engine.monitorChanged(monitorId);
    });
  }
  for (const type of STATUS_EVENTS) {
    live.onEvent(type, ({ monitorId }) => engine.statusChanged(monitorId as number));
  }
  live.onEvent(WINDOW_EVENT, ({ windowId }) => {
    if (windowId !== null) engine.windowsChanged();
  });
  live.onEvent(RECHECK_EVENT, ({ monitorId, location }) =>
    engine.recheck({ monitorId: monitorId as number, location: location as string }),
  );
  live.onEvent(CHECK_NOW_EVENT, (payload) => engine.checkWanted(payload as unknown as CheckRequest));
  live.onEvent(CHECKED_EVENT, (payload) => engine.checkMade(payload as unknown as ProbeResult));
}

interface EventSource {
  onEvent(type: string, listener: (payload: Record<string, unknown>) => void): void;
}

interface Running {
  running: LocationProbe[];
  jobs: Jobs;
  ending: AbortController;
}

async function stopEngine({ running, jobs, ending }: Running): Promise<void> {
  ending.abort();
  const { promise: limit, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, STOP_LIMIT_MS);
  const probes = running.map((probe) => probe.stop(GRACE_MS));
  await Promise.race([Promise.all([...probes, jobs.stop()]), limit]);
  clearTimeout(timer);
}
