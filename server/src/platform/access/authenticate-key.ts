import type { Context } from "../context.ts";
import type { Caller } from "./caller.ts";
import { findKeyHolder, touchKey } from "./queries/api-keys.ts";
import { hashToken } from "./random-tokens.ts";

const TOKEN = /^vdt_[\w-]{43}$/;
/** A key's last use is written at most this often. */
const TOUCH_INTERVAL_MS = 60_000;

/** Who holds this API key; null when it is malformed, unknown, expired, or its person has left. */
export async function authenticateKey(
  ctx: Context,
  token: string,
  request: { id: string; address: string },
): Promise<Caller | null> {
  if (!TOKEN.test(token)) return null;
  const holder = await findKeyHolder(ctx.store.db, hashToken(token));
  const now = ctx.clock.now();
  if (!holder || (holder.expiresAt !== null && holder.expiresAt <= now)) return null;
  if (holder.lastUsedAt === null || now - holder.lastUsedAt >= TOUCH_INTERVAL_MS) {
    await touchKey(ctx.store.db, holder.apiKeyId, now);
  }
  const { lastUsedAt: _, expiresAt: keyExpiresAt, ...rest } = holder;
  const { id: requestId, address } = request;
  return { kind: "key", sessionId: null, ...rest, keyExpiresAt, requestId, address };
}
