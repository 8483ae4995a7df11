import type { Static } from "typebox";
import type { Running } from "../verb/verb.ts";
import type { AccountBody } from "../wire/credentials.ts";
import { addUser } from "./add-user.ts";
import { createOrganization } from "./create-organization.ts";
import { checkName } from "./name.ts";
import { type StartedSession, startSession } from "./start-session.ts";

/** Makes an account with an organization of its own, named after the person unless it has a name, and signs them in. */
export async function openAccount(
  ctx: Running<"anyone">,
  { email, name, organization }: Static<typeof AccountBody>,
  passwordHash: string,
): Promise<StartedSession> {
  const user = await addUser(ctx, { email, name, passwordHash, seenLanguage: ctx.visitor.language });
  await createOrganization(ctx, {
    name: organization?.trim() ? checkName(organization, "organization") : user.name,
    ownerId: user.id,
  });
  const started = await startSession(ctx, user.id);
  ctx.record({ ...started, id: user.id });
  return started;
}
