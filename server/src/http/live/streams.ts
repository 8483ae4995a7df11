import type { FastifyReply } from "fastify";
import { isCallerAlive } from "../../account/is-caller-alive.ts";
import type { CallerContext, LiveSubscription } from "../../context.ts";
import { PublicError } from "../../errors.ts";
import {
  type EventStream,
  eventText,
  HEARTBEAT_TEXT,
  openEventStream,
  positionText,
  resetText,
} from "./event-stream.ts";

const STREAMS_A_PERSON = 20;

export interface StreamTimings {
  /** Between comments that keep proxies from closing a quiet connection. */
  heartbeatMs: number;
  /** Between looks whether the key or session still exists. */
  recheckMs: number;
}

/** The open streams of this process. */
export function createStreams(timings: StreamTimings) {
  const open = new Set<EventStream>();
  const byUser = new Map<number, number>();

  const enter = (userId: number): (() => void) => {
    const already = byUser.get(userId) ?? 0;
    if (already >= STREAMS_A_PERSON) throw tooMany();
    byUser.set(userId, already + 1);
    return () => {
      const left = (byUser.get(userId) ?? 1) - 1;
      if (left > 0) byUser.set(userId, left);
      else byUser.delete(userId);
    };
  };
  return {
    /**
     * Answers with a stream that lives until the client, the server or the caller's rights end it.
     * Throws 429 when the person has too many open, 503 when no live events are to be had.
     */
    async open(ctx: CallerContext, reply: FastifyReply, afterId: number | null): Promise<void> {
      const leave = enter(ctx.caller.userId);
      try {
        const stream = await start(ctx, reply, afterId, timings, () => {
          leave();
          if (stream) open.delete(stream);
        });
        if (stream) open.add(stream);
        else leave();
      } catch (error) {
        leave();
        throw error;
      }
    },
    endAll(): void {
      for (const stream of open) stream.end();
    },
  };
}

const tooMany = () =>
  new PublicError("rate_limited", `At most ${STREAMS_A_PERSON} live streams a person.`, {
    retryAfterSeconds: 60,
  });

/** Null when the client went away before its stream could begin: nothing would ever tell of its end. */
async function start(
  ctx: CallerContext,
  reply: FastifyReply,
  afterId: number | null,
  timings: StreamTimings,
  onClose: () => void,
): Promise<EventStream | null> {
  // Events that arrive before the answer has begun.
  const early: string[] = [];
  let stream: EventStream | null = null;
  const subscription = await ctx.live.subscribe?.(ctx.caller.organizationId, afterId, (event) => {
    if (stream) stream.send(eventText(event));
    else early.push(eventText(event));
  });
  if (!subscription) throw new PublicError("unavailable", "Service Unavailable", { retryAfterSeconds: 5 });
  if (reply.raw.destroyed) {
    subscription.end();
    return null;
  }
  const timers = [
    setInterval(() => stream?.send(HEARTBEAT_TEXT), timings.heartbeatMs),
    setInterval(() => void endWhenRevoked(ctx, () => stream?.end()), timings.recheckMs),
  ];
  const opened = openEventStream(reply, () => {
    timers.forEach(clearInterval);
    subscription.end();
    onClose();
  });
  begin(opened, subscription, afterId, early);
  stream = opened;
  // What could not be read is asked for again: the client reconnects with the last id it has.
  subscription.replayed.catch((error: unknown) => {
    ctx.log.warn({ err: error }, "missed live events cannot be read");
    opened.end();
  });
  return opened;
}

function begin(
  stream: EventStream,
  subscription: LiveSubscription,
  afterId: number | null,
  early: string[],
): void {
  const { complete, startId } = subscription;
  if (!complete) stream.send(resetText(startId));
  else if (afterId === null) stream.send(positionText(startId));
  for (const text of early) stream.send(text);
}

async function endWhenRevoked(ctx: CallerContext, end: () => void): Promise<void> {
  // A store that cannot be asked revokes nothing.
  if (!(await isCallerAlive(ctx).catch(() => true))) end();
}
