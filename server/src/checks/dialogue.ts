import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressLiteral } from "../platform/formats/host.ts";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { bordersOf } from "./contains-text.ts";
import { guarded } from "./deadline.ts";
import { type Connection, secure } from "./dial.ts";
import { DialogueError, hungUp, type Reason, socketFailed, timedOut } from "./reasons.ts";

/** How much of what a server says is read, in one dialogue. */
export const MAX_DIALOGUE_BYTES = 65_536;
/** In how many reads: no protocol needs more, and lines may be empty. */
export const MAX_DIALOGUE_READS = 2_000;

/** What a read is for: a line, so many bytes, or a text. */
type Wanted = "line" | "bytes" | { text: string };

interface UnendedRead {
  wanted: Wanted;
  /** Sent before it. */
  sent: readonly string[];
  /** What belongs to it so far. */
  pieces: Buffer[];
}

/** Why a read ends without what it looked for. */
type Ending = (read: UnendedRead, where: string) => Reason;

/** What the server said, without echoes of what was sent. */
const saidTo = ({ pieces, sent }: UnendedRead, where: string) => ({
  where,
  said: excerpt(Buffer.concat(pieces).toString("utf8"), sent),
});

/** Nothing of it within all that is read. */
const tooMuch: Ending = (read, where) => {
  const size = MAX_DIALOGUE_BYTES / 1024;
  if (read.wanted === "bytes") return msg("protocol.size", { where, size });
  const said = { ...saidTo(read, where), size };
  if (read.wanted === "line") return msg("protocol.line_within", said);
  return msg("assertion.expect_within", { ...said, wanted: excerpt(read.wanted.text) });
};

const endless: Ending = (_read, where) => msg("protocol.endless", { where, lines: MAX_DIALOGUE_READS });

const cutShort: Ending = (read, where) => {
  if (read.wanted === "bytes" || read.pieces.length === 0) return hungUp("answer", where);
  const said = saidTo(read, where);
  if (read.wanted === "line") return msg("protocol.line_closed", said);
  return msg("assertion.expect_closed", { ...said, wanted: excerpt(read.wanted.text) });
};

/** What was said in messages, the last of them, while another one was waited for; `said` empty: there was none. */
interface Messages {
  where: string;
  said: string;
  wanted: string;
}

/** Timeout before the awaited message. */
export const noMessage = ({ said, ...rest }: Messages & { seconds: number }): Reason =>
  said === "" ? msg("timeout.no_message", rest) : msg("timeout.expect", { ...rest, said });

export const closedWithout = ({ said, ...rest }: Messages): Reason =>
  said === "" ? msg("assertion.message_closed", rest) : msg("assertion.expect_closed", { ...rest, said });

function late(
  read: UnendedRead | null,
  { stage, where }: Pick<Connection, "stage" | "where">,
  timeoutMs: number,
): Reason {
  if (read === null || read.wanted === "bytes" || read.pieces.length === 0) {
    return timedOut(stage, where, timeoutMs);
  }
  const said = { ...saidTo(read, where), seconds: timeoutMs / 1000 };
  if (read.wanted === "line") return msg("timeout.line", said);
  return msg("timeout.expect", { ...said, wanted: excerpt(read.wanted.text) });
}

/**
 * Called piece by piece: how many bytes belong to the match, its end included, or -1 so far. Never looks at a
 * byte twice. Not to be called again after a match.
 */
type StreamSearch = (piece: Buffer) => number;

const LINE_FEED = 0x0a;

/** LF or CR LF. */
export const searchLineEnd = (): StreamSearch => (piece) => piece.indexOf(LINE_FEED) + 1 || -1;

function searchLength(length: number): StreamSearch {
  let left = length;
  return (piece) => {
    const at = left <= piece.length ? left : -1;
    left -= piece.length;
    return at;
  };
}

/** For a text, which must not be empty, as UTF-8. */
export function searchText(text: string): StreamSearch {
  const wanted = Buffer.from(text, "utf8");
  const borders = bordersOf(wanted.toString("latin1"));
  let matched = 0;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1] ?? 0;
      if (wanted[matched] === byte) matched++;
      if (matched === wanted.length) return at + 1;
    }
    return -1;
  };
}

