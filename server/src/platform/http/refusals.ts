import { inEnglish } from "../i18n/english.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

/** What a body may be at most where its route does not say otherwise. */
export const BODY_LIMIT_BYTES = 256 * 1024;

export const tooLarge = (limitBytes: number): MessageDescriptor =>
  msg("request.large", { limit: Math.floor(limitBytes / 1024) });

/** Before any handler saw the request. */
const REFUSALS: Record<number, MessageDescriptor> = {
  400: msg("request.unreadable"),
  405: msg("request.method"),
  408: msg("request.slow"),
  413: tooLarge(BODY_LIMIT_BYTES),
  414: msg("request.long"),
  415: msg("request.media"),
  417: msg("request.expectation"),
  431: msg("request.header"),
  501: msg("request.coding"),
};

export const refusalOf = (status: number): MessageDescriptor => REFUSALS[status] ?? msg("request.refused");

/** A request that HTTP itself forbids, that took too long, or for which there is no room. Nothing of it is logged. */
export class RefusedRequest extends Error {
  readonly statusCode: number;
  readonly descriptor: MessageDescriptor;
  readonly retryAfterSeconds: number | undefined;

  constructor(statusCode: number, what = refusalOf(statusCode), retryAfterSeconds?: number) {
    super(inEnglish(what));
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
    this.descriptor = what;
  }
}

export const failureOf = (what: MessageDescriptor, more: object = {}): object => ({
  success: false,
  message: inEnglish(what),
  ...more,
  fact: what,
});

/** Milliseconds. */
export interface RequestLimits {
  /** For header and body together; a client's time. */
  requestMs: number;
  /** For the header, from the connection or the answer before. */
  headersMs: number;
  /** How often the limits are looked at. */
  checkMs: number;
  /** From then on a body must have come at `leastBytesPerSecond` on average. */
  slowAfterMs: number;
  leastBytesPerSecond: number;
  /** How much is read and dropped of a request that was answered before it was complete. */
  dropBytes: number;
  /** And for how long. */
  dropMs: number;
  /** When nothing more of it comes for this long, the connection ends. */
  dropIdleMs: number;
  /** A connection with a request, over which nothing moves for so long, is ended. */
  stallMs: number;
  /** How many requests may wait for their turn, each with what Node keeps of one (begin-in-turns.ts). */
  waiting: number;
}

/** A body is 256 KB at most: enough for the worst of lines, too little for those that block connections. */
export const REQUEST_LIMITS: RequestLimits = {
  requestMs: 30_000,
  headersMs: 15_000,
  checkMs: 1_000,
  slowAfterMs: 10_000,
  leastBytesPerSecond: 500,
  dropBytes: 32 * 1024 * 1024,
  dropMs: 30_000,
  dropIdleMs: 5_000,
  stallMs: 60_000,
  waiting: 4_000,
};
