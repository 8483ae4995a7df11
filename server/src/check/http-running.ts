import type { CertificateReport } from "./certificate-report.ts";
import type { Fault } from "./fault.ts";
import type { HttpRequest } from "./http-request.ts";
import type { BodyLimit, BodyReader } from "./http-response-body.ts";
import type { Network } from "./network.ts";
import type { Failure, Stage } from "./reasons.ts";

/** What was seen on the way, summed over hops; times in milliseconds, null where a phase did not happen. */
export interface Trace {
  address: string | null;
  protocol: string | null;
  certificate: CertificateReport | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  transferMs: number | null;
}

/** An answer's header and as much of its body as was wanted, still encoded. */
export interface Answer {
  statusCode: number;
  /** A header's value by its name in lower case; several of a name joined by a comma. */
  header(name: string): string | undefined;
  /** All headers, names in lower case. */
  headers(): Map<string, string>;
  /** The values of Set-Cookie, which cannot be joined. */
  setCookies(): string[];
  /** Null where there is none, or nothing of it is of interest. */
  body: BodyReader | null;
}

export interface ExchangeOptions {
  network: Network;
  trace: Trace;
  ignoreCertificate: boolean;
  /** Names are asked for again unless that was done since; `performance.now`. */
  resolveSinceMs: number | undefined;
  /** Asked once the header is known. */
  bodyLimit(statusCode: number, header: (name: string) => string | undefined): BodyLimit;
  /** Takes what is thrown on the way, `done` included. */
  fault: Fault;
}

/** At least one of them; both where the answer broke off. */
export interface ExchangeResult {
  answer: Answer | null;
  failure: Failure | null;
}

/** One request under way. */
export interface Exchange {
  stage: Stage;
  /** The host, or address and port once there is one; for sentences. */
  where: string;
  /** Null until its header is known. */
  answer: Answer | null;
  /** Drops everything; `done` is not called any more. */
  cancel(): void;
}

/** The state of an exchange, shared by the files that carry it on. */
export interface Running extends Exchange {
  request: HttpRequest;
  options: ExchangeOptions;
  finished: boolean;
  /** Whether the answer's first byte has come. */
  answering: boolean;
  /** When the present phase began, or the request was sent. */
  since: number;
  drop(): void;
  done(result: ExchangeResult): void;
}

/** The answer's first byte has come: the phase before ends, the transfer begins. */
export function beginTransfer(run: Running): void {
  const { trace } = run.options;
  const now = performance.now();
  trace.firstByteMs = (trace.firstByteMs ?? 0) + now - run.since;
  run.since = now;
  run.answering = true;
}

function endTransfer(run: Running): void {
  const { trace } = run.options;
  if (run.answering) trace.transferMs = (trace.transferMs ?? 0) + performance.now() - run.since;
  run.answering = false;
}

/** Forgets the answer, so that another connection may bring one. The times of both count. */
export function forgetAnswer(run: Running): void {
  endTransfer(run);
  run.answer = null;
}

/** Ends whatever goes on, without a result. */
export function stopRunning(run: Running): void {
  if (run.finished) return;
  run.finished = true;
  endTransfer(run);
  run.drop();
}

/** Ends an exchange with its answer; whatever comes later changes nothing. */
export function settle(run: Running, failure: Failure | null = null): void {
  if (run.finished) return;
  stopRunning(run);
  run.done({ answer: run.answer, failure });
}

/** Ends an exchange in a failure. */
export const fail = (run: Running, failure: Failure) => settle(run, failure);
