import net from "node:net";
import tls from "node:tls";
import { type CertificateFlavour, testCa } from "./certificates.ts";

/** A listener that speaks a protocol of lines, or breaks it. */
export interface LineTarget {
  port: number;
  /** What each client has said so far, oldest first. */
  received: string[];
  /** Stops listening, and ends every connection. */
  close(): Promise<void>;
}

/** `talk` is given each connection. With `certificate` over TLS, for `names`. Listens on `host`. */
export async function startLineTarget(
  talk: (socket: net.Socket) => void,
  {
    certificate,
    names = ["localhost"],
    host = "127.0.0.1",
  }: { certificate?: CertificateFlavour; names?: string[]; host?: string } = {},
): Promise<LineTarget> {
  const received: string[] = [];
  const open = new Set<net.Socket>();
  const accept = (socket: net.Socket) => {
    const at = received.push("") - 1;
    open.add(socket);
    socket.on("data", (bytes) => (received[at] += bytes.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    talk(socket);
  };
  const server =
    certificate === undefined
      ? net.createServer(accept)
      : tls.createServer(await (await testCa()).issue(certificate, names), accept);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const close = async () => {
    for (const socket of open) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as net.AddressInfo).port, received, close };
}
