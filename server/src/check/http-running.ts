import { type Connection, hangUp } from "./dial.ts";
import type { Fault } from "./fault.ts";
import type { HttpRequest } from "./http-request.ts";
import type { BodyLimit, BodyReader } from "./http-response-body.ts";
import type { Network } from "./network.ts";
import type { Reason } from "./reasons.ts";
import type { Trace } from "./trace.ts";

/** An answer's header and as much of its body as was wanted, still encoded. */
export interface Answer {
  statusCode: number;
  /** What stands behind it in HTTP/1. */
  statusText(): string;
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
  legacyRenegotiation: boolean;
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
  failure: Reason | null;
  /** `performance.now`. */
  endedAt: number;
}

/** One request under way. */
export interface Exchange {
  connection: Connection;
  /** Null until its header is known. */
  answer: Answer | null;
  /** Drops everything; `done` is not called any more. */
  cancel(): void;
  /** Its time is over: calls `done` with an answer that was whole already; false where there is none. */
  conclude(): boolean;
}

/** The state of an exchange, shared by the files that carry it on. */
export interface Running extends Exchange {
  request: HttpRequest;
  options: ExchangeOptions;
  /** Whether the answer's first byte has come. */
  answering: boolean;
  /** Stands, whatever becomes of asking once more, unless that shows that the server cuts its answer off. */
  first: FirstAnswer | null;
  done(result: ExchangeResult): void;
}

/** An answer that was whole as far as could be seen, with its own times. */
export interface FirstAnswer {
  answer: Answer;
  trace: Trace;
  endedAt: number;
}

/** The answer's first byte has come: the phase before ends, the transfer begins. */
export function beginTransfer(run: Running): void {
  const { connection, options } = run;
  const now = performance.now();
  options.trace.firstByteMs = (options.trace.firstByteMs ?? 0) + now - connection.since;
  connection.since = now;
  run.answering = true;
}

function endTransfer(run: Running): void {
  const { connection, options } = run;
  if (run.answering)
    options.trace.transferMs = (options.trace.transferMs ?? 0) + performance.now() - connection.since;
  run.answering = false;
}

/** Puts the answer by, so that another connection may show how much it is worth. */
export function keepFirst(run: Running, answer: Answer): void {
  endTransfer(run);
  run.first = { answer, trace: { ...run.options.trace }, endedAt: performance.now() };
  run.answer = null;
}

/** Ends whatever goes on, without a result. */
export function stopRunning(run: Running): void {
  if (hangUp(run.connection)) endTransfer(run);
}

/** Ends an exchange with its answer; whatever comes later changes nothing. */
export function settle(run: Running, failure: Reason | null = null): void {
  if (run.connection.isOver) return;
  stopRunning(run);
  if (run.first === null) return run.done({ answer: run.answer, failure, endedAt: performance.now() });
  const { answer, trace, endedAt } = run.first;
  Object.assign(run.options.trace, trace);
  run.done({ answer, failure: null, endedAt });
}

/** Ends an exchange in a failure. */
export const fail = (run: Running, failure: Reason) => settle(run, failure);
