import { isPermitted } from "../account/access.ts";
import type { Caller } from "../account/caller.ts";
import { notFound } from "../errors.ts";
import { findListedMonitor, type LastResult, readLastResult } from "../store/queries/monitor-list.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import { uptimeByMonitor } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";
import { requireCheckKind } from "./check-rules.ts";
import { type HeartbeatState, readHeartbeatState } from "./heartbeat-state.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import { FIGURES_WINDOW_MS, type ShownMonitor } from "./monitor.ts";
import { openSettings } from "./sealed-settings.ts";
import type { MonitorSettings } from "./settings.ts";
import { shownConfig } from "./stored-secrets.ts";

/** A monitor with its settings and its last result, without the credentials that its reader must not see. */
export interface MonitorDetail extends ShownMonitor {
  settings: MonitorSettings;
  lastResult: LastResult;
  /** Of a monitor that is told, else null. */
  heartbeat: HeartbeatState | null;
}

/** One monitor in full. Throws 404 if it has been deleted since it was found. */
export async function readMonitorDetail(
  { caller, db, clock, secrets }: Pick<Running, "caller" | "db" | "clock" | "secrets">,
  monitor: Monitor,
): Promise<MonitorDetail> {
  const now = clock.now();
  const { id, organizationId, kind } = monitor;
  const listed = await findListedMonitor(db, { organizationId, kind, ref: { id } });
  if (!listed) throw notFound();
  const uptimes = await uptimeByMonitor(db, [id], now - FIGURES_WINDOW_MS, now);
  const settings = openSettings(secrets, monitor);
  const { configSchema } = requireCheckKind(settings.type);
  return {
    ...listed,
    uptimePercentage: uptimes.get(id) ?? null,
    settings: {
      ...settings,
      config: shownConfig(configSchema, settings.config, mayChangeKind(caller, kind)),
    },
    lastResult: await readLastResult(db, id),
    heartbeat: await readHeartbeatState(db, listed),
  };
}

/** Whether the caller may change monitors of that kind, and so sees what only changers see. */
export const mayChangeKind = (caller: Caller, kind: Monitor["kind"]): boolean =>
  isPermitted(caller, { action: "write", resource: MONITOR_KIND_FACTS[kind].resource, features: [] });
