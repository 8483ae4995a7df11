import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { msg } from "../../platform/i18n/message.ts";
import type { Reason } from "../reasons.ts";

/** A body after its Content-Encoding was undone; `cut` when it was longer than the limit. */
export interface DecodedBody {
  body: Buffer;
  cut: boolean;
}

export class BodyError extends Error {
  readonly reason: Reason;

  constructor(code: "body.layers" | "body.not_offered" | "body.truncated" | "body.corrupt") {
    super(code);
    this.name = "BodyError";
    this.reason = msg(code);
  }
}

const MAX_CODINGS = 3;
/** What servers call a body that is as it is: names that are no codings. Amazon's S3 gives back what it was uploaded by. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["", "identity", "none", "binary", "7bit", "8bit", "aws-chunked"],
  ...["utf-8", "utf8", "us-ascii", "iso-8859-1"],
]);

interface Decoder {
  stream(bytes: Buffer): Transform;
  /** All at once; throws. Absent where a few bytes may cost a tenth of a second: Brotli fills 16 MB before it gives any. */
  whole?(bytes: Buffer, options: { maxOutputLength: number }): Buffer;
  /** The bytes without what follows their end, where Node fails for that; null: it is not why. */
  withoutStray?(bytes: Buffer, limitBytes: number): Buffer | null;
}

const GZIP: Decoder = {
  stream: () => zlib.createGunzip(),
  whole: zlib.gunzipSync,
  withoutStray: withoutStrayBytes,
};
/** By the standard `deflate` is zlib's format; some servers send it bare. The first byte shows which. */
const isZlib = (bytes: Buffer) => ((bytes[0] ?? 0) & 0x0f) === 8;

