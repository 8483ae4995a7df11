import { randomUUIDv7 } from "node:crypto";
import { type Static, Type } from "typebox";
import { deleteNotificationSettings } from "../alerts/queries/notification-settings.ts";
import { alignOwnChannels, confirmUserEmail } from "../alerts/queries/own-channels.ts";
import type { AuditAction } from "../platform/access/audit-actions.ts";
import { endAccess } from "../platform/access/ended-access.ts";
import { hashPassword } from "../platform/access/password.ts";
import { narrowKeys, replaceRecoveryCodes } from "../platform/access/queries/api-keys.ts";
import { findOrganization, listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import { deleteOtherSessions } from "../platform/access/queries/sessions.ts";
import {
  deleteMailedTokens,
  findUserByEmail,
  listUsers as queryUsers,
  type User,
} from "../platform/access/queries/users.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput, notFound } from "../platform/errors.ts";
import { normalizeEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import type { Language } from "../platform/i18n/render.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { checkCredentials, nameFromEmail } from "./credentials.ts";
import { createOrganization } from "./organizations.ts";
import { insertMember } from "./queries/members.ts";
import { insertUser, noteRecovered, updateUser } from "./queries/users.ts";
import { projectUser, UserOfInstallation } from "./schemas/auth.ts";
import { Organization, projectOrganization } from "./schemas/organizations.ts";

interface NewUser {
  email: string;
  name?: string | undefined;
  passwordHash: string;
  /** The browser's. */
  seenLanguage?: Language | undefined;
}

/** Throws 422 when the e-mail has an account. */
export async function addUser(
  { db, clock }: { db: Db; clock: Clock },
  input: NewUser,
): Promise<{ id: number; uuid: string; email: string; name: string }> {
  const email = normalizeEmail(input.email);
  const user = { uuid: randomUUIDv7(), email, name: input.name?.trim() || nameFromEmail(email) };
  const { passwordHash, seenLanguage } = input;
  const id = await insertUser(db, { ...user, passwordHash, seenLanguage }, clock.now());
  if (id === undefined) throw invalidInput({ email: [msg("account.email_taken")] });
  return { id, ...user };
}

/**
 * In the organization of that name, else as the owner of a new one, named after the person by default. Throws
 * 422 for a taken e-mail.
 */
export const createUser = verb({
  by: "operator",
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({
    email: Type.String(),
    password: Type.String(),
    name: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String()),
  }),
  output: Type.Object({ email: Type.String(), name: Type.String(), organization: Organization }),
  async prepare(_, input) {
    checkCredentials(input);
    return hashPassword(input.password);
  },
  async run(ctx, { email, name, organization }, passwordHash) {
    const { db, clock } = ctx;
    const user = await addUser(ctx, { email, name, passwordHash });
    // The operator answers for the people they add.
    await confirmUserEmail(db, user.id, clock.now());
    const existing = organization && (await findOrganization(db, { name: organization }));
    if (!existing) {
      const founding = { name: organization ?? user.name, ownerId: user.id };
      return { ...user, organization: projectOrganization(await createOrganization(ctx, founding)) };
    }
    const role = "member";
    await insertMember(db, { userId: user.id, organizationId: existing.id, role }, clock.now());
    return { ...user, organization: projectOrganization({ ...existing, role }) };
  },
});

/** In the order of their e-mail addresses. */
export const listUsers = verb({
  by: "operator",
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: Type.Array(UserOfInstallation),
  run: async ({ db }) => (await queryUsers(db)).map(projectUser),
});

/**
 * Revokes what another person may have had of a recovered account, since sign-up does not prove an address:
 * sessions, mailed links, notification settings, and its keys' reach over all organizations. In their own
 * organizations keys keep working, but may not change those settings.
 */
export async function giveBackAccount(
  ctx: Pick<Running, "db" | "clock" | "live" | "after">,
  userId: number,
): Promise<void> {
  const { db, clock } = ctx;
  await deleteMailedTokens(db, userId);
  for (const apiKeyId of await narrowKeys(db, userId)) endAccess(ctx, { of: "key", apiKeyId });
  await deleteOtherSessions(db, userId, null);
  endAccess(ctx, { of: "sessions", userId, exceptId: null });
  await noteRecovered(db, userId, clock.now());
  await deleteNotificationSettings(db, userId);
  await alignOwnChannels(db, userId, clock.now());
}

const operator = { by: "operator", resource: null, action: "write", audit: null } as const;
const WhoseAccount = Type.Object({ email: Type.String() });

/** Ends all of their sessions. Throws 404 for an unknown e-mail, 422 for a weak password. */
export const resetPassword = verb({
  ...operator,
  input: Type.Object({ ...WhoseAccount.properties, password: Type.String() }),
  output: WhoseAccount,
  async prepare(_, input) {
    checkCredentials(input);
    return hashPassword(input.password);
  },
  run: (ctx, input, passwordHash) => restore(ctx, input, { passwordHash }, "reset password"),
});

/** Ends all of their sessions. Throws 404 for an unknown e-mail. */
export const resetTwoFactor = verb({
  ...operator,
  input: WhoseAccount,
  output: WhoseAccount,
  run: (ctx, input) => restore(ctx, input, { totpSecret: null, totpPending: null }, "reset two-factor"),
});

/** Recorded in each of their organizations. */
async function restore(
  ctx: Running<"operator">,
  { email }: Static<typeof WhoseAccount>,
  change: Partial<Pick<User, "passwordHash" | "totpSecret" | "totpPending">>,
  action: AuditAction,
): Promise<Static<typeof WhoseAccount>> {
  const { db, clock } = ctx;
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound();
  await updateUser(db, user.id, change, clock.now());
  if (change.totpSecret === null) await replaceRecoveryCodes(db, user.id, [], clock.now());
  await giveBackAccount(ctx, user.id);
  for (const { id: organizationId } of await listOrganizationsOf(db, user.id)) {
    ctx.record({ id: user.id, name: user.email, action, organizationId });
  }
  return { email: user.email };
}
