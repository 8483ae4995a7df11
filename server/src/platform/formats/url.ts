import { type MessageDescriptor, msg } from "../i18n/message.ts";

/** Longest address that is accepted, typed or normalised. */
const MAX_URL_LENGTH = 2048;
const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Spaces, control characters, and the invisible ones that reverse the direction of text. */
const FORBIDDEN = /[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** RFC 3986 scheme; a following digit means `host:port` instead. */
const SCHEME = /^([a-z][a-z0-9+.-]*):(?!\d)/i;

/** `url` is what is stored, compared and checked; `displayUrl` is what people see. */
type NormalisedUrl =
  | { ok: true; url: string; displayUrl: string }
  | { ok: false; problem: MessageDescriptor };

/**
 * By the WHATWG URL standard: a bare host means https, IDN becomes punycode; default port,
 * fragment, root slash and final dot go. Idempotent. `problem` is about the field `url`.
 */
export function normaliseUrl(typed: string): NormalisedUrl {
  const text = typed.toWellFormed().trim();
  if (text === "") return refuse(msg("input.required", { field: "url" }));
  if (text.length > MAX_URL_LENGTH) return refuse(tooLong());
  if (FORBIDDEN.test(text)) return refuse(msg("url.spaces"));
  const address = withScheme(text);
  if (address === null) return refuse(msg("url.scheme"));
  const parsed = URL.parse(address);
  if (!parsed) return refuse(msg("url.malformed"));
  const problem = credentialProblem(parsed) ?? hostProblem(parsed) ?? portProblem(parsed);
  if (problem) return refuse(problem);
  const url = canonical(parsed);
  if (url.length > MAX_URL_LENGTH) return refuse(tooLong());
  return { ok: true, url, displayUrl: asTyped(address, parsed, url) };
}

const tooLong = () => msg("url.long", { limit: MAX_URL_LENGTH });

const refuse = (problem: MessageDescriptor): NormalisedUrl => ({ ok: false, problem });

/** Null: another scheme than http and https. */
function withScheme(text: string): string | null {
  if (/^https?:\/\//i.test(text)) return text;
  if (isBareIPv6(text)) return `https://[${text}]`;
  if (text.startsWith("//")) return `https:${text}`;
  return SCHEME.test(text) || /^[^/?#]*:\/\//.test(text) ? null : `https://${text}`;
}

/** Typed without brackets. Checked with URL and not with Node, because the app's form uses this file, too. */
const isBareIPv6 = (text: string): boolean =>
  /^[\da-f.]*:[\da-f:.]*$/i.test(text) && URL.canParse(`https://[${text}]`);

const credentialProblem = ({ username, password }: URL): MessageDescriptor | null =>
  username === "" && password === ""
    ? null
    : msg("url.credentials", { type: "authType", config: "authConfig" });

function hostProblem(url: URL): MessageDescriptor | null {
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname;
  if (host === "") return msg("url.no_host");
  if (host.startsWith("[")) return null;
  if (host.length > MAX_HOST_LENGTH) return msg("url.long_host", { limit: MAX_HOST_LENGTH });
  for (const label of host.split(".")) {
    if (label === "") return msg("url.empty_label");
    if (label.length > MAX_LABEL_LENGTH) return msg("url.long_label", { limit: MAX_LABEL_LENGTH });
  }
  return null;
}

/** Nothing listens on port 0: systems take it for "any". */
const portProblem = ({ port }: URL): MessageDescriptor | null => (port === "0" ? msg("url.port") : null);

function canonical(url: URL): string {
  url.hash = "";
  const href = url.href;
  return url.pathname === "/" && !href.includes("?") ? href.slice(0, -1) : href;
}

/** Typed with letters beyond ASCII, an address is shown as typed; any other way of writing is noise. */
function asTyped(address: string, parsed: URL, url: string): string {
  // URL writes every host that ends in a number as four numbers.
  const isAddress = /^[\d.]+$/.test(parsed.hostname) || parsed.hostname.startsWith("[");
  if (isAddress || /^\p{ASCII}*$/u.test(address)) return url;
  const typed = address.replace(/#.*$/s, "");
  return parsed.pathname === "/" && parsed.search === "" ? typed.replace(/\/$/, "") : typed;
}

export function webUrlProblem(text: string): MessageDescriptor | null {
  const normalised = normaliseUrl(text);
  if (!normalised.ok) {
    const { problem } = normalised;
    // Checks have a setting for them, which nothing else has.
    return problem.code === "url.credentials" ? msg("url.no_credentials") : problem;
  }
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? null : msg("url.scheme");
}

/** A query or a fragment would swallow the paths that are added; null: nothing is wrong. */
export function baseUrlProblem(text: string): MessageDescriptor | null {
  const problem = webUrlProblem(text);
  if (problem !== null) return problem;
  return /[?#]/.test(text) ? msg("url.no_query") : null;
}
