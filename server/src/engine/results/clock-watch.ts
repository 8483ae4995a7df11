import { uptime } from "node:os";
import { CLOCK_AHEAD_LIMIT_MS, isFromWrongClock } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { databaseTime, raiseMeta, readMeta } from "../../platform/database/installation.ts";
import type { Db } from "../../platform/database/schema.ts";
import { correctCertificateDates } from "../queries/certificates.ts";
import { listStatesAfter, lockStates, newestCheckAt, saveStates } from "../queries/states.ts";
import { correctTransitionDates } from "../queries/transitions.ts";
import { correctState } from "../status/state.ts";

/** When a server of this installation was last alive and trusted its clock. */
const ALIVE = "alive_at";
const LOOK_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A clock that goes back by more was ahead. */
const BACK_MS = 1_000;

/** Whether what the clock says may be acted upon. */
export interface ClockWatch {
  /** While it is, no history is removed by age, no certificate is announced, and no message is given up as too late. */
  readonly isSkewSuspected: boolean;
  /** How far it is ahead of the database server's, milliseconds; 0: it is not, or its skew is suspected anyway, or there is none. */
  aheadMs(): number;
  /** Call it as often as you like; it looks at the store once a minute, and when the clock was set. Throws the store's error. */
  look(): Promise<void>;
}

/** This server's clock, and the later one of it and the database server's: nothing up to that is ahead. Milliseconds. */
interface Times {
  now: number;
  latest: number;
}

/** Has what a wrong clock put off sent in time. `wasSetBack`: this server's own may have been ahead until now. */
export type CorrectDeliveries = (
  ctx: Pick<Context, "store">,
  times: Times,
  wasSetBack: boolean,
) => Promise<void>;

/** Dates what incidents have of these monitors that is later than `limit` to `now`; the monitors' states are locked. Milliseconds. */
type CorrectIncidents = (
  trx: Db,
  monitorIds: readonly number[],
  times: { limit: number; now: number },
) => Promise<void>;

/** Correct what later rooms have dated by a wrong clock. */
export interface Corrections {
  deliveries: CorrectDeliveries;
  incidents: CorrectIncidents;
}

type Needed = Pick<Context, "store" | "clock" | "log">;

interface Look {
  now: number;
  upMs: number;
}

/** The newest time that was trusted, and when, by the machine's own measure; null: before this process. */
interface LastTrusted {
  at: number;
  upMs: number | null;
}

const uptimeMs = (): number => uptime() * 1_000;

/**
 * Watches the clock: one that is more than a day past the time at which a server was last alive, without a
 * pause that explains it, holds back retention; states from a clock that was hours ahead are brought back when it
 * is corrected, and messages that a clock put off which was ahead at all are tried. What another server's clock has put off
 * is looked for at every look. `machineMs`: time since the machine was started, sleep included.
 */
export function watchClock(ctx: Needed, corrections: Corrections, machineMs = uptimeMs): ClockWatch {
  /** When the clock was set last, or trusted: what is suspected has been so since then. */
  let steadySinceMs = machineMs();
  let last: Look | null = null;
  let lastTrusted: LastTrusted | null = null;
  let skewMs: number | null = null;
  let taking: Promise<void> | null = null;
  const database = followDatabaseClock(ctx);

  const evaluateClock = async (look: Look, databaseMs: number | null): Promise<number | null> => {
    if (databaseMs !== null && Math.abs(databaseMs - look.now) > DAY_MS) return look.now - databaseMs;
    const stored = Number((await readMeta(ctx.store.db, ALIVE)) ?? (await newestCheckAt(ctx.store.db)) ?? 0);
    // At first that of a process which is no more; later that of another replica, a minute ago at most.
    if (stored > (lastTrusted?.at ?? 0)) lastTrusted = { at: stored, upMs: last ? look.upMs : null };
    const elapsedMs = lastTrusted && lastTrusted.upMs !== null ? look.upMs - lastTrusted.upMs : null;
    const trusted = lastTrusted && { at: lastTrusted.at, elapsedMs };
    return suspectedSkew(look.now, trusted, look.upMs - steadySinceMs);
  };
  const take = async (look: Look, stepMs: number): Promise<void> => {
    const before = skewMs;
    const databaseMs = await database.read(look.now);
    skewMs = await evaluateClock(look, databaseMs);
    reportSkew(ctx, before, skewMs);
    if (skewMs !== null) return;
    steadySinceMs = look.upMs;
    if (look.now >= (lastTrusted?.at ?? 0)) {
      await raiseMeta(ctx.store.db, ALIVE, look.now);
      lastTrusted = { at: look.now, upMs: look.upMs };
    }
    const latest = Math.max(look.now, databaseMs ?? 0);
    await correct({ ...ctx, corrections }, { now: look.now, latest }, last && stepMs);
  };
  return {
    get isSkewSuspected() {
      return skewMs !== null;
    },
    aheadMs: () => (skewMs === null ? database.aheadMs() : 0),
    async look() {
      while (taking) await taking;
      const look = { now: ctx.clock.now(), upMs: machineMs() };
      const stepMs = last ? look.now - last.now - (look.upMs - last.upMs) : 0;
      const isSet = Math.abs(stepMs) > CLOCK_AHEAD_LIMIT_MS;
      if (last !== null && !isSet && stepMs >= -BACK_MS && look.upMs - last.upMs < LOOK_MS) return;
      if (isSet) steadySinceMs = look.upMs;
      taking = take(look, stepMs)
        .then(() => void (last = look))
        .finally(() => void (taking = null));
      await taking;
    },
  };
}

