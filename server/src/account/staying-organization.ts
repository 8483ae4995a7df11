import { notFound, PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";

/** Throws 409 for an organization that waits for its deletion: nothing is watched there; 404 for one that is gone. */
export function assertStays(organization: { deletesAt: number | null } | undefined): void {
  if (!organization) throw notFound();
  const { deletesAt } = organization;
  if (deletesAt === null) return;
  throw new PublicError("conflict", fact("organization.ending", { at: new Date(deletesAt).toISOString() }));
}
