import { constants } from "node:crypto";
import type net from "node:net";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { Network } from "./network.ts";

/** By the list of certificates (one for those who add none), and whether servers without secure renegotiation are taken. */
const contexts = {
  usual: new WeakMap<Trusted, tls.SecureContext>(),
  legacy: new WeakMap<Trusted, tls.SecureContext>(),
};
type Trusted = readonly string[];
const NONE_ADDED: Trusted = [];

/** One context for all checks of a network: making one for each costs a third of a TLS check. */
function contextOf({ ca = NONE_ADDED }: Network, legacyRenegotiation: boolean): tls.SecureContext {
  const known = legacyRenegotiation ? contexts.legacy : contexts.usual;
  let context = known.get(ca);
  if (context === undefined) {
    context = tls.createSecureContext({
      ...(ca.length > 0 && { ca: [...tls.getCACertificates("default"), ...ca] }),
      // A private authority may be trusted by its intermediate alone, as with curl.
      allowPartialTrustChain: true,
      ...(legacyRenegotiation && { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT }),
    });
    known.set(ca, context);
  }
  return context;
}

/** What the handshake requests of a server. */
export interface TlsWish {
  /** Sent by SNI unless it is an address. */
  name: string;
  legacyRenegotiation: boolean;
}

/** An approved address to connect to, or what has been connected to one. */
export type TlsRoute =
  | { host: string; port: number; family: number; onread: net.OnReadOpts | undefined }
  | { socket: Duplex };

/**
 * Starts a TLS connection. Whether the certificate is good is not decided
 * here: nothing may be sent before certificateReport says so.
 */
export function openTls(
  route: TlsRoute,
  { name, legacyRenegotiation }: TlsWish,
  network: Network,
  alpn: readonly string[],
): tls.TLSSocket {
  const options: tls.ConnectionOptions = {
    ...route,
    secureContext: contextOf(network, legacyRenegotiation),
    ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  };
  if (isIP(name) === 0) options.servername = name.endsWith(".") ? name.slice(0, -1) : name;
  const socket = tls.connect(options);
  // Node parses the whole chain for checkServerIdentity even when that ignores it: 0.2 ms a check.
  socket.getPeerCertificate = () => ({}) as tls.DetailedPeerCertificate;
  // Otherwise the request waits for the server to acknowledge the end of the handshake.
  socket.setNoDelay(true);
  return socket;
}
