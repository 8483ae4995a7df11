import type { CallerContext } from "../context.ts";
import type { Db } from "../store/db.ts";
import { appendEvents } from "../store/queries/events.ts";
import { eventOf, projectMonitorChange } from "../wire/live.ts";
import type { OfKind } from "./monitor.ts";

/**
 * Writes to the event log that monitors of an organization changed: other replicas' engines and open pages read it
 * there. One event for all of them.
 */
export function recordChange(
  trx: Db,
  { kind, organizationId, monitorIds }: OfKind & { organizationId: number; monitorIds: readonly number[] },
  now: number,
): void {
  if (monitorIds.length === 0) return;
  const payload = projectMonitorChange(monitorIds);
  appendEvents(trx, [{ organizationId, type: eventOf(kind, "monitor.changed"), payload }], now);
}

/** Tells this process's engine and live stream. Only after the transaction is committed: they look at once. */
export function announceChange(ctx: CallerContext, monitorIds: readonly number[]): void {
  for (const id of monitorIds) ctx.engine.monitorChanged(id);
  ctx.live.wake();
}
