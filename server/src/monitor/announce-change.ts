import { appendEvents } from "../store/queries/events.ts";
import type { Running } from "../verb/verb.ts";
import { eventOf, projectMonitorChange } from "../wire/live.ts";
import type { MonitorKind } from "./monitor-defaults.ts";

/**
 * Says that monitors of the caller's organization changed: to this process's engine and live stream once it is
 * committed, to other replicas' engines and open pages through the event log. One event for all of them.
 */
export function announceChange(ctx: Running, kind: MonitorKind, monitorIds: readonly number[]): void {
  if (monitorIds.length === 0) return;
  const { organizationId } = ctx.caller;
  const payload = projectMonitorChange(monitorIds);
  const event = { organizationId, type: eventOf(kind, "monitor.changed"), payload };
  appendEvents(ctx.db, [event], ctx.clock.now());
  ctx.after(() => {
    for (const id of monitorIds) ctx.engine.monitorChanged(id);
    ctx.live.wake();
  });
}
