import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findIncident, type Incident, type IncidentRef } from "../store/queries/incidents.ts";

/** One incident of the caller's organization. Throws 404 for any other. */
export async function getIncident(ctx: CallerContext, input: { ref: IncidentRef }): Promise<Incident> {
  const incident = await findIncident(ctx.store.db, ctx.caller.organizationId, input.ref);
  if (!incident) throw notFound();
  return incident;
}
