import type { Clock } from "../clock.ts";
import type { Db } from "../store/db.ts";
import type { OwnInvitation } from "../store/queries/members.ts";
import { insertMember } from "../store/queries/members.ts";
import { confirmUserEmail, isEmailConfirmed } from "../store/queries/users.ts";
import type { Subject } from "./audit.ts";
import { isMailedCodeOf } from "./own-invitation.ts";

interface Joining {
  db: Db;
  clock: Clock;
  record(subject: Subject): void;
}

/**
 * Makes a person a member by an invitation that has just been used up, and says so in the organization's audit log. Who is
 * a member by then keeps their role. Who comes with the `code` that was mailed has the address.
 */
export async function joinOrganization(
  { db, clock, record }: Joining,
  invitation: OwnInvitation,
  { userId, code }: { userId: number; code: string },
): Promise<void> {
  const { organizationId, organizationName, role } = invitation;
  if (isMailedCodeOf(invitation, code) && !(await isEmailConfirmed(db, userId)))
    await confirmUserEmail(db, userId, clock.now());
  const isNew = await insertMember(db, { userId, organizationId, role }, clock.now());
  record({
    action: "accept invitation",
    id: organizationId,
    name: organizationName,
    ...(isNew && { after: role }),
    organizationId,
    userId,
  });
}
