import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Db } from "../store/open.ts";
import { findMonitor, type Monitor, type MonitorRef } from "../store/queries/monitors.ts";

/**
 * The domain that is meant, if it is one of the caller's organization; throws 404 otherwise, so that
 * nobody learns what others have. `trx`: locks it for a change.
 */
export async function requireDomain(ctx: CallerContext, ref: MonitorRef, trx?: Db): Promise<Monitor> {
  const { organizationId } = ctx.caller;
  const which = { organizationId, kind: "domain", ref, lock: trx !== undefined } as const;
  const monitor = await findMonitor(trx ?? ctx.store.db, which);
  if (!monitor) throw notFound();
  return monitor;
}
