import { createHmac, hash, randomUUID } from "node:crypto";
import type { Caller } from "../platform/access/caller.ts";
import { isSameSecret } from "../platform/access/random-tokens.ts";
import type { Context } from "../platform/context.ts";
import { appendEvents, CANCEL_EVENT, INTERNAL_ORGANIZATION } from "../platform/database/events.ts";
import type { CallsUnderWay } from "./assistant-tool.ts";
import { spendConfirmation } from "./queries/assistant-calls.ts";

/** Long enough to get the person's consent, too short to be found later. */
const LASTS_MS = 5 * 60_000;

interface ConfirmedCall {
  caller: Pick<Caller, "userId" | "apiKeyId" | "organizationId">;
  tool: string;
  arguments: unknown;
}

type Needs = Pick<Context, "store" | "clock" | "secrets">;

/** A token for this very call, once, until `expiresAt` (milliseconds). It is signed, not stored. */
export function makeConfirmation(
  { clock, secrets }: Needs,
  call: ConfirmedCall,
): { token: string; expiresAt: number } {
  const expiresAt = clock.now() + LASTS_MS;
  const id = randomUUID();
  return { token: `${id}.${expiresAt}.${signatureOf(secrets, { id, expiresAt, call })}`, expiresAt };
}

/**
 * Uses a confirmation up, on whichever replica. False: invalid, expired, used, or for another call or caller.
 */
export async function takeConfirmation(
  { store, clock, secrets }: Needs,
  token: string,
  call: ConfirmedCall,
): Promise<boolean> {
  const [id = "", until = "", signature = ""] = token.split(".");
  const expiresAt = Number(until);
  if (!isSameSecret(signature, signatureOf(secrets, { id, expiresAt, call }))) return false;
  return expiresAt > clock.now() && spendConfirmation(store.db, id, expiresAt);
}

function signatureOf(
  secrets: Needs["secrets"],
  { id, expiresAt, call }: { id: string; expiresAt: number; call: ConfirmedCall },
): string {
  const { userId, apiKeyId, organizationId } = call.caller;
  const said = [id, expiresAt, userId, apiKeyId, organizationId, call.tool, digestOf(call.arguments)];
  return createHmac("sha256", secrets.derive("confirmations of assistants"))
    .update(JSON.stringify(said))
    .digest("base64url");
}

/** Independent of the order of fields. */
const digestOf = (value: unknown): string => hash("sha256", JSON.stringify(inOrder(value)) ?? "", "hex");

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, own]) => [name, inOrder(own)]);
}

/** `sessionId`: empty for clients without sessions. */
export const callKey = (
  caller: { userId: number; apiKeyId: number | null },
  sessionId: string,
  id: unknown,
) => JSON.stringify([caller.userId, caller.apiKeyId, sessionId, id]);

/** By person: another of their credentials, such as another browser's, may end the answer. */
export const answerKey = ({ userId }: { userId: number }, answerId: string) =>
  callKey({ userId, apiKeyId: null }, "answers", answerId);

/** A cancellation is a request of its own, which another replica may receive. */
export function followCalls(ctx: Pick<Context, "store" | "clock" | "live">): CallsUnderWay {
  const calls = new Map<string, Set<AbortController>>();
  const stop = (key: string): boolean => {
    const own = calls.get(key);
    own?.forEach((call) => call.abort(new Error("The call was cancelled.")));
    return own !== undefined;
  };
  ctx.live.onEvent?.(CANCEL_EVENT, ({ key }) => void stop(String(key)));
  return {
    begin(key, gone) {
      const call = new AbortController();
      const own = calls.get(key) ?? new Set();
      calls.set(key, own.add(call));
      return {
        signal: AbortSignal.any([gone, call.signal]),
        end() {
          own.delete(call);
          if (own.size === 0 && calls.get(key) === own) calls.delete(key);
        },
      };
    },
    async cancel(key) {
      if (stop(key) || !ctx.store.pool) return;
      await ctx.store.transaction(async (db) => {
        const event = {
          organizationId: INTERNAL_ORGANIZATION,
          type: CANCEL_EVENT,
          payload: { key },
        } as const;
        appendEvents(db, [event], ctx.clock.now());
      });
      ctx.live.wake();
    },
    endAll: () => calls.forEach((_, key) => void stop(key)),
    count: (userId) =>
      [...calls].reduce((sum, [key, own]) => sum + (key.startsWith(`[${userId},`) ? own.size : 0), 0),
  };
}
