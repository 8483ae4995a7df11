import net from "node:net";
import type { TLSSocket } from "node:tls";
import type { Resolution, ResolvedAddress } from "./address.ts";
import { certificateReport } from "./certificate.ts";
import { type Connected, connectFirst } from "./connect.ts";
import { guarded } from "./fault.ts";
import { assertAllowed, type GuardError } from "./guard.ts";
import type { HttpRequest } from "./http-request.ts";
import {
  type Exchange,
  type ExchangeOptions,
  type ExchangeResult,
  fail,
  forgetAnswer,
  type Running,
  stopRunning,
} from "./http-running.ts";
import { type EndOfBody, type Http1Reading, readHttp1 } from "./http1-exchange.ts";
import { exchangeHttp2 } from "./http2-exchange.ts";
import { type Failure, hungUp, noPublicAddress, socketFailed } from "./reasons.ts";
import { ResolveError } from "./resolve.ts";
import { openTls } from "./tls.ts";
import { tapRecords } from "./tls-records.ts";

/** Servers that were found to speak nothing but HTTP/2: they are offered it first. Bounded, oldest out. */
const http2Only = new Set<string>();
/** Those found to end a body over TLS by closing the connection: their records are followed. */
const untilClose = new Set<string>();
const KEPT = 5000;

function keep(hosts: Set<string>, host: string): void {
  if (hosts.size >= KEPT && !hosts.has(host)) hosts.delete(hosts.keys().next().value as string);
  hosts.add(host);
}

/** How a connection is made. */
interface Way {
  /** Offer HTTP/2 first. */
  http2: boolean;
  /** Follow the TLS records. */
  tapped: boolean;
}

/** Methods whose request may be sent once more to see how its answer ends (RFC 9110 §9.2.1). */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

function wayOf({ origin, url, method }: HttpRequest): Way {
  const tapped = origin.secure && (untilClose.has(url.host) || !REPEATABLE.has(method));
  return { http2: http2Only.has(url.host), tapped };
}

/** Sends a request over a new connection (RFC 9112, 9113) and calls back once, never synchronously. */
export function exchange(
  request: HttpRequest,
  options: ExchangeOptions,
  done: (result: ExchangeResult) => void,
): Exchange {
  const run: Running = {
    stage: "dns",
    where: request.origin.host,
    request,
    options,
    finished: false,
    answer: null,
    answering: false,
    since: performance.now(),
    drop: () => {},
    done,
    cancel: () => stopRunning(run),
  };
  const { host, literal } = request.origin;
  if (literal) {
    const address: ResolvedAddress = { address: host, family: host.includes(":") ? 6 : 4 };
    const resolution: Resolution = { addresses: [address], late: null };
    queueMicrotask(guarded(options.fault, () => approve(run, resolution)));
  } else resolve(run);
  return run;
}

function resolve(run: Running): void {
  const { request, options } = run;
  const { host } = request.origin;
  const measure = () => {
    options.trace.dnsMs = (options.trace.dnsMs ?? 0) + performance.now() - run.since;
  };
  const resolved = (resolution: Resolution) => {
    measure();
    approve(run, resolution);
  };
  const failed = (error: unknown) => {
    measure();
    fail(run, unresolved(run, error));
  };
  const { fault, network, resolveSinceMs } = options;
  network.resolver.resolve(host, resolveSinceMs).then(guarded(fault, resolved), guarded(fault, failed));
}

function unresolved({ request, options }: Running, error: unknown): Failure {
  const { host } = request.origin;
  if (!(error instanceof ResolveError)) {
    return { reasonCode: "dns", reason: `The name ${host} could not be resolved.` };
  }
  const isMissing = error.code === "nxdomain";
  if (isMissing && options.network.policy === "public") return noPublicAddress(host);
  return { reasonCode: "dns", reason: error.message };
}

/** The guard: of a name's addresses only approved ones are tried, also of those that come late. */
function approve(run: Running, { addresses, late }: Resolution): void {
  if (run.finished) return;
  const { host, literal } = run.request.origin;
  const { network, fault } = run.options;
  let refusal = null as GuardError | null;
  const approvedOf = (all: readonly ResolvedAddress[]) =>
    all.filter(({ address }) => {
      try {
        assertAllowed(address, network.policy);
        return true;
      } catch (error) {
        refusal ??= error as GuardError;
        return false;
      }
    });
  const begin = (approved: ResolvedAddress[], more: Promise<ResolvedAddress[]> | null) => {
    if (run.finished) return;
    if (approved.length > 0) return connect(run, approved, more, wayOf(run.request));
    const goOn = guarded(fault, (those: ResolvedAddress[]) => begin(those, null));
    if (more !== null) return void more.then(goOn, fault);
    if (!literal && network.policy === "public") return fail(run, noPublicAddress(host));
    if (refusal === null) return fail(run, { reasonCode: "dns", reason: "The name has no address." });
    fail(run, { reasonCode: "guard", reason: refusal.message });
  };
  begin(approvedOf(addresses), late?.then(approvedOf) ?? null);
}

