/**
 * Clients of a server that is measured, and the bare server that it is compared with: one of them for each process, by the
 * first argument. Each sends "ready" and then works by messages.
 */

import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";

export interface LoadOrder {
  port: number;
  paths: string[];
  /** What every request says of itself, besides the host. */
  headers: Record<string, string>;
  connections: number;
  forMs: number;
}

export interface LoadReport {
  requests: number;
  elapsedMs: number;
}

const HEAD_END = "\r\n\r\n";

/**
 * Keeps `connections` busy with GET requests for so many milliseconds, each for the next of `paths`, and reports how many were
 * answered. Anything but 200 ends it. LoadOrder in, LoadReport out.
 */
function generateLoad(): void {
  process.on("message", (order: LoadOrder) => {
    void run(order).then((report) => process.send?.(report));
  });
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const begun = performance.now();
  let next = 0;
  const takePath = () => order.paths[next++ % order.paths.length] ?? "/";
  const counts = await Promise.all(
    Array.from({ length: order.connections }, () => keepRequesting(order, takePath, begun + order.forMs)),
  );
  return { requests: counts.reduce((sum, count) => sum + count, 0), elapsedMs: performance.now() - begun };
}

/** One connection, one request after another until the time is over; how many were answered. */
function keepRequesting(order: LoadOrder, takePath: () => string, untilMs: number): Promise<number> {
  const lines = Object.entries({ Host: `127.0.0.1:${order.port}`, ...order.headers });
  const head = `${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, "127.0.0.1");
    const sendNext = () => socket.write(`GET ${takePath()} HTTP/1.1\r\n${head}`);
    let answered = 0;
    let text = "";
    socket.setEncoding("latin1");
    socket.on("connect", sendNext);
    socket.on("error", reject);
    socket.on("close", () => resolve(answered));
    socket.on("data", (chunk: string) => {
      text += chunk;
      const end = text.indexOf(HEAD_END);
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
      if (text.length < end + HEAD_END.length + length) return;
      if (!text.startsWith("HTTP/1.1 200")) reject(new Error(text.slice(0, 300)));
      text = "";
      answered += 1;
      if (performance.now() < untilMs) sendNext();
      else socket.end();
    });
  });
}

export interface VisitorsOrder {
  port: number;
  path: string;
  headers: Record<string, string>;
  aSecond: number;
}

/** What several visitors received alike. */
export interface Version {
  etag: string;
  /** One answer, in base64: head and body. */
  bytes: string;
  count: number;
  /** When the first and the last of them came, milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
}

export interface VisitorsReport {
  versions: Version[];
  /** From when each was due to the end of its answer. */
  tookMs: number[];
  /** Without an answer of 200. */
  failed: number;
  elapsedMs: number;
}

const TICK_MS = 10;
/** A visitor without an answer leaves. */
const MAX_WAIT_MS = 10_000;
const ADDRESSES = 250;

const versions = new Map<string, Version>();
const tookMs: number[] = [];
let [failed, made, open] = [0, 0, 0];

/**
 * Visitors of a status page: so many a second, whether or not those before have been answered, each with a connection of its
 * own and from one of many addresses. VisitorsOrder in; "stop" in, VisitorsReport out.
 */
function visitPage(): void {
  process.on("message", (order: VisitorsOrder | "stop") => {
    if (order !== "stop") keepComing(order);
  });
}

function keepComing(order: VisitorsOrder): void {
  const lines = Object.entries({ Host: `127.0.0.1:${order.port}`, ...order.headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const request = `GET ${order.path} HTTP/1.1\r\n${head}\r\n`;
  const begun = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) * order.aSecond) / 1_000;
    for (; made < due; made++) visit(order.port, request, begun + (made * 1_000) / order.aSecond);
  }, TICK_MS);
  process.on("message", (word) => {
    if (word !== "stop") return;
    clearInterval(timer);
    const elapsedMs = performance.now() - begun;
    const report = () => {
      if (open > 0) return void setTimeout(report, TICK_MS);
      process.send?.({
        versions: [...versions.values()],
        tookMs,
        failed,
        elapsedMs,
      } satisfies VisitorsReport);
    };
    report();
  });
}

function visit(port: number, request: string, dueMs: number): void {
  const at = Date.now();
  const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${1 + (made % ADDRESSES)}` });
  const parts: Buffer[] = [];
  open += 1;
  socket.setTimeout(MAX_WAIT_MS, () => socket.destroy());
  socket.on("error", () => {});
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("close", () => {
    open -= 1;
    count(Buffer.concat(parts), at);
    tookMs.push(performance.now() - dueMs);
  });
  socket.on("connect", () => socket.write(request));
}

function count(bytes: Buffer, at: number): void {
  const head = bytes.toString("latin1", 0, bytes.indexOf("\r\n\r\n"));
  const etag = /^etag: (.+)$/im.exec(head)?.[1];
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
  if (!head.startsWith("HTTP/1.1 200") || !etag || bytes.length !== head.length + 4 + length) {
    failed += 1;
    return;
  }
  const seen = versions.get(etag);
  if (!seen) {
    versions.set(etag, { etag, bytes: bytes.toString("base64"), count: 1, firstAt: at, lastAt: at });
    return;
  }
  seen.count += 1;
  seen.firstAt = Math.min(seen.firstAt, at);
  seen.lastAt = Math.max(seen.lastAt, at);
}

export interface BareAnswer {
  headers: Record<string, string>;
  /** In base64, as a message cannot hold bytes. */
  body: string;
}

/** The least that an HTTP server in Node could do: the same headers and bytes for every request. BareAnswer in, its port out. */
function serveBare(): void {
  process.on("message", ({ headers, body }: BareAnswer) => {
    const bytes = Buffer.from(body, "base64");
    const server = createServer((_request, response) => {
      response.writeHead(200, headers);
      response.end(bytes);
    });
    server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  });
}

export interface SteadyOrder {
  url: string;
  token: string;
  paths: string[];
  aSecond: number;
}

const FAILED_MS = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
let answersMs: number[] = [];

/**
 * Somebody who uses the app: requests the next of `paths` so many times a second, whether or not the one before has been answered.
 * LoadOrder in; "take" in, the milliseconds of each answer since the last "take" out. Anything but 200 counts as a minute.
 */
function useApi(): void {
  process.on("message", (order: SteadyOrder | "take") => {
    if (order !== "take") return requestSteadily(order);
    process.send?.(answersMs);
    answersMs = [];
  });
}

function requestSteadily({ url, token, paths, aSecond }: SteadyOrder): void {
  let next = 0;
  setInterval(() => {
    const begun = performance.now();
    const keep = (isGood: boolean) => void answersMs.push(isGood ? performance.now() - begun : FAILED_MS);
    const headers = { authorization: `Bearer ${token}` };
    const path = paths[next++ % paths.length] ?? "/";
    const request = get(url + path, { agent, headers }, (response) => {
      response.resume().on("end", () => keep(response.statusCode === 200));
    });
    request.on("error", () => keep(false));
  }, 1_000 / aSecond);
}

const ROLES: Readonly<Record<string, () => void>> = {
  load: generateLoad,
  visitors: visitPage,
  bare: serveBare,
  app: useApi,
};
ROLES[process.argv[2] ?? ""]?.();
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
