import http2 from "node:http2";
import type net from "node:net";
import { type CertificateFlavour, testCa } from "./certificates.ts";

export interface Http2Target {
  /** `https://localhost:port/`. */
  url: string;
  port: number;
  /** PEM of the CA to trust. */
  ca: string;
  /** Pseudo headers and headers of every request, and its body. */
  requests: { headers: http2.IncomingHttpHeaders; body: string }[];
  /** TLS handshakes that were refused or done, and so connections accepted. */
  connections(): number;
  set(behaviour: Http2Behaviour): void;
  close(): Promise<void>;
}

export type Http2Behaviour = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void;

/** An ordinary answer. */
export function answer(
  status: number,
  body: string | Buffer = "ok",
  headers: Record<string, string> = {},
): Http2Behaviour {
  return (stream) => {
    stream.respond({ ":status": status, ...headers });
    stream.end(body);
  };
}

/** HTTPS on 127.0.0.1 that speaks HTTP/2 and nothing else. */
export async function startHttp2Target(
  options: { certificate?: CertificateFlavour; handler?: Http2Behaviour } = {},
): Promise<Http2Target> {
  const ca = await testCa();
  const issued = await ca.issue(options.certificate ?? "valid");
  let behaviour = options.handler ?? answer(200);
  let accepted = 0;
  const sockets = new Set<net.Socket>();
  const requests: Http2Target["requests"] = [];
  const server = http2.createSecureServer({ ...issued, allowHTTP1: false });
  server.on("connection", (socket: net.Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  server.on("sessionError", () => {});
  server.on("tlsClientError", () => {});
  server.on("stream", (stream: http2.ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    let body = "";
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      body += text;
    });
    stream.on("end", () => requests.push({ headers, body }));
    behaviour(stream, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `https://localhost:${port}/`,
    port,
    ca: ca.pem,
    requests,
    connections: () => accepted,
    set: (next) => {
      behaviour = next;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
