import type { FastifyReply } from "fastify";
import type { LiveEvent } from "../../context.ts";

/** A client that lets this much pile up is cut off; it resumes from the last event it read. */
const BUFFER_LIMIT_BYTES = 1024 * 1024;
const RETRY_MS = 2_000;

export interface EventStream {
  send(text: string): void;
  end(): void;
}

/** Takes the answer over from Fastify and opens it as a stream of server-sent events (HTML Living Standard, 9.2). */
export function openEventStream(reply: FastifyReply, onClose: () => void): EventStream {
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.on("close", onClose);
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
    send(text) {
      if (raw.destroyed || raw.writableEnded) return;
      raw.write(text);
      if (raw.writableLength > BUFFER_LIMIT_BYTES) raw.destroy();
    },
    end: () => raw.end(),
  };
}

/** One event as text. JSON has no line breaks, so one `data` line is enough. */
export const eventText = (event: LiveEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event.payload)}\n\n`;

/** Tells the client where it stands before the first event, so that it can resume from there. */
export const positionText = (id: number): string => `id: ${id}\n\n`;

/** Tells the client that it missed something for good. */
export const resetText = (id: number): string => `id: ${id}\nevent: reset\ndata: {}\n\n`;

export const HEARTBEAT_TEXT = ": still here\n\n";
