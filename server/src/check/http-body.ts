import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { fact } from "../texts/fact.ts";
import type { Reason } from "./reasons.ts";

/** A body after its Content-Encoding was undone; `cut` when it was longer than the limit. */
export interface DecodedBody {
  body: Buffer;
  cut: boolean;
}

/** A body that cannot be decoded. */
export class BodyError extends Error {
  readonly reason: Reason;

  constructor(code: "body.layers" | "body.not_offered" | "body.truncated" | "body.corrupt") {
    super(code);
    this.name = "BodyError";
    this.reason = fact(code);
  }
}

const MAX_CODINGS = 3;

interface Decoder {
  stream(bytes: Buffer): Transform;
  /** All at once; throws. Absent where a few bytes may cost a tenth of a second: Brotli fills 16 MB before it gives any. */
  whole?(bytes: Buffer, options: { maxOutputLength: number }): Buffer;
}

const GZIP: Decoder = { stream: () => zlib.createGunzip(), whole: zlib.gunzipSync };
/** By the standard `deflate` is zlib's format; some servers send it bare. The first byte tells. */
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

/** In the order in which they were applied; null when one of them is unknown. Throws BodyError on too many. */
function decodersOf(encoding: string | undefined): Decoder[] | null {
  const codings = (encoding ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) throw new BodyError("body.layers");
  const decoders = codings.map((coding) => (Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined));
  return decoders.includes(undefined) ? null : (decoders as Decoder[]);
}

/**
 * Checks that a body whose text nobody wants can be decoded, up to `limitBytes` of the result; unknown encodings are
 * ignored. Faster than decoding it. What takes no longer than 2 ms a MiB blocks the thread meanwhile (at most 1 MiB,
 * http-config.ts). Throws BodyError.
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
      const decoded = await decodeOne(decoder.stream(bytes), { body: bytes, cut: inputCut }, limitBytes);
      if (decoded.cut) return;
      bytes = decoded.body;
      continue;
    }
    try {
      bytes = decoder.whole(bytes, { maxOutputLength: limitBytes });
    } catch (error) {
      if (inputCut || (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return;
      throw undecodable(error);
    }
  }
}

const undecodable = (error: unknown) =>
  new BodyError((error as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "body.truncated" : "body.corrupt");

/**
 * Undoes a Content-Encoding (RFC 9110 §8.4), reading no more than `limitBytes` of the result, however
 * small the input that promises more. `cut` input gives what can be had of it. Throws BodyError.
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
  for (const { stream } of decoders.toReversed()) {
    if (decoded.body.length > 0) decoded = await decodeOne(stream(decoded.body), decoded, limitBytes);
  }
  return decoded;
}

function decodeOne(decoder: Transform, input: DecodedBody, limitBytes: number): Promise<DecodedBody> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const finish = (cut: boolean) => {
      decoder.destroy();
      resolve({ body: Buffer.concat(pieces), cut });
    };
    decoder.on("data", (piece: Buffer) => {
      const kept = piece.subarray(0, limitBytes - bytes);
      pieces.push(kept);
      bytes += kept.length;
      if (kept.length < piece.length) finish(true);
    });
    decoder.on("end", () => finish(input.cut));
    decoder.on("error", (error) => (input.cut ? finish(true) : reject(undecodable(error))));
    decoder.end(input.body);
  });
}
