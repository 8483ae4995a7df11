import { Type } from "typebox";
import { notFound, PublicError } from "../errors.ts";
import { askFormerMember } from "../notification/channel/ask-address.ts";
import { deleteMember, lockOwners } from "../store/queries/members.ts";
import { findOrganizationOf, listOrganizationsOf } from "../store/queries/organizations.ts";
import { moveSessions } from "../store/queries/sessions.ts";
import { lockUser } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { Deleted, IdText } from "../wire/field.ts";
import { endAccess } from "./ended-access.ts";
import { lastOwner } from "./grant.ts";
import { parseOrganizationKey } from "./organization-key.ts";

/**
 * Ends the caller's own membership and their keys there; their sessions there move to another of their organizations.
 * Throws 404 if they do not belong to it, 409 for the last owner and for their only organization: without one nobody
 * can sign in.
 */
export const leaveOrganization = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "leave organization",
  input: Type.Object({ organization: IdText }),
  output: Deleted,
  async run(ctx, input) {
    const { db } = ctx;
    const { userId } = ctx.caller;
    const named = await findOrganizationOf(db, userId, parseOrganizationKey(input.organization));
    if (!named) throw notFound();
    const { id } = named;
    const owners = await lockOwners(db, id);
    // They may have left or been removed, or been given another role, while this waited.
    const organization = await findOrganizationOf(db, userId, { id });
    if (!organization) throw notFound();
    if (owners.length === 1 && owners[0] === userId) throw lastOwner();
    // Of two that are all of theirs, left or deleted at once, the second knows of the first.
    const user = await lockUser(db, userId);
    const other = (await listOrganizationsOf(db, userId)).find(
      (one) => one.id !== id && one.deletesAt === null,
    );
    if (!other) throw onlyOrganization();
    await moveSessions(db, userId, { from: id, to: other.id });
    await deleteMember(db, id, userId);
    if (user) await askFormerMember(ctx, db, { organizationId: id, email: user.email });
    endAccess(ctx, { of: "member", userId, organizationId: id });
    ctx.record({ id, before: organization.role, organizationId: id });
    return { id };
  },
});

/** 409: without an organization nobody can sign in. One that waits for its deletion does not count. */
export const onlyOrganization = () => new PublicError("conflict", fact("account.only_organization"));
