import type { CallerContext } from "../context.ts";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import { createOrganization } from "./create-organization.ts";
import { checkName } from "./name.ts";

/** The caller founds another organization and owns it. Throws 422 for an empty or overlong name. */
export async function foundOrganization(
  ctx: CallerContext,
  input: { name: string },
): Promise<OwnOrganization> {
  const name = checkName(input.name);
  return ctx.store.transaction((trx) => createOrganization(ctx, trx, { name, ownerId: ctx.caller.userId }));
}
