/** What attackers do on the wire. All of it is bounded: so many connections, so many bytes, and an end after some seconds. */
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** No attack lasts longer. */
export const LONGEST_MS = 4_000;
/** How long a slow client stays. */
const STAY_MS = 1_200;

/** What an attack is aimed at. */
export interface Aim {
  port: number;
  /** An API key that may do everything in its own organization. */
  token: string;
  /** Where a server of the attacker listens (hostile-site.ts). */
  sitePort: number;
  /** A device's token of the same organization. */
  deviceToken: string;
}

export interface Attack {
  name: string;
  /** Whether it takes a key of one of the tenants. */
  by: "anonymous" | "tenant";
  run(aim: Aim): Promise<unknown>;
}

export interface Sent {
  method?: string;
  path: string;
  body?: Buffer | string | undefined;
  headers?: Record<string, string>;
  /** Whether the key is sent. */
  isKnown?: boolean;
}

/** Sends a request and reads the answer to its end. Resolves with the status, or 0 where there was none. */
export function send(
  { port, token }: Aim,
  { method = "POST", path, body, headers, isKnown }: Sent,
): Promise<number> {
  return new Promise((resolve) => {
    const call = request({
      ...{ host: "127.0.0.1", port, method, path, agent: false, timeout: LONGEST_MS },
      headers: {
        ...(body !== undefined && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        }),
        ...(isKnown && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const end = (status: number) => {
      clearTimeout(limit);
      call.destroy();
      resolve(status);
    };
    const limit = setTimeout(() => end(0), LONGEST_MS);
    call.on("timeout", () => end(0));
    call.on("error", () => end(0));
    call.on("response", (answer) => {
      answer.resume();
      answer.on("end", () => end(answer.statusCode ?? 0));
      answer.on("error", () => end(0));
    });
    call.end(body);
  });
}

/** Makes a device; gives the token of its agent. */
export async function addDevice({ port, token }: Pick<Aim, "port" | "token">): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/devices`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: "hostile" }),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}

/** The same request so many times at once. */
export const sendMany = async (aim: Aim, times: number, sent: (n: number) => Sent): Promise<void> => {
  await Promise.all(Array.from({ length: times }, (_, n) => send(aim, sent(n))));
};

/** So many connections, each with what `speak` does on it, and closed after a while. */
async function stay({ port }: Aim, count: number, speak: (socket: Socket, n: number) => void): Promise<void> {
  const sockets = Array.from({ length: count }, (_, n) => {
    const socket = connect(port, "127.0.0.1", () => speak(socket, n));
    socket.on("error", () => {});
    return socket;
  });
  await wait(STAY_MS);
  for (const socket of sockets) socket.destroy();
}

/** Readers who ask for something large and hardly read it. */
export const slowReaders = (aim: Aim, count: number, path: string, encoding = "br, gzip"): Promise<void> =>
  stay(aim, count, (socket) => {
    const key = `authorization: Bearer ${aim.token}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${key}accept-encoding: ${encoding}\r\n\r\n`);
    socket.pause();
    const sip = setInterval(() => socket.read(100), 200);
    socket.once("close", () => clearInterval(sip));
  });

/** Clients that send their header byte by byte. */
export const slowHeaders = (aim: Aim, count: number): Promise<void> =>
  stay(aim, count, (socket) => {
    const text = `GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${"y".repeat(4_000)}`;
    let at = 0;
    const drip = setInterval(() => socket.write(text.slice(at, ++at)), 10);
    socket.once("close", () => clearInterval(drip));
  });

/** Clients that promise a body and send it byte by byte. */
export const slowBodies = (aim: Aim, count: number, path: string): Promise<void> =>
  stay(aim, count, (socket) => {
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write("["), 10);
    socket.once("close", () => clearInterval(drip));
  });

/** Clients that send these bytes at once and stay. */
export const shout = (aim: Aim, count: number, bytes: string | Buffer): Promise<void> =>
  stay(aim, count, (socket) => {
    socket.resume();
    socket.write(bytes);
  });

/** Clients that connect and leave at once, again and again. */
export const knock = (aim: Aim, count: number): Promise<void> =>
  stay(aim, count, (socket) => void socket.end("POST /api/domains HTTP/1.1\r\n"));
