/**
 * Visitors of a status page, in a process of their own: so many a second, whether or not those before have been answered,
 * each with a connection of its own and from one of many addresses. Messages: "ready" out; VisitorsOrder in; "stop" in,
 * VisitorsReport out.
 */
import { connect } from "node:net";

export interface VisitorsOrder {
  port: number;
  path: string;
  headers: Record<string, string>;
  aSecond: number;
}

/** What those got who got the same. */
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
/** Whoever has no answer by then goes away. */
const PATIENCE_MS = 10_000;
const ADDRESSES = 250;

const versions = new Map<string, Version>();
const tookMs: number[] = [];
let [failed, made, open] = [0, 0, 0];

process.on("message", (order: VisitorsOrder | "stop") => {
  if (order !== "stop") keepComing(order);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");

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
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
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
