import type { FastifyReply } from "fastify";

const RETRY_MS = 2_000;

export interface EventStream {
  write(...texts: (string | Buffer)[]): void;
  /** The client has not read what it was sent: wait for `onDrain`. */
  isFull(): boolean;
  /** Changes whenever something of what was sent has left: a slow reader takes what is waiting piece by piece. */
  progress(): string;
  /** Lets the client read what it was sent; one that does not read is cut off. */
  end(): void;
}

/** Takes the answer over from Fastify and opens it as a stream of server-sent events (HTML Living Standard, 9.2). */
export function openEventStream(
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
      // Of a write that is under way only its handle knows how much has left; Node's own timeout asks it as well.
      const { writeQueueSize } = (socket as { _handle?: { writeQueueSize?: number } } | null)?._handle ?? {};
      return `${(socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)}:${writeQueueSize}`;
    },
    end() {
      if (raw.writableNeedDrain) raw.destroy();
      else raw.end();
    },
  };
}
