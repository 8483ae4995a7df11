import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { countMonitors, listMonitors } from "../store/queries/monitor-list.ts";
import { uptimeByMonitor } from "../store/queries/transitions.ts";
import { type Domain, FIGURES_WINDOW_MS } from "./domain.ts";

export interface ListDomainsInput {
  /** Id, uuid or slug of one of the caller's organizations; default: that of their key or session. */
  organization?: string | undefined;
  /** Part of the name or the URL, in any case. */
  search?: string | undefined;
  /** `up` finds degraded ones too. */
  status?: "up" | "down" | "unknown" | undefined;
  /** From 1. */
  page: number;
  limit: number;
}

/**
 * One page of an organization's domains, newest first, in four queries however many they are.
 * Throws 404 for an organization that is not the caller's.
 */
export async function listDomains(
  ctx: CallerContext,
  input: ListDomainsInput,
): Promise<{ items: Domain[]; total: number }> {
  const { db } = ctx.store;
  const now = ctx.clock.now();
  const { search, status, limit } = input;
  const organizationId = await organizationScope(ctx, input.organization);
  const filter = { organizationId, kind: "domain", search, status } as const;
  const monitors = await listMonitors(db, filter, { limit, offset: (input.page - 1) * limit });
  const ids = monitors.map((monitor) => monitor.id);
  const uptimes = ids.length === 0 ? new Map() : await uptimeByMonitor(db, ids, now - FIGURES_WINDOW_MS, now);
  const items = monitors.map((monitor) => ({
    ...monitor,
    uptimePercentage: uptimes.get(monitor.id) ?? null,
  }));
  // A page that is not full is the last one, and says by itself how many there are.
  const isLast = items.length < limit && (items.length > 0 || input.page === 1);
  const total = isLast ? (input.page - 1) * limit + items.length : await countMonitors(db, filter);
  return { items, total };
}
