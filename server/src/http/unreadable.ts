import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";

/**
 * Requests whose address the router cannot read never reach a hook, so that what every answer carries
 * is said here. A path parameter longer than any id or slug is unknown; the rest is malformed.
 */
export function answerBadAddress(error: { code?: string }, requestId: string, reply: FastifyReply): void {
  const isLong = error.code === "FST_ERR_MAX_PARAM_LENGTH";
  const message = isLong ? "Resource not found." : "The address of the request cannot be read.";
  void reply
    .status(isLong ? 404 : 400)
    .headers({ "x-request-id": requestId, "x-content-type-options": "nosniff" })
    .send({ success: false, message });
}

/** Bytes that are not HTTP, or headers too large or too slow: answered in the failure envelope and closed. */
export function answerNonsense(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return;
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ""] ?? 400;
  const body = JSON.stringify({ success: false, message: "The request could not be read." });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
