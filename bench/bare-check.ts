import { connect, type Socket } from "node:net";
import tls from "node:tls";

const BUFFER_BYTES = 4096;

/**
 * The least that any check could do: connect, write a request, read to the end, close. With a
 * context over TLS with a full handshake, and the certificate looked at. `buffer` is where the answer goes.
 */
export function bareCheck(
  port: number,
  secureContext?: tls.SecureContext,
  buffer = Buffer.allocUnsafe(BUFFER_BYTES),
  path = "/",
): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
  const onread = { buffer, callback: () => true };
  return new Promise((resolve, reject) => {
    let socket: Socket;
    if (secureContext) {
      const options = { host: "127.0.0.1", port, secureContext, servername: "localhost", onread };
      const secure = tls.connect({ ...options, checkServerIdentity: () => undefined }, () => {
        if (secure.getPeerX509Certificate()?.fingerprint256 === undefined)
          reject(new Error("no certificate"));
        secure.write(request);
      });
      // Left alone, Node parses the whole chain for checkServerIdentity: 0.2 ms that are not needed.
      secure.getPeerCertificate = () => ({}) as tls.DetailedPeerCertificate;
      socket = secure;
    } else {
      socket = connect({ host: "127.0.0.1", port, onread }, () => socket.write(request));
    }
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}
