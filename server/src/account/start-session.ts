import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { listOrganizationsOf } from "../store/queries/organizations.ts";
import { insertSession } from "../store/queries/sessions.ts";
import { hashToken, randomToken } from "./token.ts";

const MAX_USER_AGENT_LENGTH = 300;

/** Where a session is started from. */
export interface Device {
  address: string;
  userAgent: string;
  /** Whether the person has signed in from it before. */
  isKnown?: boolean;
}

export interface StartedSession {
  /** For the cookie; only its hash is kept. */
  token: string;
  userId: number;
  organizationId: number;
}

/** Starts a session in the person's oldest organization. Throws 422 when they belong to none any more. */
export async function startSession(
  ctx: Context,
  db: Db,
  userId: number,
  device: Device,
): Promise<StartedSession> {
  const [organization] = await listOrganizationsOf(db, userId);
  if (!organization) {
    throw invalidInput({ email: ["This account does not belong to any organization any more."] });
  }
  const token = randomToken();
  const session = {
    tokenHash: hashToken(token),
    userId,
    organizationId: organization.id,
    address: device.address,
    userAgent: device.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  };
  await insertSession(db, session, ctx.clock.now());
  return { token, userId, organizationId: organization.id };
}
