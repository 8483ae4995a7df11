import { invalidInput, PublicError } from "../errors.ts";
import { countOtherInvitations, findMember } from "../store/queries/members.ts";
import { findUserByEmail } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { CreatedInvitation, NewInvitation } from "../wire/invitations.ts";
import { isEmail, normalizeEmail, notAnEmail } from "./email.ts";
import { assertMayGrant } from "./grant.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";
import { sendInvitation } from "./send-invitation.ts";

/** Nobody needs more at once; whoever makes more is filling the table. */
export const MAX_OPEN_INVITATIONS = 200;

/**
 * Invites a person to an organization; they become a member when they accept. The answer is the same whether or not
 * the e-mail address has an account. The code proves who is meant: it goes there by mail, or the inviter hands it over.
 * Inviting the same address again replaces the invitation. Throws 403 when only an owner may grant the role, 422 for a malformed
 * address or a member's. Where the mail may not be sent, the answer says why.
 */
export const inviteMember = verb({
  resource: "organization",
  action: "write",
  audit: "invite member",
  input: NewInvitation,
  output: CreatedInvitation,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const { db, clock } = ctx;
    const { organizationId } = ctx.caller;
    assertMayGrant(ctx.caller, input.role);
    const email = normalizeEmail(input.email);
    if (!isEmail(email)) throw invalidInput({ email: [notAnEmail()] });
    const known = await findUserByEmail(db, email);
    if (known && (await findMember(db, organizationId, { id: known.id }))) {
      throw invalidInput({ email: [fact("account.member")] });
    }
    const now = clock.now();
    if ((await countOtherInvitations(db, { organizationId, email }, now)) >= MAX_OPEN_INVITATIONS)
      throw tooMany();
    return sendInvitation(ctx, { email, role: input.role });
  },
});

const tooMany = () =>
  new PublicError("quota_reached", fact("quota.invitations", { limit: MAX_OPEN_INVITATIONS }));
