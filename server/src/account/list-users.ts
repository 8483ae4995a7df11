import { Type } from "typebox";
import { listUsers as queryUsers } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { projectUser, UserOfInstallation } from "../wire/auth.ts";

/** Everybody who has an account on this installation, in the order of their e-mail addresses. */
export const listUsers = verb({
  by: "operator",
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: Type.Array(UserOfInstallation),
  run: async ({ db }) => (await queryUsers(db)).map(projectUser),
});
