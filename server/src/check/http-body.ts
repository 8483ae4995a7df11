import type { Transform } from "node:stream";
import zlib from "node:zlib";

/** A body after its Content-Encoding was undone; `cut` when it was longer than the limit. */
export interface DecodedBody {
  body: Buffer;
  cut: boolean;
}

/** A body that cannot be decoded; `message` completes `the server …`. */
export class BodyError extends Error {}

const CODINGS_MOST = 3;

type Decoder = (bytes: Buffer) => Transform;

const DECODERS: Record<string, Decoder> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  // `deflate` is zlib's format by the standard, and the bare one with some servers; the first byte tells.
  deflate: (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
};

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
  const codings = (encoding ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > CODINGS_MOST) throw new BodyError("compressed the body too many times");
  for (const coding of codings.toReversed()) {
    const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (decoder === undefined) throw new BodyError("compressed the body in a way that was not offered");
    if (decoded.body.length > 0) decoded = await decodeOne(decoder(decoded.body), decoded, limitBytes);
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
    decoder.on("error", () =>
      input.cut ? finish(true) : reject(new BodyError("sent a body that cannot be decompressed")),
    );
    decoder.end(input.body);
  });
}