/** Says in the log that clock skew is suspected, or no longer. */
function reportSkew({ log }: Pick<Context, "log">, before: number | null, skewMs: number | null): void {
  if (before === null && skewMs !== null)
    log.warn({ aheadHours: Math.round(skewMs / 3_600_000) }, SKEW_SUSPECTED);
  if (before !== null && skewMs === null)
    log.info({}, "The clock can be trusted again; history is removed when it is old enough");
}

/** Brings back what was dated by a clock that was wrong. `stepMs`: how far this one was just set; null: at the start. */
async function correct(
  ctx: Needed & { corrections: Corrections },
  times: Times,
  stepMs: number | null,
): Promise<void> {
  await ctx.corrections.deliveries(ctx, times, stepMs === null || stepMs < -BACK_MS);
  const wasCorrected = (stepMs ?? 0) < -CLOCK_AHEAD_LIMIT_MS;
  const states = await correctDates(ctx, { now: times.now, wasCorrected }, ctx.corrections.incidents);
  if (states > 0)
    ctx.log.warn({ states }, "The clock was hours ahead; what was dated by it is brought back to now");
}

const BATCH_SIZE = 500;

/**
 * Corrects the states of all monitors that a clock has dated hours ahead of `now`, and with them their
 * history, open incidents and certificates; paused ones too. Results keep their times: they are never removed on
 * the word of a clock. `wasCorrected`: just now; then results may have brought some states back already, and the
 * others of all monitors are looked at. Returns how many monitors that were.
 */
async function correctDates(
  { store }: Pick<Context, "store">,
  { now, wasCorrected }: { now: number; wasCorrected: boolean },
  correctIncidents: CorrectIncidents,
): Promise<number> {
  const limit = now + CLOCK_AHEAD_LIMIT_MS;
  if (!isFromWrongClock(limit + 1, now)) return 0;
  const after = wasCorrected ? 0 : limit;
  for (let count = 0, afterId = 0; ; ) {
    const ids = await listStatesAfter(store.db, { after, afterId, limit: BATCH_SIZE });
    if (ids.length === 0) return count;
    afterId = ids.at(-1) ?? 0;
    await store.transaction(async (trx) => {
      const monitors = await lockStates(trx, ids);
      const states = monitors.map((monitor) => {
        const { last, state } = monitor;
        const at = last.at !== null && isFromWrongClock(last.at, now) ? now : last.at;
        return { ...monitor, state: correctState(state, now), last: { ...last, at } };
      });
      await saveStates(trx, states);
      const lockedIds = monitors.map(({ monitorId }) => monitorId);
      await correctTransitionDates(trx, lockedIds, { limit, now });
      await correctIncidents(trx, lockedIds, { limit, now });
      await correctCertificateDates(trx, lockedIds, { limit, now });
    });
    count += ids.length;
  }
}

const SKEW_SUSPECTED =
  "The clock is more than a day away from where it can be; until it is corrected, or has run on undisturbed for an hour, no history is removed and no notifications about certificates are sent";

/** Clocks that are further apart are not in step. */
const APART_MS = 2 * 60_000;

/** Follows the database server's clock, and says in the log when this server's is minutes away from it. Milliseconds. */
function followDatabaseClock({ store, log }: Pick<Context, "store" | "log">) {
  let aheadMs = 0;
  let isApart = false;
  return {
    /** How far this server's clock was ahead when the other was read; 0: it was not. */
    aheadMs: () => Math.max(0, aheadMs),
    /** What the other says, null where the database is part of this process. Throws the store's error. */
    async read(now: number): Promise<number | null> {
      const databaseMs = await databaseTime(store.db);
      if (databaseMs === null) return null;
      aheadMs = now - databaseMs;
      const before = isApart;
      isApart = Math.abs(aheadMs) > APART_MS;
      if (isApart && !before) log.warn({ aheadSeconds: Math.round(aheadMs / 1_000) }, APART);
      return databaseMs;
    },
  };
}

const APART =
  "The clock and that of the database server are minutes apart; until they agree, messages may come late or twice and monitors may be checked twice";

const HOUR_MS = 3_600_000;
const MAX_CLOCK_SKEW_MS = 24 * HOUR_MS;
/** A clock that is far ahead is trusted once it has run on undisturbed for this long. */
const PROBATION_MS = HOUR_MS;

/** The last time that was trusted, milliseconds, and how long the machine has been up since (null: an earlier process trusted it). */
export interface TrustedTime {
  at: number;
  elapsedMs: number | null;
}

/**
 * How far the clock is ahead of where it can be, milliseconds; null where it can be trusted. The time since
 * a server was last alive explains itself where the machine says that it has passed (the process ran on, the
 * machine slept). Otherwise it is trusted after an hour: machines start with a wrong clock that is soon corrected,
 * and a server may have been off for as long as the clock says. `steadyMs`: since the start, or since it was set.
 */
export function suspectedSkew(now: number, lastTrusted: TrustedTime | null, steadyMs: number): number | null {
  if (!lastTrusted) return null;
  const aheadMs = now - lastTrusted.at - (lastTrusted.elapsedMs ?? 0);
  return aheadMs <= MAX_CLOCK_SKEW_MS || steadyMs >= PROBATION_MS ? null : aheadMs;
}
