import http2 from "node:http2";
import type net from "node:net";
import { type CertificateFlavour, testCa } from "../harness/certificates.ts";

export interface GrpcAnswer {
  /** The response as bytes, prefix included; null: none. */
  body?: Buffer | null;
  headers?: Record<string, string | number>;
  trailers?: Record<string, string>;
}

const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);

/** A server over HTTP/2, with TLS if there is a certificate, that answers health requests; `requests` are their bytes. */
export async function startGrpcTarget({
  certificate,
  answer = {},
}: {
  certificate?: CertificateFlavour;
  answer?: GrpcAnswer;
} = {}) {
  const server =
    certificate === undefined
      ? http2.createServer()
      : http2.createSecureServer(await (await testCa()).issue(certificate, ["localhost"]));
  const requests: { path: string | undefined; body: Buffer }[] = [];
  const { body = SERVING, headers = {}, trailers = { "grpc-status": "0" } } = answer;
  const serve = (stream: http2.ServerHttp2Stream, { ":path": path }: http2.IncomingHttpHeaders) => {
    const pieces: Buffer[] = [];
    stream.on("error", () => {});
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("end", () => {
      requests.push({ path, body: Buffer.concat(pieces) });
      stream.respond(
        { ":status": 200, "content-type": "application/grpc", ...headers },
        { waitForTrailers: true },
      );
      stream.on("wantTrailers", () => stream.sendTrailers(trailers));
      if (body === null) stream.end();
      else stream.end(body);
    });
  };
  (server as http2.Http2Server).on("stream", serve);
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as net.AddressInfo).port, requests, close };
}
