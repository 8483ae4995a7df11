import { randomUUIDv7 } from "node:crypto";
import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { insertMember } from "../store/queries/members.ts";
import { findOrganization, type OwnOrganization } from "../store/queries/organizations.ts";
import { insertUser } from "../store/queries/users.ts";
import { createOrganization } from "./create-organization.ts";
import { checkCredentials, nameFromEmail } from "./credentials.ts";
import { normalizeEmail } from "./email.ts";
import { hashPassword } from "./password.ts";

export interface NewUser {
  email: string;
  password: string;
  name?: string;
  /** Joined as member if one of that name exists, else created. Default: one named after the person. */
  organization?: string;
}

export interface CreatedUser {
  id: number;
  uuid: string;
  email: string;
  name: string;
  organization: OwnOrganization;
}

/** Creates a person and their organization (the command line's way). Throws 422 for a taken e-mail. */
export async function createUser(ctx: Context, input: NewUser): Promise<CreatedUser> {
  checkCredentials(input);
  const passwordHash = await hashPassword(input.password);
  return ctx.store.transaction(async (trx) => {
    const user = await addUser(ctx, trx, { ...input, passwordHash });
    const existing = input.organization && (await findOrganization(trx, { name: input.organization }));
    if (!existing) {
      const name = input.organization ?? user.name;
      return { ...user, organization: await createOrganization(ctx, trx, { name, ownerId: user.id }) };
    }
    const membership = { userId: user.id, organizationId: existing.id, role: "member" as const };
    await insertMember(trx, membership, ctx.clock.now());
    return { ...user, organization: { ...existing, role: "member" as const } };
  });
}

/** Adds the person's row. Throws 422 when the e-mail has an account. */
export async function addUser(
  ctx: Pick<Context, "clock">,
  trx: Db,
  input: { email: string; name?: string | undefined; passwordHash: string },
): Promise<Omit<CreatedUser, "organization">> {
  const email = normalizeEmail(input.email);
  const user = { uuid: randomUUIDv7(), email, name: input.name?.trim() || nameFromEmail(email) };
  const id = await insertUser(trx, { ...user, passwordHash: input.passwordHash }, ctx.clock.now());
  if (id === undefined) throw invalidInput({ email: ["The email has already been taken."] });
  return { id, ...user };
}
