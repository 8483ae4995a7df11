import type { CallerContext } from "../context.ts";
import type { Db } from "../store/open.ts";
import { appendEvents } from "../store/queries/events.ts";

/** Writes into the event log that a monitor changed: other replicas' engines and open pages read it there. */
export async function recordChange(
  trx: Db,
  monitor: { id: number; organizationId: number },
  now: number,
): Promise<void> {
  const { id, organizationId } = monitor;
  appendEvents(trx, [{ organizationId, type: "monitor.changed", payload: { monitorId: id } }], now);
}

/** Tells this process's engine and live stream. Only after the transaction is committed: they look at once. */
export function announceChange(ctx: CallerContext, monitorId: number): void {
  ctx.engine.monitorChanged(monitorId);
  ctx.live.wake();
}
