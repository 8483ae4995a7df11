import type { CallerContext } from "../context.ts";
import { PublicError } from "../errors.ts";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import { createOrganization } from "./create-organization.ts";
import { checkName } from "./name.ts";

/**
 * Creates another organization, which the caller owns. Throws 422 for an empty or overlong name, 403 for a key that
 * could not act in it.
 */
export async function foundOrganization(
  ctx: CallerContext,
  input: { name: string },
): Promise<OwnOrganization> {
  if (!ctx.caller.allOrganizations) throw ownOnly();
  const name = checkName(input.name);
  return ctx.store.transaction((trx) => createOrganization(ctx, trx, { name, ownerId: ctx.caller.userId }));
}

const ownOnly = () =>
  new PublicError(
    "forbidden",
    "This API key acts in its own organization only. Make one for all of your organizations, or sign in.",
  );
