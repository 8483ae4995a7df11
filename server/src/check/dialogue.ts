import type { Duplex } from "node:stream";
import { excerpt, fact } from "../texts/fact.ts";
import type { Connection } from "./dial.ts";
import { guarded } from "./fault.ts";
import { hungUp, type Reason, socketFailed, timedOut } from "./reasons.ts";
import { type StreamSearch, searchLineEnd, searchText } from "./stream-search.ts";

/** How much of what a server says is read, in one dialogue. */
export const MAX_DIALOGUE_BYTES = 65_536;
/** In how many reads: no protocol needs more, and lines may be empty. */
export const MAX_DIALOGUE_READS = 2_000;

/** A dialogue that came to nothing: thrown by its reads, and by whoever is not content with what was read. */
export class DialogueError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.code);
    this.name = "DialogueError";
    this.reason = reason;
  }
}

/** Saying and hearing, one after the other, in a protocol of lines or of little more. */
export interface Dialogue {
  /** The server, its address and port; for reasons. */
  readonly where: string;
  /** Says something; text is sent as UTF-8. Throws nothing: the next read tells what became of it. */
  send(what: string | Uint8Array): void;
  /** The next line without its end. Throws DialogueError; one read at a time. */
  readLine(): Promise<string>;
  /** Reads up to the end of a text, wherever it stands and whatever comes before it. Throws DialogueError. */
  expect(text: string): Promise<void>;
}

/** A dialogue for whoever keeps its time. */
export interface TimedDialogue extends Dialogue {
  /** What to say of it when its time is up. */
  late(timeoutMs: number): Reason;
  /** Ends the read under way, and those to come, in a failure. */
  end(reason: Reason): void;
}

interface Read {
  /** Null: a line. */
  wanted: string | null;
  search: StreamSearch;
  /** What was said before it. */
  sent: readonly string[];
  /** What belongs to it so far. */
  pieces: Buffer[];
  resolve(pieces: Buffer[]): void;
  reject(error: DialogueError): void;
}

/** Why a read ends without what it looked for. */
type Ending = (read: Read, where: string) => Reason;

interface State {
  connection: Connection;
  stream: Duplex;
  /** The lines that were said: they may be credentials, and some servers quote them. */
  sent: string[];
  /** Received, and not read yet. */
  rest: Buffer;
  read: Read | null;
  /** How many bytes more may be read. */
  leftBytes: number;
  leftReads: number;
  /** Whether the server has said anything. */
  isAnswering: boolean;
  /** Why no more will come. */
  ended: Ending | null;
}

const NOTHING = Buffer.alloc(0);

/**
 * Begins a dialogue over a connected stream that nobody else reads. What is received waits, unread and in the system's
 * buffers, until it is asked for. The times of the answer go to the connection's trace.
 */
export function startDialogue(connection: Connection, stream: Duplex): TimedDialogue {
  const state: State = {
    connection,
    stream,
    sent: [],
    rest: NOTHING,
    read: null,
    leftBytes: MAX_DIALOGUE_BYTES,
    leftReads: MAX_DIALOGUE_READS,
    isAnswering: false,
    ended: null,
  };
  const { where } = connection;
  connection.stage = "answer";
  connection.since = performance.now();
  listen(state);
  const next = (wanted: string | null, search: StreamSearch) =>
    new Promise<Buffer[]>((resolve, reject) => {
      if (state.read !== null) throw new Error("a dialogue reads one thing at a time");
      state.read = { wanted, search, sent: state.sent, pieces: [], resolve, reject };
      if (state.leftReads-- > 0) proceed(state);
      else breakOff(state, endless);
    });
  return {
    where,
    send: (what) => {
      if (!state.isAnswering) connection.since = performance.now();
      if (typeof what === "string") state.sent.push(...tellingLines(what));
      stream.write(what);
    },
    readLine: async () => lineOf(await next(null, searchLineEnd())),
    expect: async (text) => void (await next(text, searchText(text))),
    late: (timeoutMs) => late(state, timeoutMs),
    end: (reason) => breakOff(state, () => reason),
  };
}

