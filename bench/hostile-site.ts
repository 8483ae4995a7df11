/** A monitored site that means harm. Listens on this machine only, in the process of the bench. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

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

/** What a check may ask it for: `/nested`, `/bomb/br`, `/headers`, `/cookies`, `/round/1`, `/bits`. */
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
