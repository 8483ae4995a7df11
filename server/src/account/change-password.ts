import { Type } from "typebox";
import { invalidInput, unauthenticated } from "../errors.ts";
import { deleteMailedTokens, findUser, lockUser, updateUser } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { PasswordChange } from "../wire/auth.ts";
import { checkCredentials } from "./credentials.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { dropOtherSessions } from "./sessions.ts";

/**
 * Replaces the caller's password, ends their other sessions and makes links that were mailed to them worthless. Throws
 * 422 when the present one is wrong or the new one too weak.
 */
export const changePassword = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "change password",
  input: PasswordChange,
  output: Type.Object({}),
  async prepare(ctx, { currentPassword, password }) {
    const user = await findUser(ctx.store.db, ctx.caller.userId);
    if (!user) throw unauthenticated();
    if (!(await verifyPassword(currentPassword, user.passwordHash))) throw wrongPassword();
    checkCredentials({ email: user.email, password });
    return { verifiedHash: user.passwordHash, passwordHash: await hashPassword(password) };
  },
  async run(ctx, _, { verifiedHash, passwordHash }) {
    // Of two changes at the same time the second no longer knows the present password.
    const user = await lockUser(ctx.db, ctx.caller.userId);
    if (user?.passwordHash !== verifiedHash) throw wrongPassword();
    await updateUser(ctx.db, ctx.caller.userId, { passwordHash }, ctx.clock.now());
    await deleteMailedTokens(ctx.db, ctx.caller.userId);
    await dropOtherSessions(ctx);
    return {};
  },
});

const wrongPassword = () => invalidInput({ currentPassword: [fact("account.present_password")] });
