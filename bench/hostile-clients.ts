/** What attackers do to the protocol. All of it is bounded: so many connections, so many bytes, and an end after some seconds. */

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

/** No attack lasts longer. */
const LONGEST_MS = 4_000;
/** How long a slow client stays. */
const STAY_MS = 1_200;

/** What an attack is aimed at. */
export interface Aim {
  port: number;
  /** An API key that may do everything in its own organization. */
  token: string;
  /** Where a server of the attacker listens (`startHostileSite`). */
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

/** Readers who request something large and hardly read it. */
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

/** Attacks by what a tenant hands in: files to import, and reports of its devices. */

const row = (text: string, times: number) => text.repeat(times);

const FILES: Readonly<Record<string, () => string>> = {
  "100,000 lines": () => row("https://example.com/\n", 90_000),
  "a table of 50,000 rows": () => `name,url\n${row("a,https://example.com/\n", 50_000)}`,
  "quotes without an end": () => `name,url\n${row('"', 1_000_000)}`,
  "anchors that multiply": () =>
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 8 }, (_, n) => `${"bcdefghi"[n]}: &${"bcdefghi"[n]} [${row(`*${"abcdefgh"[n]},`, 9)}]`).join("\n")}`,
  "YAML of nested lists": () => `endpoints:\n  ${row("- ", 50_000)}x`,
  "Gatus with 50,000 endpoints": () => `endpoints:\n${row("  - name: a\n    url: http://a.test\n", 25_000)}`,
  "JSON of nested arrays": () => row("[", 1_000_000),
  "Kuma with many monitors": () =>
    `{"version":"1","monitorList":[${row('{"type":"http","url":"http://a.test"},', 30_000)}{}]}`,
};
export const files: Attack[] = Object.entries(FILES).map(([name, make]) => ({
  ...{ name: `a file to import: ${name}`, by: "tenant" },
  run: (aim) => send(aim, { path: "/api/imports", isKnown: true, body: JSON.stringify({ content: make() }) }),
}));

const many = (length: number, text: (at: number) => string) =>
  Array.from({ length }, (_, at) => text(at)).join();
const REPORTS: Readonly<Record<string, () => string[]>> = {
  "one wide object": () => [`"metrics":{${many(150_000, (at) => `"c${at}":1`)}}`],
  "as many metrics as fit": () =>
    Array.from({ length: 100 }, () => `"metrics":{${many(1_000, (at) => `"c${at}.usage":1`)}}`),
  "empty rows": () =>
    Array.from({ length: 100 }, () => `"applications":{"total":1,"items":[${row("{},", 1_900)}{}]}`),
};
const AGENT = { version: "1", machineId: "m", bootId: "b", instance: randomUUID(), run: randomUUID() };
export const reports: Attack[] = Object.entries(REPORTS).map(([name, make]) => ({
  ...{ name: `a device's reports: ${name}`, by: "tenant" },
  run(aim) {
    const parts = make().map((part, at) => `{"sequence":${at + 1},"at":1,${part}}`);
    const body = gzipSync(
      `{"agent":${JSON.stringify(AGENT)},"sentAt":1,"dropped":0,"reports":[${parts.join()}]}`,
    );
    const headers = { authorization: `Bearer ${aim.deviceToken}`, "content-encoding": "gzip" };
    return sendMany(aim, 5, () => ({ path: "/api/agent/report", body, headers }));
  },
}));

/** A monitored site that means harm. Listens on this machine only, in the process of the bench. */

const MIB = 1_048_576;
const zeros = Buffer.alloc(200_000_000);
const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 };

const half = "[".repeat(MIB / 2 - 1);
const BODIES: Readonly<Record<string, () => Buffer>> = {
  nested: () => Buffer.from(half + half.replaceAll("[", "]")),
  objects: () => Buffer.from(`${'{"a":'.repeat(170_000)}1${"}".repeat(170_000)}`),
  names: () => Buffer.from(`{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":0`).join()}}`),
  empties: () => Buffer.from(`[${"{},".repeat(340_000)}{}]`),
  broken: () => Buffer.from(`[${"1,".repeat(500_000)}`),
  text: () => Buffer.from("a".repeat(MIB)),
  tags: () => Buffer.from("<title".repeat(150_000)),
  comments: () => Buffer.from("<!--<meta charset=".repeat(50_000)),
  links: () => Buffer.from('<link rel="icon" href="/x">'.repeat(30_000)),
};
const BOMBS: Readonly<Record<string, () => Buffer>> = {
  br: () => brotliCompressSync(zeros, { params }),
  gzip: () => gzipSync(zeros, { level: 1 }),
  zstd: () => zstdCompressSync(zeros),
};
const made = new Map<string, Buffer>();

function bodyOf(name: string, make: () => Buffer): Buffer {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

/** What a check may request of it: `/nested`, `/bomb/br`, `/headers`, `/cookies`, `/round/1`, `/bits`. */
export const SITE_PATHS: readonly string[] = [
  ...Object.keys(BODIES).map((name) => `/${name}`),
  ...Object.keys(BOMBS).map((name) => `/bomb/${name}`),
  ...["/headers", "/cookies", "/round/1", "/bits"],
];

export async function startHostileSite(): Promise<{ port: number; close(): void }> {
  const server: Server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

function answer({ url = "/" }: IncomingMessage, response: ServerResponse): void {
  const [, first = "", second = ""] = url.split("/");
  const make = BODIES[first];
  const bomb = first === "bomb" ? BOMBS[second] : undefined;
  response.on("error", () => {});
  if (make) response.end(bodyOf(first, make));
  else if (bomb) {
    response.setHeader("content-encoding", second);
    response.end(bodyOf(url, bomb));
  } else if (first === "headers") {
    for (let n = 0; n < 150; n += 1) response.setHeader(`x-${n}`, "y".repeat(80));
    response.end("x");
  } else if (first === "cookies") {
    response.setHeader(
      "set-cookie",
      Array.from({ length: 100 }, (_, n) => `a${n}=${"b".repeat(60)}; path=/`),
    );
    response.writeHead(302, { location: `/round/${"a".repeat(100)}` }).end();
  } else if (first === "round") response.writeHead(302, { location: `/round/${second}x` }).end();
  else {
    for (let n = 0; n < 20_000; n += 1) response.write("x");
    response.end();
  }
}
