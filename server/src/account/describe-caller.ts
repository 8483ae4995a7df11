import { type Static, Type } from "typebox";
import { unauthenticated } from "../errors.ts";
import { findUser } from "../store/queries/users.ts";
import { type Running, verb } from "../verb/verb.ts";
import { Me, projectMe } from "../wire/auth.ts";
import { organizationsOf } from "./resolve-organization.ts";

/** Who is calling, where, and where else they could. */
export const describeCaller = verb({
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: Me,
  run: (ctx) => describe(ctx),
});

/** The same within another verb. */
export async function describe({ db, caller }: Pick<Running, "db" | "caller">): Promise<Static<typeof Me>> {
  const user = await findUser(db, caller.userId);
  const organizations = await organizationsOf({ caller }, db);
  const organization = organizations.find(({ id }) => id === caller.organizationId);
  if (!user || !organization) throw unauthenticated();
  return projectMe({ user, organization, organizations, scopes: caller.scopes });
}
