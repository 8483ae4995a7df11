import { type HttpEvidence, keepEvidence } from "./evidence.ts";
import { decodeBody } from "./http-body.ts";
import type { HttpConfig } from "./http-config.ts";
import type { HopsResult } from "./http-hops.ts";
import { BODY_HEAD_BYTES } from "./http-response-body.ts";
import { secretsOf } from "./http-secrets.ts";

/** The beginning of a body, readable. */
export interface BodyHead {
  bytes: Buffer;
  cut: boolean;
}

/** The beginning of the answer's body, decoded as far as it can be; null without one. Never throws. */
export async function readBodyHead({ answer, decoded }: HopsResult): Promise<BodyHead | null> {
  const read = answer?.body ?? null;
  if (answer === null || read === null) return null;
  const isMore = read.cut || read.state !== "done" || read.arrivedBytes > BODY_HEAD_BYTES;
  if (decoded !== null) return headOf(decoded.body, decoded.cut || isMore);
  const pieces = [Buffer.concat(read.pieces).subarray(0, BODY_HEAD_BYTES)];
  const encoding = answer.header("content-encoding");
  if (encoding === undefined) return headOf(pieces[0] as Buffer, isMore);
  try {
    const { body, cut } = await decodeBody(pieces, encoding, BODY_HEAD_BYTES, true);
    return headOf(body, cut && (isMore || body.length === BODY_HEAD_BYTES));
  } catch {
    return headOf(pieces[0] as Buffer, isMore);
  }
}

const headOf = (bytes: Buffer, cut: boolean): BodyHead => ({
  bytes: bytes.subarray(0, BODY_HEAD_BYTES),
  cut: cut || bytes.length > BODY_HEAD_BYTES,
});

/** What a failed check saw, made when somebody wants it. */
export const httpEvidence =
  (config: HttpConfig, { answer, sent, redirects, trace }: HopsResult, head: BodyHead | null) =>
  (): HttpEvidence =>
    keepEvidence({
      method: sent.method,
      url: sent.url.href,
      statusText: answer?.statusText() ?? "",
      headers: answer?.headers() ?? new Map(),
      body: head?.bytes ?? null,
      bodyCut: head?.cut ?? false,
      redirects,
      addresses: trace.addresses,
      certificate: trace.certificate,
      secrets: secretsOf(config, sent),
    });
