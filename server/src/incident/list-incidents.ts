import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import {
  countIncidents,
  type Incident,
  type IncidentSeverity,
  listIncidents as readIncidents,
} from "../store/queries/incidents.ts";
import type { IncidentStatus } from "./states.ts";

export interface ListIncidentsInput {
  /** Id, uuid or slug of one of the caller's organizations; default: that of their key or session. */
  organization?: string | undefined;
  status?: IncidentStatus | undefined;
  severity?: IncidentSeverity | undefined;
  /** From 1. */
  page: number;
  limit: number;
}

/**
 * One page of an organization's incidents, newest first, and how many there are.
 * Throws 404 for an organization that is not the caller's.
 */
export async function listIncidents(
  ctx: CallerContext,
  input: ListIncidentsInput,
): Promise<{ items: Incident[]; total: number }> {
  const { status, severity, page, limit } = input;
  const organizationId = await organizationScope(ctx, input.organization);
  const filter = { organizationId, status, severity };
  const { db } = ctx.store;
  const items = await readIncidents(db, filter, { limit, offset: (page - 1) * limit });
  return { items, total: await countIncidents(db, filter) };
}
