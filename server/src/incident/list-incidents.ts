import type { CallerContext } from "../context.ts";
import {
  countIncidents,
  type Incident,
  type IncidentSeverity,
  listIncidents as readIncidents,
} from "../store/queries/incidents.ts";
import type { IncidentStatus } from "./states.ts";

export interface ListIncidentsInput {
  status?: IncidentStatus | undefined;
  severity?: IncidentSeverity | undefined;
  /** From 1. */
  page: number;
  limit: number;
}

/**
 * One page of the organization's incidents, newest first, and how many there are.
 */
export async function listIncidents(
  ctx: CallerContext,
  input: ListIncidentsInput,
): Promise<{ items: Incident[]; total: number }> {
  const { status, severity, page, limit } = input;
  const { organizationId } = ctx.caller;
  const filter = { organizationId, status, severity };
  const { db } = ctx.store;
  const items = await readIncidents(db, filter, { limit, offset: (page - 1) * limit });
  return { items, total: await countIncidents(db, filter) };
}
