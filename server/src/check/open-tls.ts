import type net from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { Network } from "./network.ts";

/** By the list of certificates; one for those who add none. */
const contexts = new WeakMap<readonly string[], tls.SecureContext>();
const NONE_ADDED: readonly string[] = [];

/** One context for all checks of a network: making one for each costs a third of a TLS check. */
function contextOf({ ca = NONE_ADDED }: Network): tls.SecureContext {
  let context = contexts.get(ca);
  if (context === undefined) {
    context = tls.createSecureContext({
      ...(ca.length > 0 && { ca: [...tls.getCACertificates("default"), ...ca] }),
      // A private authority may be trusted by its intermediate alone, as with curl.
      allowPartialTrustChain: true,
    });
    contexts.set(ca, context);
  }
  return context;
}

/** An approved address to connect to, or what has been connected to one. */
export type TlsRoute =
  | { host: string; port: number; family: number; onread: net.OnReadOpts | undefined }
  | { socket: Duplex };

/**
 * Starts a TLS connection. Whether the certificate is good is not decided
 * here: nothing may be sent before certificateReport says so. SNI names the host unless it is a literal.
 */
export function openTls(
  route: TlsRoute,
  { host, literal }: { host: string; literal: boolean },
  network: Network,
  alpn: readonly string[],
): tls.TLSSocket {
  const options: tls.ConnectionOptions = {
    ...route,
    secureContext: contextOf(network),
    ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  };
  if (!literal) options.servername = host.endsWith(".") ? host.slice(0, -1) : host;
  const socket = tls.connect(options);
  // Node parses the whole chain for checkServerIdentity even when that ignores it: 0.2 ms a check.
  socket.getPeerCertificate = () => ({}) as tls.DetailedPeerCertificate;
  // Otherwise the request waits for the server to acknowledge the end of the handshake.
  socket.setNoDelay(true);
  return socket;
}
