import type { CallsUnderWay, Context } from "../context.ts";
import { appendEvents, CANCEL_EVENT, INTERNAL_ORGANIZATION } from "../store/queries/events.ts";

/** What a client calls one of its calls; `sessionId`: empty for clients that have none. */
export const callKey = (
  caller: { userId: number; apiKeyId: number | null },
  sessionId: string,
  id: unknown,
) => JSON.stringify([caller.userId, caller.apiKeyId, sessionId, id]);

/** What a person calls one of their answers: another credential of theirs, such as that of another browser, may end it. */
export const answerKey = ({ userId }: { userId: number }, answerId: string) =>
  callKey({ userId, apiKeyId: null }, "answers", answerId);

/** Follows calls: a cancellation comes as a request of its own, which another replica may get. */
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
