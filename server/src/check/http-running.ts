import type { CertificateReport } from "./certificate.ts";
import type { HttpRequest } from "./http-request.ts";
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
}

/** An answer's header and as much of its body as was wanted, still encoded. */
export interface Answer {
  statusCode: number;
  /** A header's value by its name in lower case. */
  header(name: string): string | undefined;
  /** All headers, names in lower case. */
  headers(): Map<string, string>;
  body: Buffer[];
  bodyCut: boolean;
}

/** What is wanted of a body: `bytes` at most, until `enough` (told of every piece) says so. */
export interface BodyWish {
  bytes: number;
  enough: ((data: Buffer) => boolean) | null;
}

export interface ExchangeOptions {
  network: Network;
  trace: Trace;
  ignoreCertificate: boolean;
  /** Names are asked for again unless that was done since; `performance.now`. */
  resolveSinceMs: number | undefined;
  /** Asked once the header is known. */
  bodyWish(statusCode: number, header: (name: string) => string | undefined): BodyWish;
}

export type ExchangeResult = { answer: Answer; failure: null } | { answer: null; failure: Failure };

/** One request under way. */
export interface Exchange {
  stage: Stage;
  /** The host, or address and port once there is one; for sentences. */
  where: string;
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

/** Ends an exchange with its result; whatever comes later changes nothing. */
export function settle(run: Running, result: ExchangeResult): void {
  if (run.finished) return;
  run.finished = true;
  run.drop();
  run.done(result);
}

/** Ends an exchange without an answer. */
export const fail = (run: Running, failure: Failure) => settle(run, { answer: null, failure });
