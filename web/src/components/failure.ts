import { ApiError, sentencesOf } from "../api/client.ts";

/** Why something could not be done. */
export interface Failure {
  message: string;
  /** By which the server's log tells of it, where it is a fault of the server's; null for what the reader can mend. */
  requestId: string | null;
}

/** What is said of an error. */
export const failureOf = (error: Error): Failure => ({
  message: error.message,
  requestId: error instanceof ApiError && error.status >= 500 ? error.requestId : null,
});

/** The same with what each field has, where there is no box beside which it could stand. */
export const failureInWords = (error: Error): Failure => ({
  ...failureOf(error),
  message: sentencesOf(error).join(" "),
});
