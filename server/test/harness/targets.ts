import net from "node:net";
import tls from "node:tls";
import type { Behaviour, TargetRequest } from "./behaviours.ts";
import { respond } from "./behaviours.ts";
import { type CertificateFlavour, testCa } from "./certificates.ts";

/**
 * Controllable local targets for checks. What they can do is in behaviours.ts; certificates in
 * certificates.ts, a DNS server in dns-target.ts, an HTTP/2-only one in http2-target.ts.
 */
export interface Target {
  /** `http://127.0.0.1:port/`, or `https://localhost:port/` with TLS. */
  url: string;
  port: number;
  /** Every request that came in whole, oldest first. */
  requests: TargetRequest[];
  /** Connections accepted so far. */
  connections(): number;
  /** From now on every request is answered like this. */
  set(behaviour: Behaviour): void;
  /** Stops listening, as a crashed service: connections are refused. `listen` brings it back on the same port. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface TlsTarget extends Target {
  /** PEM of the CA to trust. */
  ca: string;
  /** Server names (SNI) the clients requested; null for none. */
  serverNames: (string | null)[];
}

const MAX_REQUEST_BYTES = 1 << 20;

/** Reads one request; calls back once it is whole (Content-Length bodies only). */
function readRequest(socket: net.Socket, done: (request: TargetRequest) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 || bytes.length > MAX_REQUEST_BYTES) return;
    const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    const [method = "", path = ""] = first.split(" ");
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const wanted = Number(headers["content-length"] ?? 0);
    if (bytes.length < end + 4 + wanted) return;
    socket.off("data", onData);
    socket.resume();
    const body = bytes.toString("utf8", end + 4, end + 4 + wanted);
    done({ method, path, headers, body, raw: bytes.toString("latin1") });
  };
  socket.on("data", onData);
}

async function listen(server: net.Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return (server.address() as net.AddressInfo).port;
}

async function startTarget(
  server: net.Server,
  event: "connection" | "secureConnection",
  host: string,
  url: (port: number) => string,
  first: Behaviour,
): Promise<Target> {
  let behaviour = first;
  let accepted = 0;
  const requests: TargetRequest[] = [];
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on(event, (socket: net.Socket) => {
    socket.on("error", () => {});
    readRequest(socket, (request) => {
      requests.push(request);
      behaviour(socket, request);
    });
  });
  const port = await listen(server, 0, host);
  const stop = async () => {
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url(port),
    port,
    requests,
    connections: () => accepted,
    set: (next) => {
      behaviour = next;
    },
    refuse: stop,
    listen: async () => {
      if (!server.listening) await listen(server, port, host);
    },
    close: stop,
  };
}

/** Plain HTTP on 127.0.0.1 (or `host`); answers 200 by default. */
export function startHttpTarget(options: { handler?: Behaviour; host?: string } = {}): Promise<Target> {
  const host = options.host ?? "127.0.0.1";
  const shown = host.includes(":") ? `[${host}]` : host;
  const url = (port: number) => `http://${shown}:${port}/`;
  return startTarget(net.createServer(), "connection", host, url, options.handler ?? respond());
}

/**
 * HTTPS on 127.0.0.1 with a certificate of the given flavour; `alpn` defaults to what an HTTP/1.1
 * server offers. `url` names localhost, so that the host name can be verified.
 */
export async function startTlsTarget(
  options: { certificate?: CertificateFlavour; names?: string[]; alpn?: string[]; handler?: Behaviour } = {},
): Promise<TlsTarget> {
  const ca = await testCa();
  const serverNames: (string | null)[] = [];
  const issued = await ca.issue(options.certificate ?? "valid", options.names);
  const server = tls.createServer({ ...issued, ALPNProtocols: options.alpn ?? ["http/1.1"] });
  server.on("tlsClientError", () => {});
  server.on("secureConnection", (socket) => serverNames.push(socket.servername || null));
  const url = (port: number) => `https://localhost:${port}/`;
  const target = await startTarget(
    server,
    "secureConnection",
    "127.0.0.1",
    url,
    options.handler ?? respond(),
  );
  return Object.assign(target, { ca: ca.pem, serverNames });
}
