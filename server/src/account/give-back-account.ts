import { noteChannels } from "../alerts/note.ts";
import { narrowKeys } from "../store/queries/api-keys.ts";
import { alignOwnChannels, deleteNotificationSettings, listOwn } from "../store/queries/own-channels.ts";
import { deleteOtherSessions } from "../store/queries/sessions.ts";
import { deleteMailedTokens, noteRecovered } from "../store/queries/users.ts";
import type { Running } from "../verb/verb.ts";
import { endAccess } from "./ended-access.ts";

/**
 * Ends what somebody else may have had of an account whose password its person gets anew: all sessions, links that were
 * mailed, where and when the person is told something, and the reach of its keys over all organizations: whoever signs up
 * need not show that the address is theirs, and must neither act nor hear where the right person is invited to. In their
 * own organizations keys keep working, but change no more where the person is told something.
 */
export async function giveBackAccount(
  ctx: Pick<Running, "db" | "clock" | "live" | "after">,
  userId: number,
): Promise<void> {
  const { db, clock } = ctx;
  await deleteMailedTokens(db, userId);
  for (const apiKeyId of await narrowKeys(db, userId)) endAccess(ctx, { of: "key", apiKeyId });
  await deleteOtherSessions(db, userId, null);
  endAccess(ctx, { of: "sessions", userId, keptId: null });
  await noteRecovered(db, userId, clock.now());
  await deleteNotificationSettings(db, userId);
  await alignOwnChannels(db, userId, clock.now());
  await noteChannels(db, await listOwn(db, userId), clock.now());
}
