/** Why a request was refused before any handler saw it, by status code. */
const REFUSALS: Record<number, string> = {
  400: "The request could not be read.",
  405: "Method not allowed.",
  408: "The request took too long to arrive.",
  413: "The body is too large: at most 256 KB.",
  414: "The address is too long.",
  415: "The body must be JSON: send Content-Type: application/json.",
  417: "Only Expect: 100-continue can be met.",
  501: "Only the transfer coding chunked is supported.",
  431: "The header of the request is too large: at most 16 KB.",
};

/** Of a path or query that is malformed. */
export const UNREADABLE_ADDRESS = "The address of the request cannot be read.";

/** The sentence for people. */
export const refusalText = (status: number): string => REFUSALS[status] ?? "The request was refused.";

/** A request that HTTP itself forbids, or that took too long; `message` is for people. */
export class RefusedRequest extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message = refusalText(statusCode)) {
    super(message);
    this.statusCode = statusCode;
  }
}
