import type { Reason } from "./reasons.ts";

/** A dialogue that came to nothing: thrown by its reads, and by whoever is not content with what was read. */
export class DialogueError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.code);
    this.name = "DialogueError";
    this.reason = reason;
  }
}
