import { HEARTBEAT_TYPE } from "../check/signalled-types.ts";
import type { Db } from "../store/db.ts";
import { listOpenRuns, type OpenRun } from "../store/queries/heartbeats.ts";
import { readWatchedMonitors } from "../store/queries/states.ts";
import { lastSignalAt, nextRunAt } from "./miss-heartbeats.ts";

/** How a job stands that tells. Milliseconds. */
export interface HeartbeatState {
  /** When it was told last; ISO 8601. */
  lastAt: string | null;
  /** When it is to be told next, before its grace. */
  expectedAt: number | null;
  /** The newest first. */
  runs: OpenRun[];
}

/** Of a monitor that is told; null for all others. */
export async function readHeartbeatState(
  db: Db,
  { id, type }: { id: number; type: string },
): Promise<HeartbeatState | null> {
  if (type !== HEARTBEAT_TYPE) return null;
  const [monitor] = await readWatchedMonitors(db, [id]);
  if (!monitor) return { lastAt: null, expectedAt: null, runs: [] };
  const watchedSince = monitor.state.watchedSince ?? 0;
  const runs = (await listOpenRuns(db, id)).filter(({ startedAt }) => startedAt >= watchedSince);
  return { lastAt: lastSignalAt(monitor), expectedAt: nextRunAt(monitor), runs };
}
