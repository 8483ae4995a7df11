import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";

/** What a body may be at most where its route does not say otherwise. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** A body of more than so many bytes. */
export const tooLarge = (limitBytes: number): Fact =>
  fact("request.large", { limit: Math.floor(limitBytes / 1024) });

/** Why a request was refused before any handler saw it, by status code. */
const REFUSALS: Record<number, Fact> = {
  400: fact("request.unreadable"),
  405: fact("request.method"),
  408: fact("request.slow"),
  413: tooLarge(BODY_LIMIT_BYTES),
  414: fact("request.long"),
  415: fact("request.media"),
  417: fact("request.expectation"),
  431: fact("request.header"),
  501: fact("request.coding"),
};

/** What there is to say about it. */
export const refusalOf = (status: number): Fact => REFUSALS[status] ?? fact("request.refused");

/** A request that HTTP itself forbids, that took too long, or for which there is no room. Nothing of it is logged. */
export class RefusedRequest extends Error {
  readonly statusCode: number;
  readonly fact: Fact;
  readonly retryAfterSeconds: number | undefined;

  constructor(statusCode: number, what = refusalOf(statusCode), retryAfterSeconds?: number) {
    super(inEnglish(what));
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fact = what;
  }
}

/** The body of every failure (wire/envelope.ts). */
export const failureOf = (what: Fact, more: object = {}): object => ({
  success: false,
  message: inEnglish(what),
  ...more,
  fact: what,
});
