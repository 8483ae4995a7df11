import type { FastifyReply } from "fastify";
import { concerns, type EndedAccess, isCallerAlive, type LastingAccess } from "../access/ended-access.ts";
import type { CallerContext, Context, LiveReader, LiveSubscription } from "../context.ts";
import { PublicError, unavailable } from "../errors.ts";
import { msg } from "../i18n/message.ts";

const STREAMS_A_PERSON = 20;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface StreamTimings {
  /** Between comments that keep proxies from closing a quiet connection. */
  heartbeatMs: number;
  /** How often to check that the key or session still exists, for endings that no event reports. */
  recheckMs: number;
  /** A client that reads nothing for so long is cut off. */
  stallMs: number;
}

interface StreamRequest extends Pick<LiveReader, "family" | "types"> {
  /** Of the key or session; another may be viewed. */
  homeOrganizationId: number;
  /** Others that it reports on: it ends with the rights in any of them. */
  organizationIds?: readonly number[];
  lastEventId: string | null;
  /** What is written to the stream, where it is not the events as they are (mcp/). Default: those. */
  connect?(stream: EventStream): LiveSubscription;
}

interface OpenStream extends Pick<EventStream, "end"> {
  access: LastingAccess;
}

export function createStreams(ctx: Context, timings: StreamTimings) {
  const open = new Set<OpenStream>();
  ctx.live.onEvent?.("access.ended", (payload) => {
    const ended = payload as unknown as EndedAccess;
    for (const stream of open) if (concerns(ended, stream.access)) stream.end();
  });
  return {
    /**
     * Lives until the client, the server or the caller's rights end it. Throws 429 (too many), 503 (no live
     * events).
     */
    open(ctx: CallerContext, reply: FastifyReply, request: StreamRequest): void {
      if (!ctx.live.subscribe) throw unavailable(5);
      // Gone already: no event would ever report its end.
      if (reply.raw.destroyed) return;
      const { userId } = ctx.caller;
      const own = [...open].filter(({ access }) => access.userId === userId);
      if (own.length >= STREAMS_A_PERSON) throw tooMany();
      const stream = start(ctx, reply, { request, timings, onClose: () => open.delete(stream) });
      open.add(stream);
      // Its rights may have ended between the guard's look and now.
      void endUnlessAlive(ctx, stream.end);
    },
    endAll(): void {
      for (const stream of open) stream.end();
    },
  };
}

const tooMany = () =>
  new PublicError("rate_limited", msg("request.too_many_streams", { limit: STREAMS_A_PERSON }), {
    retryAfterSeconds: 60,
  });

interface Start {
  request: StreamRequest;
  timings: StreamTimings;
  onClose(): void;
}

function start(ctx: CallerContext, reply: FastifyReply, { request, timings, onClose }: Start): OpenStream {
  const { organizationId, keyExpiresAt } = ctx.caller;
  let movedAt = performance.now();
  let moved = "";
  const stream = openEventStream(reply, {
    onDrain: () => subscription?.drained(),
    onClose() {
      timers.forEach(clearInterval);
      stopExpiry();
      subscription?.end();
      onClose();
    },
  });
  const { write, isFull, progress, end } = stream;
  const { family, types, lastEventId } = request;
  const reader = { organizationId, family, types, write, isFull, fail: end };
  const subscription = request.connect?.(stream) ?? ctx.live.subscribe?.(reader, lastEventId);
  const beat = (): void => {
    const now = performance.now();
    const before = moved;
    moved = progress();
    if (!isFull() || moved !== before) movedAt = now;
    else if (now - movedAt > timings.stallMs) end();
    subscription?.heartbeat();
  };
  const timers = [
    setInterval(beat, timings.heartbeatMs),
    setInterval(() => void endUnlessAlive(ctx, end), timings.recheckMs),
  ];
  const stopExpiry = keyExpiresAt === null ? () => {} : at(ctx, keyExpiresAt, end);
  return { end, access: accessOf(ctx, request) };
}

function accessOf(
  { caller }: CallerContext,
  { homeOrganizationId, organizationIds = [] }: StreamRequest,
): LastingAccess {
  const { userId, apiKeyId, sessionId, organizationId } = caller;
  return {
    userId,
    apiKeyId,
    sessionId,
    organizationIds: [homeOrganizationId, organizationId, ...organizationIds],
  };
}

/** Calls back at a time (milliseconds) by the context's clock. Returns how to stop it. */
function at(ctx: Context, time: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const leftMs = time - ctx.clock.now();
    if (leftMs <= 0) callback();
    else timer = setTimeout(wait, Math.min(leftMs, MAX_TIMER_MS));
  };
  wait();
  return () => clearTimeout(timer);
}

async function endUnlessAlive(ctx: CallerContext, end: () => void): Promise<void> {
  // A store that cannot be read revokes nothing.
  if (!(await isCallerAlive(ctx).catch(() => true))) end();
}

const RETRY_MS = 2_000;

export interface EventStream {
  write(...texts: (string | Buffer)[]): void;
  /** The client has not read what it was sent: wait for `onDrain`. */
  isFull(): boolean;
  /** Changes whenever something of what was sent has left: a slow reader takes what is waiting piece by piece. */
  progress(): string;
  /** A client that then does not read is cut off. */
  end(): void;
}

/** Takes the answer over from Fastify and opens it as a stream of server-sent events (HTML Living Standard, 9.2). */
function openEventStream(
  reply: FastifyReply,
  { onClose, onDrain }: { onClose: () => void; onDrain: () => void },
): EventStream {
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.on("close", onClose);
  raw.on("drain", onDrain);
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // So that ending the stream ends the connection: a server that shuts down waits for neither.
    connection: "close",
    // nginx would otherwise collect the stream before passing it on.
    "x-accel-buffering": "no",
  });
  raw.write(`retry: ${RETRY_MS}\n\n`);
  return {
    write(...texts) {
      if (raw.destroyed || raw.writableEnded) return;
      // Not joined: they are shared. Node sends what is written in one turn by one system call.
      for (const text of texts) raw.write(text);
    },
    isFull: () => raw.destroyed || raw.writableEnded || raw.writableNeedDrain,
    progress: () => {
      const { socket } = raw;
      // Of a write under way only its handle knows how much has left; Node's own timeout does the same.
      const { writeQueueSize } = (socket as { _handle?: { writeQueueSize?: number } } | null)?._handle ?? {};
      return `${(socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)}:${writeQueueSize}`;
    },
    end() {
      if (raw.writableNeedDrain) raw.destroy();
      else raw.end();
    },
  };
}
