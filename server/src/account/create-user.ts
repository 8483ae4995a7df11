import { Type } from "typebox";
import { insertMember } from "../store/queries/members.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { confirmUserEmail } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { Organization, projectOrganization } from "../wire/organizations.ts";
import { addUser } from "./add-user.ts";
import { createOrganization } from "./create-organization.ts";
import { checkCredentials } from "./credentials.ts";
import { hashPassword } from "./password.ts";

/**
 * Creates a person, as a member of the organization of that name if it exists, else as the owner of a new one, named
 * after the person by default. Throws 422 for a taken e-mail.
 */
export const createUser = verb({
  by: "operator",
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({
    email: Type.String(),
    password: Type.String(),
    name: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String()),
  }),
  output: Type.Object({ email: Type.String(), name: Type.String(), organization: Organization }),
  async prepare(_, input) {
    checkCredentials(input);
    return hashPassword(input.password);
  },
  async run(ctx, { email, name, organization }, passwordHash) {
    const { db, clock } = ctx;
    const user = await addUser(ctx, { email, name, passwordHash });
    // Whoever runs the installation answers for the people they add.
    await confirmUserEmail(db, user.id, clock.now());
    const existing = organization && (await findOrganization(db, { name: organization }));
    if (!existing) {
      const founding = { name: organization ?? user.name, ownerId: user.id };
      return { ...user, organization: projectOrganization(await createOrganization(ctx, founding)) };
    }
    const role = "member";
    await insertMember(db, { userId: user.id, organizationId: existing.id, role }, clock.now());
    return { ...user, organization: projectOrganization({ ...existing, role }) };
  },
});