function listen(state: State): void {
  const { stream, connection } = state;
  const { fault } = connection.options;
  const end = (why: Ending) => {
    state.ended ??= why;
    proceed(state);
  };
  const closed = guarded(fault, () => end(cutShort));
  const broken = (error: Error) => end(() => socketFailed(error, "answer", connection.where));
  const received = guarded(fault, (bytes: Buffer) => take(state, bytes));
  stream.on("data", received);
  stream.pause();
  stream.on("end", closed);
  stream.on("close", closed);
  stream.on("error", guarded(fault, broken));
}

/** From now on every read fails; what has been received does not count any more. */
function breakOff(state: State, why: Ending): void {
  state.rest = NOTHING;
  state.ended = why;
  proceed(state);
}

const pause = (stream: Duplex) => {
  if (!stream.isPaused()) stream.pause();
};

const lineOf = (pieces: Buffer[]) =>
  Buffer.concat(pieces)
    .toString("utf8")
    .replace(/\r?\n$/, "");

function take(state: State, bytes: Buffer): void {
  const { connection } = state;
  const { trace } = connection.options;
  const now = performance.now();
  if (state.isAnswering) trace.transferMs = (trace.transferMs ?? 0) + now - connection.since;
  else trace.firstByteMs = now - connection.since;
  state.isAnswering = true;
  connection.since = now;
  state.rest = state.rest.length === 0 ? bytes : Buffer.concat([state.rest, bytes]);
  proceed(state);
}

/** Gives the read under way what has been received, or its end. */
function proceed(state: State): void {
  const { read, stream } = state;
  if (read === null) return pause(stream);
  const piece = state.rest.subarray(0, state.leftBytes);
  const found = piece.length === 0 ? -1 : read.search(piece);
  const taken = found < 0 ? piece : piece.subarray(0, found);
  if (taken.length > 0) read.pieces.push(taken);
  state.rest = state.rest.subarray(taken.length);
  state.leftBytes -= taken.length;
  if (found < 0 && state.leftBytes > 0 && state.ended === null) return void stream.resume();
  state.read = null;
  pause(stream);
  if (found >= 0) return read.resolve(read.pieces);
  const why = state.leftBytes > 0 && state.ended !== null ? state.ended : tooMuch;
  read.reject(new DialogueError(why(read, state.connection.where)));
}

/** Less is in any text, and no secret. */
const MIN_TELLING_LENGTH = 4;
/** Each is looked for in what is quoted. */
const MAX_TELLING_LINES = 100;

const tellingLines = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_TELLING_LENGTH)
    .slice(0, MAX_TELLING_LINES);

/** What the server said, without what had been said to it; and `wanted`, unless that was a line. */
function saidTo({ pieces, wanted, sent }: Read, where: string) {
  const said = excerpt(Buffer.concat(pieces).toString("utf8"), sent);
  return { where, said, wanted: wanted === null ? null : excerpt(wanted) };
}

const tooMuch: Ending = (read, where) => {
  const { wanted, ...said } = { ...saidTo(read, where), size: MAX_DIALOGUE_BYTES / 1024 };
  return wanted === null
    ? fact("protocol.line_within", said)
    : fact("assertion.expect_within", { ...said, wanted });
};

const endless: Ending = (_read, where) => fact("protocol.endless", { where, lines: MAX_DIALOGUE_READS });

const cutShort: Ending = (read, where) => {
  if (read.pieces.length === 0) return hungUp("answer", where);
  const { wanted, ...said } = saidTo(read, where);
  return wanted === null
    ? fact("protocol.line_closed", said)
    : fact("assertion.expect_closed", { ...said, wanted });
};

function late({ read, connection }: State, timeoutMs: number): Reason {
  const { stage, where } = connection;
  if (read === null || read.pieces.length === 0) return timedOut(stage, where, timeoutMs);
  const { wanted, ...said } = { ...saidTo(read, where), seconds: timeoutMs / 1000 };
  return wanted === null ? fact("timeout.line", said) : fact("timeout.expect", { ...said, wanted });
}
