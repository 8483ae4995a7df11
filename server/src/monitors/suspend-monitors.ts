import { lockOwnMonitors, type OwnMonitor, setSuspended } from "../engine/queries/states.ts";
import { markResumed } from "../engine/status/monitor-states.ts";
import type { Running } from "../platform/operations/operation.ts";
import { inSlices, takeTurns } from "../platform/turns.ts";
import { announceChange } from "./announce-change.ts";
import { setMonitorsEnabled } from "./queries/monitor-changes.ts";

/** How many are changed in one go: some milliseconds of work on SQLite, whose statements hold the thread. */
const SLICE = 100;

/** Pauses every monitor of the caller's organization, which is to be deleted, and keeps in mind which were watched. */
export async function suspendMonitors(ctx: Running): Promise<void> {
  const { db, caller, clock, dataPath } = ctx;
  const now = clock.now();
  const watched = await lockOwnMonitors(db, caller.organizationId, "watched");
  await inParts(watched, async (ids) => {
    await setMonitorsEnabled(db, ids, false, now);
    await setSuspended(db, ids, true);
    await dataPath.markPaused(db, ids, now);
  });
  await announce(ctx, watched);
}

/** Watches again what `suspendMonitors` has paused: the organization stays. */
export async function resumeSuspendedMonitors(ctx: Running): Promise<void> {
  const { db, caller, clock } = ctx;
  const now = clock.now();
  const suspended = await lockOwnMonitors(db, caller.organizationId, "suspended");
  await inParts(suspended, async (ids) => {
    await setMonitorsEnabled(db, ids, true, now);
    await setSuspended(db, ids, false);
    await markResumed(db, ids, now);
  });
  await announce(ctx, suspended);
}

/** Others have the thread in between; the transaction goes on. */
const inParts = (monitors: readonly OwnMonitor[], work: (ids: number[]) => Promise<void>): Promise<void> =>
  inSlices(monitors, SLICE, (part) => work(part.map(({ id }) => id)), takeTurns());

async function announce(ctx: Running, monitors: readonly OwnMonitor[]): Promise<void> {
  for (const [kind, own] of Map.groupBy(monitors, (monitor) => monitor.kind)) {
    await announceChange(
      ctx,
      kind,
      own.map(({ id }) => id),
    );
  }
}
