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
  type Running,
  stopRunning,
} from "./http-running.ts";
import { type Http1Reading, readHttp1 } from "./http1-exchange.ts";
import { exchangeHttp2 } from "./http2-exchange.ts";
import { type Failure, hungUp, noPublicAddress, socketFailed } from "./reasons.ts";
import { ResolveError } from "./resolve.ts";
import { openTls } from "./tls.ts";

/** Servers that were found to speak nothing but HTTP/2: they are offered it first. Bounded, oldest out. */
const http2Only = new Set<string>();
const HTTP2_ONLY_KEPT = 5000;

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
    if (approved.length > 0) return connect(run, approved, more, http2Only.has(run.request.url.host));
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
  http2: boolean,
): void {
  const { origin } = run.request;
  const { network, trace, fault } = run.options;
  const reading = readHttp1(run);
  // HTTP/2 takes the socket over and must find it unread.
  const onread = http2 ? undefined : reading.onread;
  run.stage = "connect";
  run.since = performance.now();
  const open = (address: ResolvedAddress): net.Socket =>
    origin.secure
      ? openTls(address, origin, network, http2 ? ["h2", "http/1.1"] : ["http/1.1"], onread)
      : net.connect({ host: address.address, port: origin.port, family: address.family, onread });
  const connected: Connected = (error, socket, address) => {
    if (run.finished) return;
    const now = performance.now();
    trace.connectMs = (trace.connectMs ?? 0) + now - run.since;
    trace.address = address.address;
    run.where = `${address.family === 6 ? `[${address.address}]` : address.address}:${origin.port}`;
    if (socket === null) return fail(run, socketFailed(error as Error, "connect", run.where));
    run.since = now;
    run.drop = () => socket.destroy();
    if (origin.secure) shakeHands(run, socket as TLSSocket, reading, address, http2);
    else reading.start(socket, false);
  };
  run.drop = connectFirst(addresses, late, open, connected, fault);
}

function shakeHands(
  run: Running,
  socket: TLSSocket,
  reading: Http1Reading,
  address: ResolvedAddress,
  http2: boolean,
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
    if (!http2 && error.code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL")
      return connect(run, [address], null, true);
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
    else reading.start(socket, http2);
  };
  socket.on("error", guarded(fault, failed));
  socket.on("close", guarded(fault, closed));
  socket.once("secureConnect", guarded(fault, secured));
}

function speakHttp2(run: Running, socket: TLSSocket): void {
  if (http2Only.size >= HTTP2_ONLY_KEPT) http2Only.delete(http2Only.keys().next().value as string);
  http2Only.add(run.request.url.host);
  exchangeHttp2(run, socket);
}
