import { invalidInput, PublicError } from "../platform/errors.ts";
import { type MessageDescriptor, msg, withoutUnseen } from "../platform/i18n/message.ts";

/**
 * `refused`: wrong credentials. `forbidden`: no permission. `missing`: 404. `rejected`: any other 4xx.
 * `busy`: 429. `down`: no answer, or a 5xx. `malformed`: unreadable. `unallowed`: this installation may not
 * contact the address.
 */
export type ProviderFailure =
  | "refused"
  | "forbidden"
  | "missing"
  | "rejected"
  | "busy"
  | "down"
  | "malformed"
  | "unallowed";

interface More {
  /** The provider's own code, cleaned; empty: none. */
  code?: string;
  /** The provider's Retry-After, milliseconds. */
  afterMs?: number | undefined;
  field?: string;
}

/** Contains nothing of the provider's answer but its code. */
export class ProviderError extends Error {
  readonly is: ProviderFailure;
  readonly descriptor: MessageDescriptor;
  readonly code: string;
  readonly afterMs: number | undefined;
  readonly field: string | undefined;

  constructor(is: ProviderFailure, what: MessageDescriptor, { code = "", afterMs, field }: More = {}) {
    super(what.code);
    this.name = "ProviderError";
    this.is = is;
    this.descriptor = what;
    this.code = code;
    this.afterMs = afterMs;
    this.field = field;
  }
}

/** Failures that the account's owners have to fix. */
const FIXED_BY_USERS = new Set<ProviderFailure>(["refused", "forbidden", "missing", "rejected", "unallowed"]);

/** Whether only new credentials can help. */
export const isForPeople = ({ is }: ProviderError): boolean => FIXED_BY_USERS.has(is);

/** For callers: 422 of the field to blame, else 502. `field`: where the provider did not say which. */
export function refusalOf(error: unknown, field: string): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (isForPeople(error)) return invalidInput({ [error.field ?? field]: [error.descriptor] });
  const retryAfterSeconds =
    error.afterMs === undefined ? undefined : Math.max(1, Math.ceil(error.afterMs / 1000));
  return new PublicError("upstream_failed", error.descriptor, retryAfterSeconds ? { retryAfterSeconds } : {});
}

/** Where no input could be to blame: 409 once people have to link the account again, else 502. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  return isForPeople(error) ? new PublicError("conflict", error.descriptor) : refusalOf(error, "");
}

export type Json = Readonly<Record<string, unknown>>;

const MAX_TEXT = 255;
const MAX_ADDRESS = 2048;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `{}` where there is none. */
export const objectIn = (json: unknown, name: string): Json => {
  const value = isObject(json) ? json[name] : undefined;
  return isObject(value) ? value : {};
};

/** Throws ProviderError `malformed` where it is no list. */
export function objectsOf(value: unknown, where: string): Json[] {
  if (!Array.isArray(value)) throw malformed(where);
  return value.filter(isObject);
}

/** A list, or one in that field of an object. Throws ProviderError `malformed`. */
export const objectsIn = (json: unknown, name: string, where: string): Json[] =>
  objectsOf(isObject(json) ? json[name] : json, where);

/**
 * Cleaned, so that it may be stored and cannot reorder the text around it (bidi); null where there is none.
 */
export function textIn(json: unknown, name: string, maxLength = MAX_TEXT): string | null {
  const value = isObject(json) ? json[name] : undefined;
  if (typeof value !== "string" && typeof value !== "number") return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be stored
  const text = withoutUnseen(String(value).replace(/[\u0000-\u001f\u007f]+/g, " "))
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return text === "" ? null : text;
}

/** Throws ProviderError `malformed`. */
export function requiredText(json: unknown, name: string, where: string, maxLength = MAX_TEXT): string {
  const text = textIn(json, name, maxLength);
  if (text === null) throw malformed(where);
  return text;
}

const PATH_PART = /^[\w-]{1,64}$/;

/** Whether it can be put into addresses as it is. */
export const isPathPart = (text: string | null): text is string => text !== null && PATH_PART.test(text);

/** An id that is put into addresses. Throws ProviderError `malformed`. */
export function pathPartIn(json: unknown, name: string, where: string): string {
  const text = textIn(json, name);
  if (!isPathPart(text)) throw malformed(where);
  return text;
}

/** The last millisecond that a Date can be (ECMAScript, 21.4.1.1). */
const LAST_TIME = 8.64e15;

/** ISO 8601 or milliseconds; null where there is none that can be right. */
export function timeIn(json: unknown, name: string): number | null {
  const value = isObject(json) ? json[name] : undefined;
  const at = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isSafeInteger(at) && at > 0 && at <= LAST_TIME ? at : null;
}

/** http(s) without user name and password; null for anything else. */
export function webAddressOf(text: string | null): string | null {
  const url = text === null ? null : URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.username || url.password || url.hostname === "" || url.href.length > MAX_ADDRESS)
    return null;
  return url.href.replace(/\/$/, "");
}

/** `path` begins with a slash. */
export function withPath(address: string, path: string | null): string {
  if (path === null || !path.startsWith("/") || path === "/") return address;
  const url = URL.parse(path, address);
  return url && url.origin === new URL(address).origin ? url.href : address;
}

export const malformed = (where: string) =>
  new ProviderError("malformed", msg("integration.malformed", { where }));
