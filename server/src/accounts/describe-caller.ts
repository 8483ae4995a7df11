import { type Static, Type } from "typebox";
import { sendsMail } from "../alerts/mail/send-mail.ts";
import { organizationsOf } from "../platform/access/check-access.ts";
import { findUser } from "../platform/access/queries/users.ts";
import { isForThisMachineOnly } from "../platform/config.ts";
import { unauthenticated } from "../platform/errors.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { hasUsers } from "./queries/users.ts";
import { AuthState, Me, projectMe } from "./schemas/auth.ts";

export const describeCaller = verb({
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: Me,
  run: (ctx) => describe(ctx),
});

export async function describe({ db, caller }: Pick<Running, "db" | "caller">): Promise<Static<typeof Me>> {
  const user = await findUser(db, caller.userId);
  const organizations = await organizationsOf({ caller }, db);
  const organization = organizations.find(({ id }) => id === caller.organizationId);
  if (!user || !organization) throw unauthenticated();
  return projectMe({ user, organization, organizations, scopes: caller.scopes });
}

export const readAuthState = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: AuthState,
  async run({ db, config }) {
    const setupRequired = !(await hasUsers(db));
    return {
      setupRequired,
      setupTokenRequired: setupRequired && !isForThisMachineOnly(config),
      signupOpen: config.signup === "open",
      mail: sendsMail(config),
    };
  },
});
