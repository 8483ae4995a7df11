import { type Static, Type } from "typebox";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import { MASK } from "../platform/i18n/message.ts";
import type { CertificateReport } from "./certificate.ts";
import { bodyText } from "./contains-text.ts";
import { BODY_HEAD_BYTES } from "./http/http-response-body.ts";
import { isPrivateHeader, maskEchoes } from "./http/http-secrets.ts";

/** Of a body that is shown; a little more is read, so that a secret at the end is recognised. */
const BODY_BYTES = 4096;
const HEX_BYTES = 256;
const HEADERS = 64;
const HEADER_CHARACTERS = 8192;
const URL_CHARACTERS = 2048;
const NAMES = 50;
const ADDRESSES = 32;
const REDIRECTS = 20;

const text = (maxLength: number) => Type.String({ maxLength });

/** What an HTTP check saw that a result has no place for. Secrets are masked. Bounded, also when a remote probe sends it. */
export const httpEvidenceSchema = Type.Object(
  {
    method: text(16),
    /** The last URL that was requested. */
    url: text(URL_CHARACTERS),
    /** What follows the status code, in HTTP/1. */
    statusText: text(256),
    headers: Type.Array(Type.Tuple([text(256), text(HEADER_CHARACTERS)]), { maxItems: HEADERS }),
    /** How many there were in all. */
    headerCount: Type.Integer({ minimum: 0 }),
    body: Type.Union([
      Type.Object(
        {
          /** `hex`: the first bytes of what is no text. */
          encoding: Type.Union([Type.Literal("text"), Type.Literal("hex")]),
          content: text(BODY_BYTES),
          /** Whether there was more of it. */
          cut: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    redirects: Type.Array(
      Type.Object({ statusCode: Type.Integer(), url: text(URL_CHARACTERS) }, { additionalProperties: false }),
      { maxItems: REDIRECTS },
    ),
    /** Those that might be connected to. */
    addresses: Type.Array(text(64), { maxItems: ADDRESSES }),
    certificate: Type.Union([
      Type.Object(
        {
          subject: text(512),
          issuer: text(512),
          names: Type.Array(text(256), { maxItems: NAMES }),
          notBefore: Type.Number(),
          notAfter: Type.Number(),
          fingerprint: text(128),
          valid: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
  },
  { additionalProperties: false },
);

export type HttpEvidence = Static<typeof httpEvidenceSchema>;

export interface Seen {
  method: string;
  url: string;
  statusText: string;
  headers: ReadonlyMap<string, string>;
  /** The beginning of the body, decoded; null where there is none. */
  body: Buffer | null;
  bodyCut: boolean;
  redirects: readonly { statusCode: number; url: string }[];
  addresses: readonly ResolvedAddress[];
  certificate: CertificateReport | null;
  /** What must not be read wherever a server quotes it. */
  secrets: readonly string[];
}

/** Keeps what was seen within bounds and without secrets. */
export function keepEvidence(seen: Seen): HttpEvidence {
  const mask = maskEchoes(seen.secrets);
  const shown = (words: string, most: number) => mask(words.slice(0, most + 64)).slice(0, most);
  return {
    method: seen.method,
    url: shown(seen.url, URL_CHARACTERS),
    statusText: shown(seen.statusText, 256),
    headers: headersOf(seen.headers, shown),
    headerCount: seen.headers.size,
    body: seen.body === null ? null : bodyOf(seen.body, seen, mask),
    redirects: seen.redirects
      .slice(0, REDIRECTS)
      .map(({ statusCode, url }) => ({ statusCode, url: shown(url, URL_CHARACTERS) })),
    addresses: seen.addresses.slice(0, ADDRESSES).map(({ address }) => address),
    certificate: certificateOf(seen.certificate),
  };
}

function headersOf(
  headers: ReadonlyMap<string, string>,
  shown: (words: string, most: number) => string,
): [string, string][] {
  const found: [string, string][] = [];
  let left = HEADER_CHARACTERS;
  for (const [name, value] of headers) {
    if (found.length === HEADERS) break;
    const said = isPrivateHeader(name) ? MASK : shown(value, HEADER_CHARACTERS);
    const named = shown(name, 256);
    left -= named.length + said.length;
    if (left < 0) break;
    found.push([named, said]);
  }
  return found;
}

function bodyOf(
  bytes: Buffer,
  { headers, bodyCut }: Seen,
  mask: (words: string) => string,
): HttpEvidence["body"] {
  const whole = bytes.subarray(0, BODY_HEAD_BYTES);
  const cut = bodyCut || bytes.length > BODY_BYTES;
  const words = bodyText(whole, headers.get("content-type"));
  if (isText(words)) return { encoding: "text", content: clip(mask(words)), cut };
  const content = Buffer.from(mask(whole.toString("latin1")), "latin1").toString("hex", 0, HEX_BYTES);
  return { encoding: "hex", content, cut: cut || bytes.length > HEX_BYTES };
}

/** So many bytes of a text, without half a character at the end. */
function clip(words: string): string {
  const bytes = Buffer.from(words, "utf8");
  if (bytes.length <= BODY_BYTES) return words;
  return new TextDecoder().decode(bytes.subarray(0, BODY_BYTES), { stream: true });
}

/** Neither control characters nor bytes that make no sense, but for a few of these: a text may be cut off or damaged. */
function isText(words: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const strange = words.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return !words.includes("\0") && strange <= words.length / 20 + 1;
}

function certificateOf(report: CertificateReport | null): HttpEvidence["certificate"] {
  const [leaf] = report?.chain ?? [];
  if (!report || !leaf) return null;
  return {
    subject: leaf.subject.slice(0, 512),
    issuer: leaf.issuer.slice(0, 512),
    names: leaf.names.slice(0, NAMES).map((name) => name.slice(0, 256)),
    notBefore: leaf.notBefore,
    notAfter: leaf.notAfter,
    fingerprint: leaf.fingerprint,
    valid: report.valid,
  };
}
