import { randomUUIDv7 } from "node:crypto";
import { invalidInput, notFound, PublicError } from "../errors.ts";
import { countOtherInvitations, findInvitation, saveInvitation } from "../store/queries/invitations.ts";
import { findMember } from "../store/queries/members.ts";
import { findUserByEmail } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { CreatedInvitation, NewInvitation, projectInvitation } from "../wire/invitations.ts";
import { isEmail, normalizeEmail, notAnEmail } from "./email.ts";
import { assertMayGrant } from "./grant.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";
import { hashCode, randomCode } from "./spoken-code.ts";

const VALID_MS = 30 * 86_400_000;
/** Nobody needs more at once; whoever makes more is filling the table. */
const MAX_OPEN = 200;

/**
 * Invites a person to an organization; they become a member when they accept. The answer is the same whether or not
 * the e-mail address has an account. Addresses are not verified, so the inviter hands the code over. Inviting the
 * same address again replaces the invitation. Throws 403 when only an owner may grant the role, 422 for a malformed
 * address or a member's.
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
    const { organizationId, role: own, userId } = ctx.caller;
    assertMayGrant(own, input.role);
    const email = normalizeEmail(input.email);
    if (!isEmail(email)) throw invalidInput({ email: [notAnEmail()] });
    const known = await findUserByEmail(db, email);
    if (known && (await findMember(db, organizationId, { id: known.id }))) {
      throw invalidInput({ email: [fact("account.member")] });
    }
    const now = clock.now();
    if ((await countOtherInvitations(db, { organizationId, email }, now)) >= MAX_OPEN) throw tooMany();
    const code = randomCode();
    const invitation = {
      uuid: randomUUIDv7(),
      organizationId,
      email,
      role: input.role,
      invitedBy: userId,
      expiresAt: now + VALID_MS,
      codeHash: hashCode(code),
    };
    const id = await saveInvitation(db, invitation, now);
    const saved = await findInvitation(db, { organizationId }, { id }, now);
    if (!saved) throw notFound();
    ctx.record({ id, name: email });
    return { ...projectInvitation(saved), code };
  },
});

const tooMany = () => new PublicError("quota_reached", fact("quota.invitations", { limit: MAX_OPEN }));
