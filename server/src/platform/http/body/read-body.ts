import type { IncomingMessage } from "node:http";
import { finished, type Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  inflate,
  constants as zlib,
  zstdDecompress,
} from "node:zlib";
import type { FastifyRequest } from "fastify";
import { msg } from "../../i18n/message.ts";
import { RefusedRequest, tooLarge } from "../refusals.ts";

interface Coding {
  /** Unpacks a whole body in a thread of libuv: nothing of a broken one happens in an event. */
  unpack(bytes: Buffer, maxOutputLength: number): Promise<Buffer>;
  unpackCut(): Transform;
}

/** Further members may follow in gzip (RFC 1952 §2.2), in which anything else is an error by itself. */
const ALONE = { rejectGarbageAfterEnd: true } as object;
/** A zstd frame may demand 128 MB of its reader; a server need not grant more than 8 (RFC 9659). */
const ZSTD = { ...ALONE, params: { [zlib.ZSTD_d_windowLogMax]: 23 } };

const GZIP: Coding = {
  unpack: (bytes, maxOutputLength) => promisify(gunzip)(bytes, { maxOutputLength }),
  unpackCut: () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH }),
};
const CODINGS: ReadonlyMap<string, Coding | null> = new Map([
  ["identity", null],
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  [
    "deflate",
    {
      unpack: (bytes, maxOutputLength) => promisify(inflate)(bytes, { ...ALONE, maxOutputLength }),
      unpackCut: () => createInflate({ finishFlush: zlib.Z_SYNC_FLUSH }),
    },
  ],
  [
    "br",
    {
      unpack: (bytes, maxOutputLength) => promisify(brotliDecompress)(bytes, { ...ALONE, maxOutputLength }),
      unpackCut: () => createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
    },
  ],
  [
    "zstd",
    {
      unpack: (bytes, maxOutputLength) => promisify(zstdDecompress)(bytes, { ...ZSTD, maxOutputLength }),
      unpackCut: () => createZstdDecompress({ ...ZSTD, finishFlush: zlib.ZSTD_e_flush }),
    },
  ],
]);

/** Null: as it is. Undefined: none that is known here. */
const codingOf = ({ headers }: FastifyRequest): Coding | null | undefined =>
  CODINGS.get(headers["content-encoding"]?.trim().toLowerCase() || "identity");

/**
 * Whole and unpacked; neither form may exceed `limitBytes` (default: the route's). Throws RefusedRequest: 413
 * too large, 415 unknown coding, 400 broken; and the connection's error where the body breaks off.
 */
export async function readBody(
  request: FastifyRequest,
  limitBytes = request.routeOptions.bodyLimit,
): Promise<Buffer> {
  const coding = codingOf(request);
  if (coding === undefined) throw new RefusedRequest(415, msg("request.content_coding"));
  const isTooLarge = () => new RefusedRequest(413, tooLarge(limitBytes));
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw isTooLarge();
  const { bytes, end, error } = await readInTurn(request, limitBytes);
  if (end === "broken") throw error ?? new RefusedRequest(400);
  if (end === "full") throw isTooLarge();
  if (coding === null || bytes.length === 0) return bytes;
  try {
    return await coding.unpack(bytes, limitBytes);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw isTooLarge();
    throw new RefusedRequest(400, msg("request.packed"));
  }
}

/**
 * The first bytes, unpacked: one more than `maxBytes` where there are more. What cannot be read is dropped.
 * Never throws.
 */
export async function readBeginning(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const { bytes } = await readInTurn(request, maxBytes);
  request.raw.resume();
  const coding = codingOf(request);
  if (coding === undefined) return Buffer.alloc(0);
  return (coding === null ? bytes : await unpackCut(coding, bytes, maxBytes)).subarray(0, maxBytes + 1);
}

async function unpackCut(coding: Coding, packed: Buffer, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const unpacking = coding.unpackCut();
  const { promise, resolve } = Promise.withResolvers<void>();
  finished(unpacking, () => resolve());
  unpacking.on("data", (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) unpacking.destroy();
  });
  unpacking.end(packed);
  await promise;
  return Buffer.concat(parts);
}

interface ReadBytes {
  bytes: Buffer;
  /** `full`: there is more than `maxBytes`; `broken`: the client left before its end, or what came is refused. */
  end: "whole" | "full" | "broken";
  error?: Error;
}

/** Whose body comes after its header goes on in a turn of its own: the last bytes of many may come at one moment. */
async function readInTurn(request: FastifyRequest, maxBytes: number): Promise<ReadBytes> {
  const { raw, server } = request;
  const comesLater = !raw.complete;
  const read = await readBytes(raw, maxBytes);
  const turn = comesLater && server.turns.ofAddress(request);
  if (turn) await turn;
  return read;
}

/** Why nothing more of a body is read, and how its reader learns of it. */
const brokenOff = new WeakMap<IncomingMessage, Error>();
const readers = new WeakMap<IncomingMessage, (error: Error) => void>();

/** Ends a body here, with an error for the route that reads it, now or later; one that does not read it answers as it would. */
export function breakOff(body: IncomingMessage, error: Error): void {
  if (brokenOff.has(body)) return;
  brokenOff.set(body, error);
  readers.get(body)?.(error);
}

/** Reads up to the end of a body, or until it has more than `maxBytes`; what follows then is left to flow by. */
function readBytes(body: IncomingMessage, maxBytes: number): Promise<ReadBytes> {
  const { promise, resolve } = Promise.withResolvers<ReadBytes>();
  const parts: Buffer[] = [];
  let length = 0;
  const finish = (end: ReadBytes["end"], error?: Error) => {
    readers.delete(body);
    body.off("data", take).off("end", onEnd).off("close", onClose);
    resolve({ bytes: Buffer.concat(parts), end, ...(error && { error }) });
  };
  const take = (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) finish("full");
  };
  const onEnd = () => finish("whole");
  const onError = (error: Error) => finish("broken", error);
  const onClose = () => finish("broken", body.errored ?? undefined);
  // It may have gone while it was found out who it is.
  if (body.destroyed) {
    onClose();
    return promise;
  }
  // The listener for errors stays: one that comes later must not be thrown.
  body.on("error", onError).on("close", onClose);
  const error = brokenOff.get(body);
  if (error) {
    const come: Buffer | null = body.read();
    if (come) take(come);
    finish("broken", error);
    return promise;
  }
  readers.set(body, onError);
  body.on("end", onEnd).on("data", take);
  return promise;
}
