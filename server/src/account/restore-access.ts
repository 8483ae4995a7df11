import { type Static, Type } from "typebox";
import { notFound } from "../errors.ts";
import { replaceRecoveryCodes } from "../store/queries/api-keys.ts";
import { listOrganizationsOf } from "../store/queries/organizations.ts";
import { findUserByEmail, type User, updateUser } from "../store/queries/users.ts";
import { type Running, verb } from "../verb/verb.ts";
import type { AuditAction } from "./audit-actions.ts";
import { checkCredentials } from "./credentials.ts";
import { giveBackAccount } from "./give-back-account.ts";
import { hashPassword } from "./password.ts";

const operator = { by: "operator", resource: null, action: "write", audit: null } as const;
const WhoseAccount = Type.Object({ email: Type.String() });

/** Gives somebody a new password and ends all of their sessions. Throws 404 for an unknown e-mail, 422 for a weak password. */
export const resetPassword = verb({
  ...operator,
  input: Type.Object({ ...WhoseAccount.properties, password: Type.String() }),
  output: WhoseAccount,
  async prepare(_, input) {
    checkCredentials(input);
    return hashPassword(input.password);
  },
  run: (ctx, input, passwordHash) => restore(ctx, input, { passwordHash }, "reset password"),
});

/** Turns off somebody's two-factor sign-in, and ends all of their sessions. Throws 404 for an unknown e-mail. */
export const resetTwoFactor = verb({
  ...operator,
  input: WhoseAccount,
  output: WhoseAccount,
  run: (ctx, input) => restore(ctx, input, { totpSecret: null, totpPending: null }, "reset two-factor"),
});

/** Every organization of theirs learns of it. */
async function restore(
  ctx: Running<"operator">,
  { email }: Static<typeof WhoseAccount>,
  change: Partial<Pick<User, "passwordHash" | "totpSecret" | "totpPending">>,
  action: AuditAction,
): Promise<Static<typeof WhoseAccount>> {
  const { db, clock } = ctx;
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound();
  await updateUser(db, user.id, change, clock.now());
  if (change.totpSecret === null) await replaceRecoveryCodes(db, user.id, [], clock.now());
  await giveBackAccount(ctx, user.id);
  for (const { id: organizationId } of await listOrganizationsOf(db, user.id)) {
    ctx.record({ id: user.id, name: user.email, action, organizationId });
  }
  return { email: user.email };
}
