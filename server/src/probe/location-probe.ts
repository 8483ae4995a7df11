import { join } from "node:path";
import type { Context, ProbeHealth } from "../context.ts";
import { type Repeated, repeat } from "../schedule/repeat.ts";
import { deleteSilentProbes } from "../store/queries/probes.ts";
import type { ReachableProbe } from "./directory.ts";
import type { ResultSink } from "./link.ts";
import { type LocalProbe, startLocalProbe } from "./local.ts";
import { joinLocation, type Membership } from "./membership.ts";
import { Roster } from "./roster.ts";

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
    roster?.settle().catch((error: unknown) => {
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
    await Promise.all(following.map((turn) => turn.stop()));
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

/** Shares follow the probes that are alive; changes that no event told of are found within a minute. */
function followStore(ctx: Context, roster: Roster, self: Membership): Repeated[] {
  const { log } = ctx;
  let shared = roster.live.join();
  const heartbeat = async () => {
    const live = await self.beat();
    if (live.join() === shared) return;
    log.info(
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
  return [
    repeat({ name: "The probe's heartbeat", everyMs: HEARTBEAT_MS, log, work: heartbeat }),
    repeat({ name: "Reading the monitors", everyMs: RESYNC_MS, log, work: resync }),
  ];
}
