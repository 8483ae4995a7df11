import { excerpt, fact } from "../texts/fact.ts";
import type { Connection } from "./dial.ts";
import { hungUp, type Reason, timedOut } from "./reasons.ts";

/** How much of what a server says is read, in one dialogue. */
export const MAX_DIALOGUE_BYTES = 65_536;
/** In how many reads: no protocol needs more, and lines may be empty. */
export const MAX_DIALOGUE_READS = 2_000;

/** What a read is for: a line, so many bytes, or a text. */
export type Wanted = "line" | "bytes" | { text: string };

/** A read that has not found what it looked for. */
export interface UnendedRead {
  wanted: Wanted;
  /** What was said before it. */
  sent: readonly string[];
  /** What belongs to it so far. */
  pieces: Buffer[];
}

/** Why a read ends without what it looked for. */
export type Ending = (read: UnendedRead, where: string) => Reason;

/** What the server said, without what had been said to it. */
const saidTo = ({ pieces, sent }: UnendedRead, where: string) => ({
  where,
  said: excerpt(Buffer.concat(pieces).toString("utf8"), sent),
});

/** Nothing of it within all that is read. */
export const tooMuch: Ending = (read, where) => {
  const size = MAX_DIALOGUE_BYTES / 1024;
  if (read.wanted === "bytes") return fact("protocol.size", { where, size });
  const said = { ...saidTo(read, where), size };
  if (read.wanted === "line") return fact("protocol.line_within", said);
  return fact("assertion.expect_within", { ...said, wanted: excerpt(read.wanted.text) });
};

/** Too many reads in one dialogue. */
export const endless: Ending = (_read, where) =>
  fact("protocol.endless", { where, lines: MAX_DIALOGUE_READS });

/** The server hung up. */
export const cutShort: Ending = (read, where) => {
  if (read.wanted === "bytes" || read.pieces.length === 0) return hungUp("answer", where);
  const said = saidTo(read, where);
  if (read.wanted === "line") return fact("protocol.line_closed", said);
  return fact("assertion.expect_closed", { ...said, wanted: excerpt(read.wanted.text) });
};

/** What was said in messages, the last of them, while another one was waited for; `said` empty: there was none. */
interface Messages {
  where: string;
  said: string;
  wanted: string;
}

/** The time is up before the message came that was waited for. */
export const noMessage = ({ said, ...rest }: Messages & { seconds: number }): Reason =>
  said === "" ? fact("timeout.no_message", rest) : fact("timeout.expect", { ...rest, said });

/** The server said goodbye before the message came that was waited for. */
export const closedWithout = ({ said, ...rest }: Messages): Reason =>
  said === "" ? fact("assertion.message_closed", rest) : fact("assertion.expect_closed", { ...rest, said });

/** The time is up, in the middle of a read or before one. */
export function late(
  read: UnendedRead | null,
  { stage, where }: Pick<Connection, "stage" | "where">,
  timeoutMs: number,
): Reason {
  if (read === null || read.wanted === "bytes" || read.pieces.length === 0) {
    return timedOut(stage, where, timeoutMs);
  }
  const said = { ...saidTo(read, where), seconds: timeoutMs / 1000 };
  if (read.wanted === "line") return fact("timeout.line", said);
  return fact("timeout.expect", { ...said, wanted: excerpt(read.wanted.text) });
}
