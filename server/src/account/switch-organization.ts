import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { findOrganizationOf } from "../store/queries/organizations.ts";
import { switchSession } from "../store/queries/sessions.ts";
import { verb } from "../verb/verb.ts";
import { Me } from "../wire/auth.ts";
import { describe } from "./describe-caller.ts";
import { endAccess } from "./ended-access.ts";
import { parseOrganizationKey } from "./organization-key.ts";

/** Moves the caller's session to another of their organizations (id, uuid or slug). Throws 404 for any other. */
export const switchOrganization = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: null,
  input: Type.Object({
    organization: Type.String({ minLength: 1, description: "Id, uuid or slug.", examples: ["example"] }),
  }),
  output: Me,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const key = parseOrganizationKey(input.organization);
    const organization = await findOrganizationOf(db, caller.userId, key);
    if (!organization || caller.sessionId === null) throw notFound();
    await switchSession(db, caller.sessionId, organization.id);
    // Its streams belong to the organization that it has left; clients that reconnect get the new one's.
    endAccess(ctx, { of: "session", sessionId: caller.sessionId });
    return describe({ db, caller: { ...caller, organizationId: organization.id } });
  },
});
