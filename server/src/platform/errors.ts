import { inEnglish } from "./i18n/english.ts";
import { type MessageDescriptor, msg } from "./i18n/message.ts";

/**
 * The errors that a caller may see, rendered at the edge; anything internal belongs in `cause`, for the log.
 * platform/http/errors.ts maps `kind` to a status code: no operation knows HTTP.
 */
export type ErrorKind =
  | "unauthenticated"
  | "plan_required"
  | "scope_required"
  /** Any other 403: the role, the kind of credentials, where the request comes from. */
  | "forbidden"
  | "quota_reached"
  | "not_found"
  | "invalid_input"
  | "conflict"
  | "rate_limited"
  | "unavailable"
  /** A remote server, requested for the caller, did not answer or not well. */
  | "upstream_failed";

/** Field name (nested as `protocolConfig.port`) to what is wrong with it. */
export type FieldErrors = Record<string, MessageDescriptor[]>;

export class PublicError extends Error {
  readonly kind: ErrorKind;
  readonly descriptor: MessageDescriptor;
  readonly fields: FieldErrors | undefined;
  /** Seconds after which trying again makes sense; for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
  /** How to authenticate, for `unauthenticated`; default: as the API requires it. */
  readonly challenge: string | undefined;

  constructor(
    kind: ErrorKind,
    what: MessageDescriptor,
    more: { fields?: FieldErrors; retryAfterSeconds?: number; challenge?: string; cause?: unknown } = {},
  ) {
    super(inEnglish(what), { cause: more.cause });
    this.name = "PublicError";
    this.kind = kind;
    this.descriptor = what;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.challenge = more.challenge;
  }
}

/** 401: no or invalid credentials. */
export const unauthenticated = () => new PublicError("unauthenticated", msg("request.unauthenticated"));

/** 404: unknown, deleted, or belonging to another organization; the caller cannot find out which. */
export const notFound = () => new PublicError("not_found", msg("request.not_found"));

/** 422: `fields` names every bad field at once. */
export const invalidInput = (fields: FieldErrors) =>
  new PublicError("invalid_input", msg("input.invalid"), { fields });

/** 503: what is needed does not answer now; worth trying again after that many seconds. */
export const unavailable = (retryAfterSeconds: number, cause?: unknown) =>
  new PublicError("unavailable", msg("request.unavailable"), { retryAfterSeconds, cause });

/** 429: too many attempts; worth trying again after that many seconds, at least one. */
export const tooManyAttempts = (retryAfterSeconds: number) =>
  new PublicError("rate_limited", msg("request.too_many"), {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)),
  });
