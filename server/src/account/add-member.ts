import type { CallerContext } from "../context.ts";
import { invalidInput, notFound } from "../errors.ts";
import { findMember, insertMember, type Member } from "../store/queries/members.ts";
import { findUserByEmail } from "../store/queries/users.ts";
import { addUser } from "./create-user.ts";
import { checkCredentials } from "./credentials.ts";
import { assertMayGrant } from "./grant.ts";
import { hashPassword } from "./password.ts";
import { callerIn } from "./resolve-organization.ts";
import type { Role } from "./scopes.ts";

export interface NewMember {
  organization: string;
  email: string;
  role: Role;
  /** Makes an account for somebody who has none. */
  password?: string;
  name?: string;
}

/**
 * Takes a person into an organization. Throws 422 when they are a member already, or have no account
 * and no password was given to make one; 403 when only an owner may grant the role.
 */
export async function addMember(ctx: CallerContext, input: NewMember): Promise<Member> {
  const caller = await callerIn(ctx, input.organization);
  assertMayGrant(caller.role, input.role);
  const { organizationId } = caller;
  const passwordHash = input.password === undefined ? undefined : await preparePassword(ctx, input);
  return ctx.store.transaction(async (trx) => {
    const known = await findUserByEmail(trx, input.email.trim());
    if (!known && passwordHash === undefined) throw invalidInput({ email: [NOBODY] });
    const id = known?.id ?? (await addUser(ctx, trx, { ...input, passwordHash: passwordHash as string })).id;
    const membership = { userId: id, organizationId, role: input.role };
    if (!(await insertMember(trx, membership, ctx.clock.now()))) {
      throw invalidInput({ email: ["This person is a member already."] });
    }
    const member = await findMember(trx, organizationId, { id });
    if (!member) throw notFound();
    return member;
  });
}

const NOBODY = "Nobody has an account with this e-mail address. Give a password to make one.";

/** An account that exists keeps its own password. */
async function preparePassword(ctx: CallerContext, input: NewMember): Promise<string | undefined> {
  if (await findUserByEmail(ctx.store.db, input.email.trim())) return undefined;
  const password = input.password ?? "";
  checkCredentials({ email: input.email.trim(), password });
  return hashPassword(password);
}
