import net from "node:net";
import type { ResolvedAddress } from "../../check/address.ts";
import { excerpt } from "../../texts/fact.ts";
import { greetedService } from "./service-names.ts";

/** Ports where a request for nothing (HEAD) does no harm; what is sent elsewhere might be printed. */
const WEB_PORTS = new Set([80, 3000, 3128, 5000, 8000, 8008, 8080, 8081, 8888, 9000, 9090, 9200]);
const HEAD = (host: string) => `HEAD / HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const WAIT_MS = 1_500;
const MAX_BYTES = 1_024;

/** What a service says of itself. */
export interface Banner {
  /** Its greeting, or how a web server introduces itself; null where it said nothing in time. */
  banner: string | null;
  /** What it is by that, where that is plain. */
  service: string | null;
}

/** What a service says within a second and a half of being connected to. Never rejects. */
export function readBanner(
  to: ResolvedAddress & { host: string },
  port: number,
  signal: AbortSignal,
): Promise<Banner> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ banner: null, service: null });
    const pieces: Buffer[] = [];
    let size = 0;
    const socket = net.connect({ host: to.address, port, family: to.family });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      socket.destroy();
      resolve(bannerOf(Buffer.concat(pieces, Math.min(size, MAX_BYTES))));
    };
    const timer = setTimeout(end, WAIT_MS);
    signal.addEventListener("abort", end);
    socket.once("connect", () => {
      if (WEB_PORTS.has(port)) socket.write(HEAD(to.host.includes(":") ? `[${to.host}]` : to.host));
    });
    socket.on("data", (bytes: Buffer) => {
      pieces.push(bytes);
      size += bytes.length;
      if (size >= MAX_BYTES || isWhole(Buffer.concat(pieces))) end();
    });
    socket.once("error", end);
    socket.once("close", end);
  });
}

/** The first line is enough, but for HTTP, whose header says what the server is. */
const isWhole = (said: Buffer): boolean =>
  said.subarray(0, 5).toString("latin1") === "HTTP/" ? said.includes("\r\n\r\n") : said.includes("\n");

function bannerOf(said: Buffer): Banner {
  const text = said.toString("utf8");
  const [first = ""] = text.split("\n", 1);
  const [, server] = text.startsWith("HTTP/") ? (/^server: *([^\r\n]+)/im.exec(text) ?? []) : [];
  const banner = excerpt(server === undefined ? first : `${first.trim()}, ${server}`);
  return { banner: banner.trim() === "" ? null : banner, service: greetedService(text) };
}
