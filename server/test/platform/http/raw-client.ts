import { connect, type Socket } from "node:net";

/** What came back over one connection, and how it ended. */
export interface RawAnswer {
  /** Of the first answer; null: none came. */
  status: number | null;
  text: string;
  /** The first answer's body as JSON; null where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any shape
  json: any;
  /** The error that ended it; null: in an orderly way. */
  error: string | null;
}

/** A request line of HTTP/1.1 with its headers, up to the empty line. */
export const rawRequest = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");

/** Sends bytes and reads until the server closes. `before`: all is written before anything is read. */
export function sendRaw(url: string, bytes: Buffer | string, before = false): Promise<RawAnswer> {
  return converse(url, (socket) => {
    if (!before) return void socket.write(bytes);
    socket.pause();
    socket.write(bytes, () => socket.resume());
  });
}

/** Connects, lets `speak` write, and reads until the server closes. */
export function converse(
  url: string,
  speak: (socket: Socket) => void,
  /** Goes on writing after the server has ended its side. */
  allowHalfOpen = false,
): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  let text = "";
  let error: string | null = null;
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen }, () => speak(socket));
  socket.on("data", (piece) => (text += piece.toString("latin1")));
  socket.on("error", ({ code = "unknown" }: NodeJS.ErrnoException) => (error = code));
  socket.on("close", () => {
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
    const body = /\r\n\r\n(\{[^]*?\})(?=HTTP|$)/.exec(text)?.[1];
    resolve({ status: status ? Number(status) : null, text, json: body ? JSON.parse(body) : null, error });
  });
  return promise;
}
