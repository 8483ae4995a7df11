import { MASK } from "../../platform/i18n/message.ts";
import { HARMLESS_HEADERS, type HttpConfig } from "./http-config.ts";
import type { HttpRequest } from "./http-request.ts";

/** Of a body's own values: shorter ones are words rather than credentials. */
const LONG_VALUE = 8;

/** A header whose value is private, in requests and responses. */
const PRIVATE_HEADER =
  /cookie|authori[sz]ation|authentication|token|secret|api-?key|passw|session|csrf|xsrf|signature|credential/i;

export const isPrivateHeader = (name: string): boolean => PRIVATE_HEADER.test(name);

/** All that a request carries and must be masked where a server quotes it: the monitor's secrets, and its cookies. */
export function secretsOf(config: HttpConfig, sent: HttpRequest): string[] {
  const { username = "", password = "", token = "", value = "" } = config.authConfig ?? {};
  const own = [...Object.entries(config.headers ?? {}), ...sent.headers];
  const headers = own.filter(([name]) => !HARMLESS_HEADERS.has(name.toLowerCase()));
  return [
    ...[password, token, value, `${username}:${password}`],
    ...userInformation(config.url),
    ...headers.flatMap(([name, text]) => [
      text,
      ...(name === "cookie" ? cookieValues(text) : afterScheme(text)),
    ]),
    ...secretsOfBody(config.body ?? ""),
  ];
}

/** What follows `Bearer` or `Basic`. */
const afterScheme = (value: string) => /^[A-Za-z-]{1,32} +(\S.*)$/.exec(value)?.slice(1) ?? [];

const cookieValues = (header: string) =>
  header.split(";").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());

function userInformation(text: string): string[] {
  const url = URL.parse(text);
  if (url === null || url.password === "") return [];
  try {
    return [
      decodeURIComponent(url.password),
      `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
    ];
  } catch {
    return [url.password];
  }
}

/** The body itself, and the longer values in it: a server may quote a single one. */
function secretsOfBody(body: string): string[] {
  if (body === "") return [];
  const found = [body];
  const collect = (value: unknown) => {
    if (typeof value === "string" && value.length >= LONG_VALUE) found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(body));
  } catch {
    collect(Object.fromEntries(new URLSearchParams(body)));
  }
  return found;
}

/** So much of a secret in a row is taken for the secret: servers quote it cut off. */
const RECOGNISED = 12;
/** Anything shorter occurs in any text by chance. */
const SHORTEST = 4;
/** Of a text that is shown there is no more. */
const LONGEST = 8192 + 64;

/** Letters of one case, whatever a server makes of them; the length stays. */
const folded = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `reserved`: what is written as the bytes that UTF-8 makes of it. */
const percent = (bytes: Buffer, reserved: RegExp) =>
  bytes
    .toString("latin1")
    .replace(reserved, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What a base64 text has of these bytes wherever they are within it: by its three alignments. */
const base64Of = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const json = JSON.stringify(text).slice(1, -1);
  const base64 = base64Of(bytes);
  return [
    text,
    bytes.toString("latin1"),
    bytes.toString("hex"),
    json,
    json.replaceAll("/", "\\/"),
    percent(bytes, /[^A-Za-z0-9\-_.!~*'()]/g),
    percent(bytes, /[^A-Za-z0-9\-_.~]/g),
    percent(bytes, /[^A-Za-z0-9\-_.*]/g).replaceAll("%20", "+"),
    text.replace(/[&<>"']/g, (letter) => HTML[letter] ?? letter),
    ...base64,
    ...base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/**
 * Masks these secrets in a text: as they are, in any case, cut off after a dozen characters, or as JSON,
 * HTML, URLs, hex and base64. Fast for any number of similar ones: they may be chosen to stop other checks.
 */
export function maskEchoes(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .map((secret) => secret.slice(0, LONGEST));
  const forms = [...new Set(known.flatMap(formsOf).map(folded))].filter((form) => form.length >= SHORTEST);
  const byStart = Map.groupBy(forms.sort(), (form) => form.slice(0, RECOGNISED));
  const lengths = [...new Set([...byStart.keys()].map((start) => start.length))];
  return (text) => {
    const plain = folded(text);
    let shown = "";
    let at = 0;
    for (let from = 0; from < text.length && at < text.length; from += 1) {
      const to = quotedTo(plain, from, at, byStart, lengths);
      if (to === at) continue;
      if (from >= at) shown += text.slice(at, from) + MASK;
      at = to;
    }
    return shown + text.slice(at);
  };
}

/** Where a form, or the beginning of one, ends that begins at `from`; `at` unless that is further. `byStart`: sorted. */
function quotedTo(
  text: string,
  from: number,
  at: number,
  byStart: ReadonlyMap<string, readonly string[]>,
  lengths: readonly number[],
): number {
  let end = at;
  for (const length of lengths) {
    const forms = byStart.get(text.slice(from, from + length));
    if (!forms) continue;
    for (const form of nearest(text.slice(from, from + LONGEST), forms)) end = endOf(form, text, from, end);
  }
  return end;
}

/** The forms between which a text would be sorted: one of these has the most of its beginning. */
function nearest(text: string, forms: readonly string[]): readonly string[] {
  if (forms.length === 1) return forms;
  let [low, high] = [0, forms.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((forms[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return forms.slice(Math.max(0, low - 1), low + 1);
}

/**
 * Where the form's match from there on ends, if further than `at`. Skips what lies before, or a text that
 * repeats one letter would take quadratic time.
 */
function endOf(form: string, text: string, from: number, at: number): number {
  let length = Math.max(0, at - from);
  if (length >= form.length || text[from + length] !== form[length]) return at;
  if (text.slice(from, from + length) !== form.slice(0, length)) return at;
  while (length < form.length && text[from + length] === form[length]) length += 1;
  return Math.max(at, from + length);
}
