import type { CallerContext } from "../context.ts";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import { organizationsOf } from "./resolve-organization.ts";

/** Every organization the caller may act in, oldest first. */
export const listOrganizations = (ctx: CallerContext): Promise<OwnOrganization[]> => organizationsOf(ctx);