function connect(
  run: Running,
  addresses: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
  way: Way,
): void {
  const { origin } = run.request;
  const { network, trace, fault } = run.options;
  const { http2, tapped } = way;
  const reading = readHttp1(run);
  // HTTP/2 and the record tap take the socket over and must find it unread.
  const onread = http2 || tapped ? undefined : reading.onread;
  const alpn = http2 ? ["h2", "http/1.1"] : ["http/1.1"];
  run.stage = "connect";
  run.since = performance.now();
  const open = ({ address, family }: ResolvedAddress): net.Socket => {
    const route = { host: address, port: origin.port, family, onread };
    return origin.secure && !tapped ? openTls(route, origin, network, alpn) : net.connect(route);
  };
  const connected: Connected = (error, socket, address) => {
    if (run.finished) return;
    const now = performance.now();
    trace.connectMs = (trace.connectMs ?? 0) + now - run.since;
    trace.address = address.address;
    run.where = `${address.family === 6 ? `[${address.address}]` : address.address}:${origin.port}`;
    if (socket === null) return fail(run, socketFailed(error as Error, "connect", run.where));
    run.since = now;
    run.drop = () => socket.destroy();
    if (!origin.secure) return reading.start(socket, false, { records: null, again: null });
    if (!tapped) {
      const again = () => repeatTapped(run, address, way);
      return shakeHands(run, socket as TLSSocket, reading, address, way, { records: null, again });
    }
    const { stream, records } = tapRecords(socket);
    const secure = openTls({ socket: stream }, origin, network, alpn);
    run.drop = () => {
      secure.destroy();
      stream.destroy();
    };
    shakeHands(run, secure, reading, address, way, { records, again: null });
  };
  run.drop = connectFirst(addresses, late, open, connected, fault);
}

/** The body lasted until the connection was closed; whether within a TLS record was not seen. */
function repeatTapped(run: Running, address: ResolvedAddress, way: Way): void {
  keep(untilClose, run.request.url.host);
  forgetAnswer(run);
  connect(run, [address], null, { ...way, tapped: true });
}

function shakeHands(
  run: Running,
  socket: TLSSocket,
  reading: Http1Reading,
  address: ResolvedAddress,
  way: Way,
  end: EndOfBody,
): void {
  const { trace, ignoreCertificate, fault } = run.options;
  run.stage = "tls";
  const measure = () => {
    trace.tlsMs = (trace.tlsMs ?? 0) + performance.now() - run.since;
  };
  const failed = (error: NodeJS.ErrnoException) => {
    if (run.finished || run.stage !== "tls") return;
    measure();
    // The server offers HTTP/2 and nothing else: once more to the same address, offering that.
    if (!way.http2 && error.code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL")
      return connect(run, [address], null, { ...way, http2: true });
    fail(run, socketFailed(error, "tls", run.where));
  };
  const closed = () => {
    if (!run.finished && run.stage === "tls" && !socket.errored) fail(run, hungUp("tls", run.where));
  };
  const secured = () => {
    if (run.finished) return;
    measure();
    trace.certificate = certificateReport(socket, run.request.origin.host);
    const { valid, invalidReason } = trace.certificate;
    // Nothing is sent to a server that cannot prove who it is: the request may carry credentials.
    if (!valid && !ignoreCertificate) {
      return fail(run, { reasonCode: "certificate", reason: invalidReason ?? "The certificate is invalid." });
    }
    if (socket.alpnProtocol === "h2") speakHttp2(run, socket);
    else reading.start(socket, way.http2 || way.tapped, end);
  };
  socket.on("error", guarded(fault, failed));
  socket.on("close", guarded(fault, closed));
  socket.once("secureConnect", guarded(fault, secured));
}

function speakHttp2(run: Running, socket: TLSSocket): void {
  keep(http2Only, run.request.url.host);
  exchangeHttp2(run, socket);
}