const DECODERS: Record<string, Decoder> = {
  gzip: GZIP,
  "x-gzip": GZIP,
  deflate: {
    stream: (bytes) => (isZlib(bytes) ? zlib.createInflate() : zlib.createInflateRaw()),
    whole: (bytes, options) => (isZlib(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, options),
  },
  br: { stream: () => zlib.createBrotliDecompress() },
  zstd: { stream: () => zlib.createZstdDecompress(), whole: zlib.zstdDecompressSync },
};

/** What a member of a gzip file begins with: its two bytes, and deflate (RFC 1952 §2.3). */
const MEMBER = Buffer.from([0x1f, 0x8b, 8]);
const FIXED_BYTES = 10;
const TRAILER_BYTES = 8;
/** A body of a megabyte may hold fifty thousand, each of which costs a call. */
const MAX_MEMBERS = 16;

/** Of a gzip file with something else behind them; browsers pass over that. */
function withoutStrayBytes(bytes: Buffer, limitBytes: number): Buffer | null {
  let end = 0;
  for (let members = 1; bytes.subarray(end, end + MEMBER.length).equals(MEMBER); members++) {
    if (members > MAX_MEMBERS) return null;
    const length = memberLength(bytes.subarray(end), limitBytes);
    // Bytes behind a whole member may look like the beginning of another.
    if (length === "stray" && members > 1) break;
    if (typeof length !== "number") return null;
    end += length;
  }
  return end > 0 && end < bytes.length ? bytes.subarray(0, end) : null;
}

/** How long a member is: null where it is not whole or longer than `limitBytes` of content, `stray` where it is none. Its checksum is left to zlib. */
function memberLength(bytes: Buffer, limitBytes: number): number | "stray" | null {
  const flags = bytes[3] ?? 0;
  let at = FIXED_BYTES;
  if (flags & 4) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0);
  for (const text of [8, 16]) {
    if (!(flags & text)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return null;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  try {
    const options = { maxOutputLength: limitBytes + 1, info: true };
    const { engine } = zlib.inflateRawSync(bytes.subarray(at), options) as unknown as {
      engine: { bytesWritten: number };
    };
    const length = at + engine.bytesWritten + TRAILER_BYTES;
    return length <= bytes.length ? length : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "Z_DATA_ERROR" ? "stray" : null;
  }
}

/** In the order in which they were applied; null when one of them is unknown. Throws BodyError on too many. */
function decodersOf(encoding: string | undefined): Decoder[] | null {
  const codings = (encoding ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !PLAIN.has(coding));
  if (codings.length > MAX_CODINGS) throw new BodyError("body.layers");
  const decoders = codings.map((coding) => (Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined));
  return decoders.includes(undefined) ? null : (decoders as Decoder[]);
}

/**
 * For a body whose text is not needed, up to `limitBytes` decoded; unknown encodings are ignored. Blocks the
 * thread for 2 ms a MiB (at most 1 MiB, http-config.ts). Throws BodyError.
 */
export async function checkEncoding(
  pieces: readonly Buffer[],
  encoding: string | undefined,
  limitBytes: number,
  inputCut: boolean,
): Promise<void> {
  let bytes: Buffer = Buffer.concat(pieces);
  if (bytes.length === 0) return;
  for (const decoder of decodersOf(encoding)?.toReversed() ?? []) {
    if (!decoder.whole) {
      const decoded = await decodeOne(decoder, { body: bytes, cut: inputCut }, limitBytes);
      if (decoded.cut) return;
      bytes = decoded.body;
      continue;
    }
    try {
      bytes = decodeWhole({ ...decoder, whole: decoder.whole }, bytes, limitBytes);
    } catch (error) {
      if (inputCut || (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return;
      throw undecodable(error);
    }
  }
}

function decodeWhole(
  decoder: Decoder & Required<Pick<Decoder, "whole">>,
  bytes: Buffer,
  limitBytes: number,
): Buffer {
  const options = { maxOutputLength: limitBytes };
  try {
    return decoder.whole(bytes, options);
  } catch (error) {
    const own = isBroken(error) ? decoder.withoutStray?.(bytes, limitBytes) : null;
    if (!own) throw error;
    return decoder.whole(own, options);
  }
}

const isBroken = (error: unknown): boolean =>
  ["Z_DATA_ERROR", "Z_BUF_ERROR"].includes((error as NodeJS.ErrnoException).code ?? "");

const undecodable = (error: unknown) =>
  new BodyError((error as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "body.truncated" : "body.corrupt");

/**
 * RFC 9110 §8.4. Reads at most `limitBytes` of the result, whatever the input promises. `cut` input gives
 * what can be had of it. Throws BodyError.
 */
export async function decodeBody(
  pieces: readonly Buffer[],
  encoding: string | undefined,
  limitBytes: number,
  inputCut: boolean,
): Promise<DecodedBody> {
  let decoded: DecodedBody = { body: Buffer.concat(pieces), cut: inputCut };
  const decoders = decodersOf(encoding);
  if (decoders === null) throw new BodyError("body.not_offered");
  for (const decoder of decoders.toReversed()) {
    if (decoded.body.length > 0) decoded = await decodeOne(decoder, decoded, limitBytes);
  }
  return decoded;
}

async function decodeOne(decoder: Decoder, input: DecodedBody, limitBytes: number): Promise<DecodedBody> {
  try {
    return await decodeBy(decoder.stream(input.body), input, limitBytes);
  } catch (error) {
    const body = isBroken(error) ? decoder.withoutStray?.(input.body, limitBytes) : null;
    if (!body) throw undecodable(error);
    return decodeOne(decoder, { ...input, body }, limitBytes);
  }
}

function decodeBy(decoder: Transform, input: DecodedBody, limitBytes: number): Promise<DecodedBody> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const finish = (cut: boolean) => {
      decoder.destroy();
      resolve({ body: Buffer.concat(pieces), cut });
    };
    decoder.on("data", (piece: Buffer) => {
      const withinLimit = piece.subarray(0, limitBytes - bytes);
      pieces.push(withinLimit);
      bytes += withinLimit.length;
      if (withinLimit.length < piece.length) finish(true);
    });
    decoder.on("end", () => finish(input.cut));
    decoder.on("error", (error) => (input.cut ? finish(true) : reject(error)));
    decoder.end(input.body);
  });
}
