import { createHash } from "node:crypto";
import { promisify } from "node:util";
import zlib from "node:zlib";

const compressBrotli = promisify(zlib.brotliCompress);
const compressGzip = promisify(zlib.gzip);
/** A page of 50 kB takes 2 ms, and becomes 7 kB. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };
/** Smaller answers are sent as they are. */
const LEAST_BYTES = 1024;
/** A form in which an answer can be sent. */
export type Coding = "br" | "gzip" | "identity";

/** Bytes that many clients are sent, with their headers: compressed once in each coding. */
export interface Answer {
  etag: string;
  headers: Readonly<Record<string, string>>;
  /** Other people's pages may show it in a frame of theirs. */
  isFramed: boolean;
  /** Made when first asked for; `identity` is always there. */
  bodies: Partial<Record<Coding, Buffer>> & { identity: Buffer };
  /** Those that are being made. */
  making?: Partial<Record<Coding, Promise<Buffer>>>;
}

/** What is sent, ready to be sent in every coding. */
export function answerWith(content: string | Buffer, headers: Answer["headers"]): Answer {
  const identity = Buffer.from(content);
  return {
    // Weak, since it is the same for every coding.
    etag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    headers,
    bodies: { identity },
    isFramed: headers["content-security-policy"]?.includes("frame-ancestors *") ?? false,
  };
}

/** What a client takes of what we have: the smallest. */
export function codingFor({ bodies }: Answer, accepted: string | undefined): Coding {
  if (accepted === undefined || bodies.identity.length < LEAST_BYTES) return "identity";
  if (takes(accepted, "br")) return "br";
  return takes(accepted, "gzip") ? "gzip" : "identity";
}

/** Whether a header names a coding, and not with a weight of nothing (RFC 9110 §12.5.3). */
export function takes(accepted: string, coding: string): boolean {
  const at = accepted.indexOf(coding);
  return at >= 0 && !/^\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(accepted.slice(at + coding.length));
}

/** The answer's bytes in a coding, made once, also for many who ask at the same moment. */
export async function bodyIn(answer: Answer, coding: Coding): Promise<Buffer> {
  const { bodies } = answer;
  const known = bodies[coding];
  if (known) return known;
  const making = (answer.making ??= {});
  making[coding] ??=
    coding === "br" ? compressBrotli(bodies.identity, BROTLI) : compressGzip(bodies.identity);
  try {
    const body = await making[coding];
    bodies[coding] = body;
    return body;
  } finally {
    delete making[coding];
  }
}

/** Whether the client has this version already (RFC 9110 §13.1.2). */
export const isKnown = ({ etag }: Answer, known: string | undefined): boolean =>
  known !== undefined && (known.trim() === "*" || known.includes(etag.slice(2)));
