import { findAnywhere } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { findMonitor, findMonitorOwner, type Monitor, type MonitorRef } from "../store/queries/monitors.ts";

const kind = "domain";

/** The domain that is meant, of an organization that the caller may act in; throws 404 for any other. */
export async function requireDomain(ctx: CallerContext, ref: MonitorRef): Promise<Monitor> {
  return (await findDomain(ctx, ref)).found;
}

/** The caller in the organization of the domain that is meant: with their role and its plan there. Throws 404. */
export async function inDomainsOrganization(ctx: CallerContext, ref: MonitorRef): Promise<CallerContext> {
  return { ...ctx, caller: (await findDomain(ctx, ref)).caller };
}

/** That domain of the caller's organization, locked for a change. Throws 404. */
export async function lockDomain(ctx: CallerContext, ref: MonitorRef, trx: Db): Promise<Monitor> {
  const { organizationId } = ctx.caller;
  const monitor = await findMonitor(trx, { organizationId, kind, ref, lock: true });
  if (!monitor) throw notFound();
  return monitor;
}

function findDomain(ctx: CallerContext, ref: MonitorRef) {
  const { db } = ctx.store;
  const find = (organizationId: number) => findMonitor(db, { organizationId, kind, ref });
  return findAnywhere(ctx, find, () => findMonitorOwner(db, { kind, ref }));
}
