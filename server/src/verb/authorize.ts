import { assertAccess } from "../account/access.ts";
import type { Caller, Needs } from "../account/caller.ts";
import type { Feature } from "../account/plans.ts";
import { assertAccessSomewhere } from "../account/resolve-organization.ts";
import { PublicError, unauthenticated } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import type { Access, Calling } from "./verb.ts";

/** What it takes to call a verb; `more`: features that the transport itself belongs to. */
export const needsOf = (
  { by = "caller", action, resource, role, feature = "basic" }: Access,
  more: readonly Feature[] = [],
): Needs => ({
  by,
  action,
  resource,
  features: [...new Set([...more, feature])],
  ...(role && { role }),
});

/**
 * Lets in whoever may do it in some organization that may be meant; which one is meant, and what they may do there,
 * is known once the input has been read. Throws 401, or 403 for the plan, then the scope, then the role.
 */
export async function authorize(
  ctx: Calling,
  needs: Needs,
  { elsewhere = needs.resource !== null } = {},
): Promise<void> {
  const { caller } = ctx;
  if (needs.by === "anyone" || (needs.by === "operator" && ctx.operator)) return;
  if (!caller || needs.by === "operator") throw unauthenticated();
  if (needs.by === "session" && caller.kind !== "session") throw sessionRequired();
  if (elsewhere) await assertAccessSomewhere({ ...ctx, caller }, needs);
  else assertAccess(caller, needs);
}

/** The caller, about to do what has these needs. */
export const withNeeds = (caller: Caller, needs: Needs): Caller => ({ ...caller, needs });

const sessionRequired = () => new PublicError("forbidden", fact("access.session"));
