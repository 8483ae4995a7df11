import { unprobedTypes } from "../../checks/registry.ts";
import type { Context } from "../../platform/context.ts";
import { openConfig } from "../../platform/secrets/secret-box.ts";
import {
  type AssignmentVersion,
  listAssignmentVersions,
  readAssignments,
  type StoredAssignment,
} from "../queries/assignments.ts";
import { makeUpMs } from "../schedule/plan.ts";
import type { Assignment, FirstCheck, ProbeControl } from "./link.ts";

export interface RosterOptions {
  probe: ProbeControl;
  /** Who the probe is among those of its location. */
  self: { readonly id: string };
  location: string;
}

/** Rows read at once, so that ten thousand monitors do not hold the thread for long. */
const READ_AT_ONCE = 500;
/** Of a status that is to be confirmed, and of a run that gave no verdict. */
const MAX_RECHECKS = { unsettled: 3, missing: 1 };

/**
 * Keeps a probe's assignments equal to what the store says: the enabled monitors of its location,
 * its share of them when it is not alone. Turns run one after the other.
 */
export class Roster {
  /** The probes of the location that are alive. */
  live: string[];
  readonly #ctx: Context;
  readonly #options: RosterOptions;
  /** What the probe has, by monitor: the revision. */
  readonly #held = new Map<number, number>();
  /** All monitors of the location, the other probes' too. */
  readonly #known = new Set<number>();
  /** Checks that were requested again after a worker died, and how often since which check. */
  #owed = new Map<number, { lastCheckAt: number | null; times: number }>();
  #turn: Promise<unknown> = Promise.resolve();
  #isStarting = true;

  constructor(ctx: Context, options: RosterOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.live = [options.self.id];
  }

