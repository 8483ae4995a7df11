import { invalidInput, PublicError } from "../errors.ts";
import type { Fact } from "../texts/fact.ts";

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
  readonly fact: Fact;
  readonly code: string;
  readonly afterMs: number | undefined;
  readonly field: string | undefined;

  constructor(is: ProviderFailure, what: Fact, { code = "", afterMs, field }: More = {}) {
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
const MENDED_BY_PEOPLE = new Set<ProviderFailure>([
  "refused",
  "forbidden",
  "missing",
  "rejected",
  "unallowed",
]);

/** Whether only somebody's new credentials can help. */
export const isForPeople = ({ is }: ProviderError): boolean => MENDED_BY_PEOPLE.has(is);

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
