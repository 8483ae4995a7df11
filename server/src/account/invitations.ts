import { Type } from "typebox";
import { unauthenticated } from "../errors.ts";
import { listInvitationsOf, listInvitations as queryInvitations } from "../store/queries/members.ts";
import { findUser } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { IdText } from "../wire/field.ts";
import { Invitation, MyInvitation, projectInvitation, projectMyInvitation } from "../wire/invitations.ts";
import { NewestFirstQuery, pageOf } from "../wire/page.ts";
import { isGood } from "./own-invitation.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** An organization's open invitations, newest first. Throws 404 if it is not the caller's. */
export const listInvitations = verb({
  resource: "organization",
  action: "read",
  input: Type.Object({ organization: IdText, ...NewestFirstQuery }),
  output: Type.Array(Invitation),
  paged: true,
  find: findOrganizationNamed,
  async run({ db, caller, clock }, input) {
    const open = await queryInvitations(db, caller.organizationId, clock.now());
    return pageOf(open.map(projectInvitation), input);
  },
});

/** The caller's own open invitations, newest first. */
export const listOwnInvitations = verb({
  resource: null,
  by: "session",
  action: "read",
  input: Type.Object(NewestFirstQuery),
  output: Type.Array(MyInvitation),
  paged: true,
  async run({ db, caller, clock }, input) {
    const user = await findUser(db, caller.userId);
    if (!user) throw unauthenticated();
    const open = await listInvitationsOf(db, user.email, clock.now());
    return pageOf(open.filter(isGood).map(projectMyInvitation), input);
  },
});
