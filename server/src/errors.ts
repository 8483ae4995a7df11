/**
 * The one family of errors that a caller may see. `message` is for the public; anything internal
 * belongs in `cause`, which only the log sees. http/errors.ts maps `kind` to a status code
 * (decisions §2), so that no verb knows about HTTP.
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
  | "unavailable";

/** Field name (nested as `protocolConfig.port`) to the sentences about it. */
export type FieldErrors = Record<string, string[]>;

export class PublicError extends Error {
  readonly kind: ErrorKind;
  readonly fields: FieldErrors | undefined;
  /** Seconds after which trying again makes sense; for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    more: { fields?: FieldErrors; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "PublicError";
    this.kind = kind;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** 401: no or invalid credentials. */
export const unauthenticated = () => new PublicError("unauthenticated", "Unauthenticated.");

/** 404: unknown, deleted, or belonging to another organization; the caller cannot tell which. */
export const notFound = () => new PublicError("not_found", "Resource not found.");

/** 422: `fields` names every bad field at once. */
export const invalidInput = (fields: FieldErrors) =>
  new PublicError("invalid_input", "The given data was invalid.", { fields });

/** 403: the plan lacks a feature. `plan` is the name as people read it, e.g. "an Expert". */
export const planRequired = (plan: string) =>
  new PublicError("plan_required", `This feature requires ${plan} Plan subscription.`);