/** Sends and receives, one after the other, in a protocol of lines or of little more. */
export interface Dialogue {
  /** The server, its address and port; for reasons. */
  readonly where: string;
  /** How a mail client calls itself in this connection. */
  readonly ehloName: string;
  /** Says something; text is sent as UTF-8. Throws nothing: the next read reports a failure. */
  send(what: string | Uint8Array): void;
  /** The next line without its end. Throws DialogueError; one read at a time. */
  readLine(): Promise<string>;
  /** The next bytes, as many as that. Throws DialogueError. */
  readBytes(count: number): Promise<Buffer>;
  /** Reads up to the end of a text, wherever it is and whatever comes before it. Throws DialogueError. */
  expect(text: string): Promise<void>;
  quote(said: string): string;
  /** What to say when the time is up while bytes are being read; default: that no whole answer came. */
  ifLate(reason: (seconds: number) => Reason): void;
  /**
   * STARTTLS, once the server has agreed. Throws DialogueError when that fails, the certificate is bad, or
   * the server has already sent more, which would pass for encrypted.
   */
  secure(): Promise<void>;
}

export interface TimedDialogue extends Dialogue {
  /** What to say of it when its time is up. */
  late(timeoutMs: number): Reason;
  /** Ends the read under way, and those to come, in a failure. */
  end(reason: Reason): void;
}

interface Read extends UnendedRead {
  search: StreamSearch;
  resolve(pieces: Buffer[]): void;
  reject(error: DialogueError): void;
}

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
  isAnswering: boolean;
  /** Why no more will come. */
  ended: Ending | null;
  lateReason: ((seconds: number) => Reason) | null;
}

const NOTHING = Buffer.alloc(0);

/**
 * Over a connected stream without another reader; what is received waits in the system's buffers. Times go to
 * the connection's trace. Quotes show neither `secrets` nor lines that were sent.
 */
export function startDialogue(
  connection: Connection,
  stream: Duplex,
  secrets: readonly string[] = [],
): TimedDialogue {
  const state: State = {
    connection,
    stream,
    sent: secrets.filter((secret) => secret !== ""),
    rest: NOTHING,
    read: null,
    leftBytes: MAX_DIALOGUE_BYTES,
    leftReads: MAX_DIALOGUE_READS,
    isAnswering: false,
    ended: null,
    lateReason: null,
  };
  const { where } = connection;
  connection.stage = "answer";
  connection.since = performance.now();
  listen(state);
  const next = (wanted: Wanted, search: StreamSearch) =>
    new Promise<Buffer[]>((resolve, reject) => {
      if (state.read !== null) throw new Error("a dialogue reads one thing at a time");
      state.read = { wanted, search, sent: state.sent, pieces: [], resolve, reject };
      if (state.leftReads-- > 0) proceed(state);
      else breakOff(state, endless);
    });
  return {
    where,
    ehloName: connection.options.network.ehloName ?? addressLiteral((stream as Partial<Socket>).localAddress),
    send: (what) => {
      if (!state.isAnswering) connection.since = performance.now();
      if (typeof what === "string") state.sent.push(...tellingLines(what));
      state.stream.write(what);
    },
    readLine: async () => lineOf(await next("line", searchLineEnd())),
    readBytes: async (count) => (count === 0 ? NOTHING : joined(await next("bytes", searchLength(count)))),
    expect: async (text) => void (await next({ text }, searchText(text))),
    quote: (said) => excerpt(said, state.sent),
    ifLate: (reason) => {
      state.lateReason = reason;
    },
    secure: () => proceedOverTls(state),
    late: (timeoutMs) => lateReason(state, timeoutMs),
    end: (reason) => breakOff(state, () => reason),
  };
}

/** From here on the stream that was is TLS's own. */
async function proceedOverTls(state: State): Promise<void> {
  const { stream, connection } = state;
  if (state.ended !== null) throw new DialogueError(hungUp("tls", connection.where));
  if (state.rest.length > 0) throw new DialogueError(msg("protocol.broken", { where: connection.where }));
  stream.removeAllListeners("data").removeAllListeners("end");
  state.stream = await secure(connection, stream);
  connection.stage = "answer";
  connection.since = performance.now();
  listen(state);
}

function listen(state: State): void {
  const { stream, connection } = state;
  const { fault } = connection.options;
  const end = (why: Ending) => {
    // What TLS goes on over closes too; TLS reports that.
    if (stream !== state.stream) return;
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

/** What was received in one piece, as most is, need not be copied. */
const joined = (pieces: Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);

const lineOf = (pieces: Buffer[]) =>
  joined(pieces)
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

function lateReason({ read, connection, lateReason: own }: State, timeoutMs: number): Reason {
  if (read?.wanted === "bytes" && own !== null) return own(timeoutMs / 1000);
  return late(read, connection, timeoutMs);
}
