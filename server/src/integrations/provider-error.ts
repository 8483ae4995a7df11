import { invalidInput, PublicError } from "../platform/errors.ts";
import { type MessageDescriptor, msg, withoutUnseen } from "../platform/i18n/message.ts";

/**
 * What went wrong at an outside system. `refused`: it does not take the credentials. `forbidden`: it does, but they may not
 * do that. `missing`: there is no such thing. `rejected`: any other 4xx. `busy`: too many requests. `down`: no answer, or a
 * 5xx. `malformed`: an answer that cannot be read. `unallowed`: this installation contacts no such address.
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
  /** The other side's own code for it, cleaned; empty: none. */
  code?: string;
  /** How long it wants to be left alone, milliseconds. */
  afterMs?: number | undefined;
  /** Which field of the configuration is to blame. */
  field?: string;
}

/** A request to an outside system that came to nothing. Has nothing of what that answered but its code. */
export class ProviderError extends Error {
  readonly is: ProviderFailure;
  readonly fact: MessageDescriptor;
  readonly code: string;
  readonly afterMs: number | undefined;
  readonly field: string | undefined;

  constructor(is: ProviderFailure, what: MessageDescriptor, { code = "", afterMs, field }: More = {}) {
    super(what.code);
    this.name = "ProviderError";
    this.is = is;
    this.fact = what;
    this.code = code;
    this.afterMs = afterMs;
    this.field = field;
  }
}

/** Those that whoever set it up has to mend. */
const FIXED_BY_USERS = new Set<ProviderFailure>(["refused", "forbidden", "missing", "rejected", "unallowed"]);

/** Whether only somebody's new credentials can help. */
export const isForPeople = ({ is }: ProviderError): boolean => FIXED_BY_USERS.has(is);

/** What a caller is told: 422 of the field that is to blame, else 502. `field`: where the other side did not say which. */
export function refusalOf(error: unknown, field: string): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (isForPeople(error)) return invalidInput({ [error.field ?? field]: [error.fact] });
  const retryAfterSeconds =
    error.afterMs === undefined ? undefined : Math.max(1, Math.ceil(error.afterMs / 1000));
  return new PublicError("upstream_failed", error.fact, retryAfterSeconds ? { retryAfterSeconds } : {});
}

/** The same where nothing was sent that could be to blame: 409 once people have to link the account again. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  return isForPeople(error) ? new PublicError("conflict", error.fact) : refusalOf(error, "");
}

/** Any object of an answer. */
export type Json = Readonly<Record<string, unknown>>;

const MAX_TEXT = 255;
const MAX_ADDRESS = 2048;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object in a field, `{}` where there is none. */
export const objectIn = (json: unknown, name: string): Json => {
  const value = isObject(json) ? json[name] : undefined;
  return isObject(value) ? value : {};
};

/** The objects of a list. Throws ProviderError `malformed` where it is none. */
export function objectsOf(value: unknown, where: string): Json[] {
  if (!Array.isArray(value)) throw malformed(where);
  return value.filter(isObject);
}

/** The objects of a list, or of one that stands in that field of an object. Throws ProviderError `malformed` where it is none. */
export const objectsIn = (json: unknown, name: string, where: string): Json[] =>
  objectsOf(isObject(json) ? json[name] : json, where);

/** A text as it may be stored, which turns no text around it; null where there is none. */
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

/** The same of what there must be. Throws ProviderError `malformed`. */
export function requiredText(json: unknown, name: string, where: string, maxLength = MAX_TEXT): string {
  const text = textIn(json, name, maxLength);
  if (text === null) throw malformed(where);
  return text;
}

const PATH_PART = /^[\w-]{1,64}$/;

/** Whether it can be put into addresses as it is. */
export const isPathPart = (text: string | null): text is string => text !== null && PATH_PART.test(text);

/** What something is known by, which is put into addresses. Throws ProviderError `malformed` for one that cannot be. */
export function pathPartIn(json: unknown, name: string, where: string): string {
  const text = textIn(json, name);
  if (!isPathPart(text)) throw malformed(where);
  return text;
}

/** The last millisecond that a Date can be (ECMAScript, 21.4.1.1). */
const LAST_TIME = 8.64e15;

/** A time, as ISO 8601 or in milliseconds; null where there is none that can be right. */
export function timeIn(json: unknown, name: string): number | null {
  const value = isObject(json) ? json[name] : undefined;
  const at = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isSafeInteger(at) && at > 0 && at <= LAST_TIME ? at : null;
}

/** An http(s) address without user name and password; null for anything else. */
export function webAddressOf(text: string | null): string | null {
  const url = text === null ? null : URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.username || url.password || url.hostname === "" || url.href.length > MAX_ADDRESS)
    return null;
  return url.href.replace(/\/$/, "");
}

/** An address with a path, which begins with a slash, in the place of its own. */
export function withPath(address: string, path: string | null): string {
  if (path === null || !path.startsWith("/") || path === "/") return address;
  const url = URL.parse(path, address);
  return url && url.origin === new URL(address).origin ? url.href : address;
}

export const malformed = (where: string) =>
  new ProviderError("malformed", msg("integration.malformed", { where }));
