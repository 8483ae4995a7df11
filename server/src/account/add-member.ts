import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findMember, insertMember, type Member } from "../store/queries/members.ts";
import { addUser } from "./create-user.ts";
import { checkCredentials } from "./credentials.ts";
import { normalizeEmail } from "./email.ts";
import { assertMayGrant } from "./grant.ts";
import { hashPassword } from "./password.ts";
import { callerIn } from "./resolve-organization.ts";
import type { Role } from "./scopes.ts";

export interface NewMember {
  organization: string;
  email: string;
  role: Role;
  password: string;
  name?: string;
}

/**
 * Creates an account in an organization for somebody who has none; people who have one are invited instead
 * (inviteMember). Throws 422 for bad input or an e-mail address that has an account already, 403 when only an owner
 * may grant the role.
 */
export async function addMember(ctx: CallerContext, input: NewMember): Promise<Member> {
  const { organizationId, role: own } = await callerIn(ctx, input.organization);
  assertMayGrant(own, input.role);
  const person = { ...input, email: normalizeEmail(input.email) };
  checkCredentials(person);
  const passwordHash = await hashPassword(input.password);
  return ctx.store.transaction(async (trx) => {
    const { id } = await addUser(ctx, trx, { ...person, passwordHash });
    await insertMember(trx, { userId: id, organizationId, role: input.role }, ctx.clock.now());
    const member = await findMember(trx, organizationId, { id });
    if (!member) throw notFound();
    return member;
  });
}
