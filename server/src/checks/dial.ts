import { constants } from "node:crypto";
import net, { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import tls from "node:tls";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import { certificateReport } from "./certificate.ts";
import { noteCertificate, type Trace } from "./check.ts";
import { type Connected, connectFirst } from "./connect.ts";
import { guarded } from "./deadline.ts";
import { findAddresses, type HostLookup, type Network } from "./network.ts";
import { DialogueError, hungUp, type Reason, type Stage, shownHost, socketFailed } from "./reasons.ts";

/** Where to connect, and how. */
export interface DialOptions extends HostLookup {
  port: number;
  /** Gets the address, the certificate and the times. */
  trace: Trace;
  ignoreCertificate: boolean;
  /** Sent in the handshake (SNI) and verified, in place of the host; null: the host. Decides nothing about where to connect. */
  serverName: string | null;
  /** Also where the server knows no secure renegotiation (RFC 5746). */
  legacyRenegotiation: boolean;
}

export interface DialWay {
  /** TLS at once, offering these protocols (ALPN); null: none, or only later (startTls). */
  alpn: readonly string[] | null;
  /** Reads without a stream, where every microsecond counts; `undefined`: as Node does. */
  onread: net.OnReadOpts | undefined;
}

/** What takes over: exactly one is called, once, unless the connection is given up before. */
export interface Dialled {
  connected(socket: net.Socket | TLSSocket): void;
  /** `error` is the socket's own, if that is what failed. */
  failed(reason: Reason, error: NodeJS.ErrnoException | null): void;
}

/** A connection from its name to its end: the state that dialling and whatever is spoken then share. */
export interface Connection {
  options: DialOptions;
  stage: Stage;
  /** The host, with address and port once they are known; for reasons. */
  where: string;
  /** When the present phase began; `performance.now`. */
  since: number;
  /** Approved by the guard, and connected to. */
  address: ResolvedAddress | null;
  /** Nothing is called any more. */
  isOver: boolean;
  /** Drops the sockets; see hangUp. */
  drop(): void;
}

export const newConnection = (options: DialOptions): Connection => ({
  options,
  stage: "dns",
  where: shownHost(options.host),
  since: performance.now(),
  address: null,
  isOver: false,
  drop: () => {},
});

/**
 * The only way from a name to a socket: resolves, checks every address with the guard, connects to the first
 * that accepts, shakes hands; resolves only once. Never calls back at once. The caller enforces deadline and
 * stop signal with hangUp.
 */
export function dial(connection: Connection, way: DialWay, then: Dialled): void {
  const { options } = connection;
  const resolved = () => {
    options.trace.dnsMs = (options.trace.dnsMs ?? 0) + performance.now() - connection.since;
  };
  findAddresses(
    options,
    resolved,
    (addresses, late) => {
      if (connection.isOver) return;
      noteAddresses(options.trace, addresses, late);
      connect(connection, addresses, late, way, then);
    },
    (reason) => {
      if (!connection.isOver) then.failed(reason, null);
    },
  );
}

function noteAddresses(
  trace: Trace,
  addresses: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
): void {
  trace.addresses = addresses;
  const add = (more: readonly ResolvedAddress[]) => {
    if (trace.addresses === addresses) trace.addresses = [...addresses, ...more];
  };
  late?.then(add, () => {});
}

/** The same connection once more, in another way: to the very address that was approved and reached before. */
export function redial(connection: Connection, way: DialWay, then: Dialled): void {
  if (connection.address === null) throw new Error("redial needs a connection that reached an address");
  connect(connection, [connection.address], null, way, then);
}

/** Gives a connection up, or ends it; false when it had ended before. */
export function hangUp(connection: Connection): boolean {
  if (connection.isOver) return false;
  connection.isOver = true;
  connection.drop();
  return true;
}

function connect(
  connection: Connection,
  addresses: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
  { alpn, onread }: DialWay,
  then: Dialled,
): void {
  const { trace, network, port, fault } = connection.options;
  connection.stage = "connect";
  connection.since = performance.now();
  const open = ({ address, family }: ResolvedAddress): net.Socket => {
    const route = { host: address, port, family, onread };
    if (alpn !== null) return openTls(route, wishOf(connection.options), network, alpn);
    // Otherwise what is written in parts waits 40 ms and more for the server to acknowledge the first.
    return net.connect({ ...route, noDelay: true });
  };
  const connected: Connected = (error, socket, address) => {
    if (connection.isOver) return;
    const now = performance.now();
    trace.connectMs = (trace.connectMs ?? 0) + now - connection.since;
    trace.address = address.address;
    connection.address = address;
    connection.where = whereOf(connection.options, address);
    if (socket === null) return then.failed(socketFailed(error as Error, "connect", connection.where), error);
    connection.since = now;
    connection.drop = () => socket.destroy();
    if (alpn === null) then.connected(socket);
    else shakeHands(connection, socket as TLSSocket, then);
  };
  connection.drop = connectFirst(addresses, late, open, connected, fault);
}

/** `shop.example (192.0.2.1:443)`, or address and port alone where there is no name. */
function whereOf({ host, literal, port }: DialOptions, { address, family }: ResolvedAddress): string {
  const reached = `${family === 6 ? `[${address}]` : address}:${port}`;
  return literal ? reached : `${shownHost(host)} (${reached})`;
}

const nameOf = ({ serverName, host }: DialOptions) => serverName ?? host;

const wishOf = (options: DialOptions): TlsWish => ({
  name: nameOf(options),
  legacyRenegotiation: options.legacyRenegotiation,
});

/** TLS over what has been connected in the clear, or a stream in front of it. */
export function startTls(
  connection: Connection,
  stream: Duplex,
  alpn: readonly string[],
  then: Dialled,
): void {
  const { options } = connection;
  const socket = openTls({ socket: stream }, wishOf(options), options.network, alpn);
  connection.drop = () => {
    socket.destroy();
    stream.destroy();
  };
  shakeHands(connection, socket, then);
}

/** Nothing is sent to a server that cannot prove who it is: what is sent may carry credentials. */
function shakeHands(connection: Connection, socket: TLSSocket, then: Dialled): void {
  const { trace, network, ignoreCertificate, fault } = connection.options;
  const name = nameOf(connection.options);
  connection.stage = "tls";
  let isDone = false;
  const finish = (reason: Reason | null, error: NodeJS.ErrnoException | null) => {
    if (isDone || connection.isOver) return;
    isDone = true;
    if (reason === null) then.connected(socket);
    else then.failed(reason, error);
  };
  const measure = () => {
    trace.tlsMs = (trace.tlsMs ?? 0) + performance.now() - connection.since;
  };
  const failed = (error: NodeJS.ErrnoException) => {
    if (isDone || connection.isOver) return;
    measure();
    finish(socketFailed(error, "tls", connection.where), error);
  };
  const closed = () => {
    if (!socket.errored) finish(hungUp("tls", connection.where), null);
  };
  const secured = () => {
    if (isDone || connection.isOver) return;
    measure();
    const report = certificateReport(socket, name, network);
    noteCertificate(trace, name, report);
    const { valid, invalidReason } = report;
    if (valid || ignoreCertificate) return finish(null, null);
    finish(invalidReason ?? msg("certificate.none"), null);
  };
  socket.on("error", guarded(fault, failed));
  socket.on("close", guarded(fault, closed));
  socket.once("secureConnect", guarded(fault, secured));
}

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

interface TlsWish {
  /** Sent by SNI unless it is an address. */
  name: string;
  legacyRenegotiation: boolean;
}

/** An approved address to connect to, or what has been connected to one. */
type TlsRoute =
  | { host: string; port: number; family: number; onread: net.OnReadOpts | undefined }
  | { socket: Duplex };

/** Does not validate the certificate: send nothing before certificateReport has. */
function openTls(
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

/** TLS over what has been connected in the clear. Throws DialogueError when it fails or the certificate is bad. */
export const secure = (connection: Connection, socket: Duplex): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const failed = (reason: Reason) => reject(new DialogueError(reason));
    startTls(connection, socket, [], { connected: resolve, failed });
  });
