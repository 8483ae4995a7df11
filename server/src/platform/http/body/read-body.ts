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
import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput, unavailable } from "../../errors.ts";
import { msg } from "../../i18n/message.ts";
import { MAX_VALUES, type Problem, parseJson, refusalOf } from "../../operations/validator.ts";
import { createThread, ThreadEnded } from "../../worker-pool.ts";
import { RefusedRequest, tooLarge } from "../errors.ts";
import type { LargeBody, LargeOutcome } from "./json-thread.ts";

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

/** Up to here a body is parsed at once, which takes 1 ms at most; larger ones are parsed and validated beside the main thread. */
const AT_ONCE_BYTES = 32 * 1024;
const HEAP_MB = 256;
const IDLE_MS = 60_000;
const STUCK_MS = 20_000;
const RETRY_SECONDS = 5;

/** None of a valid body. */
const found = new WeakMap<object, Problem[]>();

export const problemsFound = (body: unknown): Problem[] | undefined =>
  typeof body === "object" && body !== null ? found.get(body) : undefined;

/** JSON bodies, unpacked and within all limits, without `__proto__` and U+0000; empty counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  const thread = createThread<LargeBody>({
    entry: new URL("./json-thread.ts", import.meta.url),
    name: "vedette-bodies",
    workerData: null,
    limits: { maxOldGenerationSizeMb: HEAP_MB },
    idleMs: IDLE_MS,
    stuckMs: STUCK_MS,
  });
  app.addHook("onClose", () => thread.close());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest) => {
    const bytes = await readBody(request);
    const maxValues = request.routeOptions.config.maxBodyValues ?? MAX_VALUES;
    const isLarge = bytes.length > AT_ONCE_BYTES;
    const outcome = isLarge ? await parseBeside(request, bytes, maxValues) : parseJson(bytes, maxValues);
    return valueOf(request, outcome, maxValues);
  });

  async function parseBeside(
    request: FastifyRequest,
    bytes: Buffer,
    maxValues: number,
  ): Promise<LargeOutcome> {
    const schema = schemaText(request.routeOptions.schema?.body);
    try {
      const outcome = (await thread.run({ bytes, maxValues, schema })) as LargeOutcome;
      const isValid = "value" in outcome && schema !== null;
      if (isValid && typeof outcome.value === "object" && outcome.value !== null)
        found.set(outcome.value, []);
      return outcome;
    } catch (error) {
      throw error instanceof ThreadEnded ? unavailable(RETRY_SECONDS, error) : error;
    }
  }
}

const texts = new WeakMap<object, string>();

function schemaText(schema: unknown): string | null {
  if (typeof schema !== "object" || schema === null) return null;
  const text = texts.get(schema) ?? JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}

function valueOf(request: FastifyRequest, outcome: LargeOutcome, maxValues: number): unknown {
  if ("value" in outcome) return outcome.value;
  if ("problems" in outcome) {
    // A placeholder for the body, which stayed in the thread; validation finds there what is wrong with it.
    const body = {};
    found.set(body, outcome.problems);
    return body;
  }
  if (outcome.refused === "invalid_fields") {
    request.body = outcome.outline;
    throw invalidInput(outcome.fields);
  }
  const { status, message } = refusalOf(outcome.refused, maxValues);
  throw new RefusedRequest(status, message);
}

const MAX_FORM_BYTES = 65_536;

/** Within `scope` what a form of a page sends is read as URLSearchParams. */
export function readForms(scope: FastifyInstance): void {
  const read = async (request: FastifyRequest) => (await readBody(request, MAX_FORM_BYTES)).toString();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (request: FastifyRequest) => new URLSearchParams(await read(request)),
  );
  // Nothing of ours sends it; mail programs may, with nothing in it that anybody reads (RFC 8058, 3.1).
  scope.addContentTypeParser("multipart/form-data", async (request: FastifyRequest) => {
    await read(request);
    return new URLSearchParams();
  });
}

/** Empty where there is none. */
export const fieldOf = (body: unknown, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? "") : "";

export const fieldsOf = (body: unknown, name: string): string[] =>
  body instanceof URLSearchParams ? body.getAll(name) : [];
