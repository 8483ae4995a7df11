import { NOTHING_SEEN } from "../check/check.ts";
import type { HeartbeatSignal } from "../check/told-types.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../clock.ts";
import type { Context } from "../context.ts";
import type { ProbeResult } from "../probe/link.ts";
import { LOCAL } from "../probe/location-probe.ts";
import type { Settle } from "../result/settle.ts";
import { newestVote } from "../status/due.ts";
import type { MonitorState } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { endRun, insertSignal, startRun } from "../store/queries/heartbeats.ts";
import { lockStates } from "../store/queries/states.ts";
import { type Fact, fact } from "../texts/fact.ts";

/** What a job told. Milliseconds. */
export interface ToldSignal {
  monitor: { monitorId: number; revision: number };
  signal: HeartbeatSignal;
  exitCode: number | null;
  at: number;
  /** What the job calls its run; empty: nothing. */
  run: string;
  message: string | null;
  isCut: boolean;
  maxRunMs: number;
  address: string;
}

/** Stores it with all that follows from it, in one transaction. Throws the store's error. */
export async function storeSignal(
  ctx: Pick<Context, "store" | "engine" | "secrets">,
  told: ToldSignal,
): Promise<void> {
  const { signal, monitor, message } = told;
  const entry = {
    toldAt: told.at,
    signal,
    exitCode: told.exitCode,
    run: told.run,
    message: message === null ? null : ctx.secrets.seal(message),
    isCut: told.isCut,
  };
  if (signal === "ok" || signal === "fail") {
    return ctx.engine.accept(
      [resultOf(told)],
      settleEnd(told, async (trx, toldAt) => {
        if (message !== null) await insertSignal(trx, monitor.monitorId, { ...entry, toldAt });
      }),
    );
  }
  await ctx.store.transaction(async (trx) => {
    // In turn with everything else that is told of this monitor, and with the look for what was not.
    if ((await lockStates(trx, [monitor.monitorId])).length === 0) return;
    if (signal === "start") {
      const { run, at: startedAt, maxRunMs } = told;
      await startRun(trx, monitor.monitorId, { run, startedAt, lateAt: startedAt + maxRunMs });
    }
    await insertSignal(trx, monitor.monitorId, entry);
  });
}

const resultOf = ({ monitor, signal, exitCode, at, address }: ToldSignal): ProbeResult => ({
  monitorId: monitor.monitorId,
  revision: monitor.revision,
  location: LOCAL.code,
  scheduledAt: at,
  verdict: signal === "ok" ? "ok" : "failed",
  reason: signal === "ok" ? null : failure(exitCode),
  ...NOTHING_SEEN,
  address,
});

const failure = (exitCode: number | null): Fact =>
  exitCode === null ? fact("job.failed") : fact("job.exit", { exit: exitCode });

/** The run ends: it took as long as since its start. `keep`: what else is kept of it, with the time it counts at. */
function settleEnd({ run }: ToldSignal, keep: (trx: Db, at: number) => Promise<void>): Settle {
  return async (trx, [result], [monitor]) => {
    if (!result || !monitor) return [];
    const startedAt = await endRun(trx, result.monitorId, run);
    const scheduledAt = inTurn(monitor.state, result.scheduledAt);
    await keep(trx, scheduledAt);
    const isOfBefore = startedAt === null || startedAt < (monitor.state.watchedSince ?? 0);
    const totalUs = isOfBefore ? null : Math.max(0, scheduledAt - startedAt) * 1000;
    return [{ ...result, scheduledAt, phases: { ...result.phases, totalUs } }];
  };
}

/**
 * What is told counts in the order in which it is told, also by the clock of another server that is a little behind, and
 * within one millisecond.
 */
export function inTurn(state: MonitorState, at: number): number {
  const lastAt = newestVote(state)?.lastAt ?? 0;
  return lastAt >= at && lastAt - at < MAX_CLOCK_DIFFERENCE_MS ? lastAt + 1 : at;
}
