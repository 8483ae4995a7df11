import { type Static, Type } from "typebox";
import { ROLES } from "../account/scopes.ts";
import type { ListedUser } from "../store/queries/users.ts";
import { oneOf, Timestamp, timestamp } from "./field.ts";

/** Somebody with an account, as the person sees them who runs the installation. */
export const UserOfInstallation = Type.Object({
  email: Type.String(),
  name: Type.String(),
  twoFactor: Type.Boolean(),
  createdAt: Timestamp,
  organizations: Type.Array(Type.Object({ slug: Type.String(), role: oneOf(ROLES) })),
});

export const projectUser = ({ createdAt, ...user }: ListedUser): Static<typeof UserOfInstallation> => ({
  ...user,
  createdAt: timestamp(createdAt),
});
