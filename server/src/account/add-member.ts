import { notFound } from "../errors.ts";
import { findMember, insertMember } from "../store/queries/members.ts";
import { verb } from "../verb/verb.ts";
import { NewMember } from "../wire/credentials.ts";
import { OrganizationMember, projectMember } from "../wire/organizations.ts";
import { addUser } from "./add-user.ts";
import { checkCredentials } from "./credentials.ts";
import { normalizeEmail } from "./email.ts";
import { assertMayGrant } from "./grant.ts";
import { hashPassword } from "./password.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/**
 * Creates an account in an organization for somebody who has none; people who have one are invited instead
 * (inviteMember). Throws 422 for bad input or an e-mail address that has an account already, 403 when only an owner
 * may grant the role.
 */
export const addMember = verb({
  resource: "organization",
  action: "write",
  audit: "add member",
  input: NewMember,
  output: OrganizationMember,
  find: findOrganizationNamed,
  async prepare({ caller }, { role, email, password }) {
    assertMayGrant(caller, role);
    checkCredentials({ email: normalizeEmail(email), password });
    return hashPassword(password);
  },
  async run(ctx, { email, name, role }, passwordHash) {
    const { organizationId } = ctx.caller;
    const { id } = await addUser(ctx, { email, name, passwordHash });
    await insertMember(ctx.db, { userId: id, organizationId, role }, ctx.clock.now());
    const member = await findMember(ctx.db, organizationId, { id });
    if (!member) throw notFound();
    ctx.record({ id, name: member.name, after: role });
    return projectMember(member);
  },
});
