import { invalidInput } from "../errors.ts";
import { listOrganizationsOf } from "../store/queries/organizations.ts";
import { insertSession } from "../store/queries/sessions.ts";
import { fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";
import { hashToken, randomToken } from "./token.ts";

const MAX_USER_AGENT_LENGTH = 300;

export interface StartedSession {
  /** For the cookie; only its hash is kept. */
  token: string;
  userId: number;
  organizationId: number;
}

/**
 * Starts a session in that organization of the person's, else in their oldest that stays, if there is one. Throws 422 when
 * they belong to none any more.
 */
export async function startSession(
  { clock, visitor, db }: Running<"anyone">,
  userId: number,
  wanted?: number,
): Promise<StartedSession> {
  const organizations = await listOrganizationsOf(db, userId);
  const organization =
    organizations.find(({ id }) => id === wanted) ??
    organizations.find(({ deletesAt }) => deletesAt === null) ??
    organizations[0];
  if (!organization) {
    throw invalidInput({ email: [fact("account.homeless")] });
  }
  const token = randomToken();
  const session = {
    tokenHash: hashToken(token),
    userId,
    organizationId: organization.id,
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  };
  await insertSession(db, session, clock.now());
  return { token, userId, organizationId: organization.id };
}