  /** Compares everything with the store. Throws the store's error. */
  syncAll(): Promise<void> {
    return this.#inTurn(async () => {
      const versions = await this.#listVersions();
      const present = new Set(versions.map(({ monitorId }) => monitorId));
      await this.#apply(
        versions,
        [...this.#known].filter((id) => !present.has(id)),
      );
      this.#isStarting = false;
    });
  }

  /** Takes over what changed of these monitors. Throws the store's error. */
  sync(monitorIds: readonly number[]): Promise<void> {
    return this.#inTurn(async () => {
      const versions = await this.#listVersions(monitorIds);
      const present = new Set(versions.map(({ monitorId }) => monitorId));
      await this.#apply(
        versions,
        monitorIds.filter((id) => !present.has(id)),
      );
    });
  }

  holds(monitorId: number): boolean {
    return this.#held.has(monitorId);
  }

  /**
   * Requests again what the probe has lost, because a worker died: rechecks, and checks that were under
   * way or to be tried again. A few times for each: it may be that very check that kills it. Throws the store's error.
   */
  recheckForgotten(): Promise<void> {
    return this.#inTurn(async () => {
      const versions = await this.#listVersions();
      const now = this.#ctx.clock.now();
      const owed = versions.filter(
        (one) => this.#held.has(one.monitorId) && (one.isUnsettled || isMissing(one, now)),
      );
      const before = this.#owed;
      this.#owed = new Map();
      for (const { monitorId, lastCheckAt, isUnsettled } of owed) {
        const known = before.get(monitorId);
        const times = known?.lastCheckAt === lastCheckAt ? (known?.times ?? 0) + 1 : 1;
        this.#owed.set(monitorId, { lastCheckAt, times });
        if (times <= MAX_RECHECKS[isUnsettled ? "unsettled" : "missing"])
          this.#options.probe.recheck(monitorId);
      }
    });
  }

  #listVersions(ids?: readonly number[]): Promise<AssignmentVersion[]> {
    const { location } = this.#options;
    return listAssignmentVersions(this.#ctx.store.db, {
      location,
      exceptTypes: unprobedTypes,
      ...(ids && { ids }),
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #apply(versions: AssignmentVersion[], gone: readonly number[]): Promise<void> {
    const { self, probe } = this.#options;
    const share = new Set(
      shareOf(
        self.id,
        this.live,
        versions.map(({ monitorId }) => monitorId),
      ),
    );
    const lost = versions.filter(({ monitorId }) => !share.has(monitorId)).map(({ monitorId }) => monitorId);
    this.#release([...gone, ...lost]);
    for (const id of gone) this.#known.delete(id);
    const wanted = versions.filter(
      ({ monitorId, revision }) => share.has(monitorId) && this.#held.get(monitorId) !== revision,
    );
    for (let from = 0; from < wanted.length; from += READ_AT_ONCE) {
      const part = wanted.slice(from, from + READ_AT_ONCE);
      const first = new Map(part.map((version) => [version.monitorId, this.#firstCheck(version)]));
      const stored = await readAssignments(this.#ctx.store.db, [...first.keys()]);
      const last = new Map(part.map(({ monitorId, lastCheckAt }) => [monitorId, lastCheckAt]));
      const open = stored
        .flatMap((assignment) => this.#open(assignment))
        .map((assignment) => withLast(assignment, last.get(assignment.monitorId) ?? null));
      for (const when of ["now", "on_grid"] as const) {
        const assignments = open.filter(({ monitorId }) => first.get(monitorId) === when);
        if (assignments.length > 0) probe.assign(assignments, when);
      }
      for (const { monitorId, revision } of stored) this.#held.set(monitorId, revision);
    }
    for (const { monitorId } of versions) this.#known.add(monitorId);
  }

  /**
   * At once where a person waits: never checked, new, changed, or between a first failure and its
   * confirmation, which the process that checked before has not made. Else the monitor only changes hands.
   */
  #firstCheck({ monitorId, lastCheckAt, isUnsettled }: AssignmentVersion): FirstCheck {
    const isHeld = this.#held.has(monitorId);
    const isUnknown = !this.#known.has(monitorId) || isHeld;
    const isWaitedFor = lastCheckAt === null || (isUnsettled && !isHeld);
    return isWaitedFor || (isUnknown && !this.#isStarting) ? "now" : "on_grid";
  }

  #release(monitorIds: readonly number[]): void {
    const held = monitorIds.filter((id) => this.#held.delete(id));
    if (held.length > 0) this.#options.probe.unassign(held);
  }

  /** With its secrets decrypted. A monitor whose secrets cannot be read is not checked: it would seem down. */
  #open({ secrets, config, ...stored }: StoredAssignment): Assignment[] {
    const { intervalSeconds, timeoutSeconds, recheckDelaySeconds, ...rest } = stored;
    try {
      const opened = openConfig(this.#ctx.secrets, { config, secrets });
      const [intervalMs, timeoutMs] = [intervalSeconds * 1_000, timeoutSeconds * 1_000];
      // Settings from before there was a bound, or from a backup.
      const recheckDelayMs = Math.min(recheckDelaySeconds * 1_000, intervalMs);
      return [{ ...rest, config: opened, intervalMs, timeoutMs, recheckDelayMs }];
    } catch (error) {
      const { monitorId } = rest;
      this.#ctx.log.error(
        { err: error, monitorId },
        "The secrets of a monitor cannot be decrypted; it is not checked",
      );
      this.#options.probe.unassign([monitorId]);
      return [];
    }
  }
}

/** Whether the newest run has given no verdict and the next one is too far away to wait for. */
const isMissing = ({ monitorId, intervalMs, lastCheckAt }: AssignmentVersion, now: number): boolean =>
  lastCheckAt === null || makeUpMs(monitorId, intervalMs, lastCheckAt, now) !== null;

const withLast = (assignment: Assignment, lastAtMs: number | null): Assignment =>
  lastAtMs === null ? assignment : { ...assignment, lastAtMs };

/**
 * Which of several probes of one location checks which monitor: rendezvous hashing. Every probe
 * computes the same answer from the same list; one that leaves gives its monitors evenly to the
 * others, one that comes takes an even share, and no other monitor moves.
 */

/** 32-bit FNV-1a: a probe's uuid as a number. */
function seedOf(probeId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < probeId.length; index += 1) {
    hash = Math.imul(hash ^ probeId.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** How much a probe wants a monitor: murmur3's finaliser over both numbers. */
function weight(seed: number, monitorId: number): number {
  let hash = Math.imul(monitorId, 0x9e3779b1) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ seed, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The part of `monitorIds` that `probeId` checks while the probes of `live` (itself among them) are there. */
export function shareOf(probeId: string, live: readonly string[], monitorIds: readonly number[]): number[] {
  const own = seedOf(probeId);
  const others = live
    .filter((other) => other !== probeId)
    .map((other) => ({ seed: seedOf(other), isBefore: other < probeId }));
  return monitorIds.filter((monitorId) => {
    const mine = weight(own, monitorId);
    return others.every(({ seed, isBefore }) => {
      const theirs = weight(seed, monitorId);
      return theirs < mine || (theirs === mine && !isBefore);
    });
  });
}
