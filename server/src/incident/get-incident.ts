import { findAnywhere } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import {
  findIncident,
  findIncidentOwner,
  type Incident,
  type IncidentRef,
} from "../store/queries/incidents.ts";

/** One incident of an organization that the caller may act in. Throws 404 for any other. */
export async function getIncident(ctx: CallerContext, input: { ref: IncidentRef }): Promise<Incident> {
  const { db } = ctx.store;
  const find = (organizationId: number) => findIncident(db, organizationId, input.ref);
  return (await findAnywhere(ctx, find, () => findIncidentOwner(db, input.ref))).found;
}
