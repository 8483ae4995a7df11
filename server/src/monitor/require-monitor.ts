import { findAnywhere } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { findMonitor, findMonitorOwner, type Monitor } from "../store/queries/monitors.ts";
import type { OneMonitor } from "./monitor.ts";

/** The monitor that is meant, of an organization that the caller may act in; throws 404 for any other. */
export async function requireMonitor(ctx: CallerContext, which: OneMonitor): Promise<Monitor> {
  return (await findAllowed(ctx, which)).found;
}

/** The caller in the organization of the monitor that is meant: with their role and its plan there. Throws 404. */
export async function inMonitorsOrganization(ctx: CallerContext, which: OneMonitor): Promise<CallerContext> {
  return { ...ctx, caller: (await findAllowed(ctx, which)).caller };
}

/** That monitor of the caller's organization, locked for a change. Throws 404. */
export async function lockMonitor(ctx: CallerContext, { kind, ref }: OneMonitor, trx: Db): Promise<Monitor> {
  const { organizationId } = ctx.caller;
  const monitor = await findMonitor(trx, { organizationId, kind, ref, lock: true });
  if (!monitor) throw notFound();
  return monitor;
}

function findAllowed(ctx: CallerContext, { kind, ref }: OneMonitor) {
  const { db } = ctx.store;
  const find = (organizationId: number) => findMonitor(db, { organizationId, kind, ref });
  return findAnywhere(ctx, find, () => findMonitorOwner(db, { kind, ref }));
}
