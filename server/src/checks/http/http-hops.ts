import { newTrace, type RedirectStep, type Trace } from "../check.ts";
import {
  type Deadline,
  endDeadline,
  type Fault,
  guarded,
  lostSince,
  startDeadline,
  type TimeLimit,
} from "../deadline.ts";
import type { Network } from "../network.ts";
import { type Reason, STOPPED, shownHost, timedOut } from "../reasons.ts";
import { BodyError, checkEncoding, type DecodedBody, decodeBody } from "./http-body.ts";
import { exchange } from "./http-exchange.ts";
import {
  followRedirect,
  leadsOn,
  newTrail,
  type RedirectRules,
  type RedirectTrail,
  takeCookies,
} from "./http-redirects.ts";
import type { HttpRequest } from "./http-request.ts";
import { type BodyLimit, NO_BODY } from "./http-response-body.ts";
import type { Answer, Exchange, ExchangeResult } from "./http-running.ts";

/** The time limit is for everything together: names, connections, redirects, bodies. */
export interface HopOptions extends TimeLimit, RedirectRules {
  network: Network;
  followRedirects: boolean;
  ignoreCertificate: boolean;
  /** Also where a server knows no secure renegotiation (RFC 5746); default: false. */
  legacyRenegotiation?: boolean | undefined;
  /** Names are resolved again unless that was done since; `performance.now`. */
  resolveSinceMs?: number | undefined;
  /** Of the last answer's body; called once its header is known, where a body follows it. */
  bodyLimit(statusCode: number, header: (name: string) => string | undefined): BodyLimit;
}

/** How a request ended, redirects included. At least one of `answer` and `failure`; both where an answer is to blame. */
export interface HopsResult {
  answer: Answer | null;
  /** Null unless the body was read for its text. */
  decoded: DecodedBody | null;
  failure: Reason | null;
  /** Of the last request made. */
  url: URL;
  /** That request. */
  sent: HttpRequest;
  redirects: RedirectStep[];
  trace: Trace;
  /** Milliseconds from the start to the last byte that was needed. */
  totalMs: number;
  /** Milliseconds of it in which this thread was blocked. */
  lostMs: number;
}

interface RedirectChain {
  options: HopOptions;
  trail: RedirectTrail;
  trace: Trace;
  startedAt: number;
  current: Exchange | null;
  finished: boolean;
  deadline: Deadline;
  done(result: HopsResult): void;
  fault: Fault;
}

/**
 * Each redirect is a new connection past the guard. Calls back once: `done`, or `fault` with what was thrown,
 * by `done` too.
 */
export function followHops(
  request: HttpRequest,
  options: HopOptions,
  done: (result: HopsResult) => void,
  fault: Fault,
): void {
  const collapse = (error: unknown) => {
    fault(error);
    stop(chain);
  };
  const chain: RedirectChain = {
    options,
    trail: newTrail(request),
    trace: newTrace(),
    startedAt: performance.now(),
    current: null,
    finished: false,
    deadline: startDeadline(
      options,
      () => expire(chain),
      () => abort(chain),
      collapse,
    ),
    done,
    fault: collapse,
  };
  guarded(collapse, begin)(chain);
}

function begin(chain: RedirectChain): void {
  if (chain.options.signal?.isStopped) abort(chain);
  else hop(chain);
}

function stop(chain: RedirectChain): boolean {
  if (chain.finished) return false;
  chain.finished = true;
  endDeadline(chain.deadline);
  chain.current?.cancel();
  return true;
}

function expire(chain: RedirectChain): void {
  if (chain.current?.conclude()) return;
  const { stage = "body", where = shownHost(chain.trail.request.origin.host) } =
    chain.current?.connection ?? {};
  finish(chain, chain.current?.answer ?? null, null, timedOut(stage, where, chain.options.timeoutMs));
}

function abort(chain: RedirectChain): void {
  finish(chain, null, null, STOPPED);
}

function finish(
  chain: RedirectChain,
  answer: Answer | null,
  decoded: DecodedBody | null,
  failure: Reason | null,
  endedAt = performance.now(),
): void {
  if (!stop(chain)) return;
  const { request, sent, redirects } = chain.trail;
  chain.done({
    answer,
    decoded,
    failure,
    url: request.url,
    sent,
    redirects,
    trace: chain.trace,
    totalMs: endedAt - chain.startedAt,
    lostMs: lostSince(chain.deadline),
  });
}

function hop(chain: RedirectChain): void {
  const { network, ignoreCertificate, resolveSinceMs, followRedirects, bodyLimit } = chain.options;
  const { legacyRenegotiation = false } = chain.options;
  chain.current = exchange(
    chain.trail.sent,
    {
      network,
      trace: chain.trace,
      ignoreCertificate,
      legacyRenegotiation,
      resolveSinceMs,
      bodyLimit: (statusCode, header) =>
        followRedirects && leadsOn(statusCode, header) ? NO_BODY : bodyLimit(statusCode, header),
      fault: chain.fault,
    },
    (result) => arrive(chain, result),
  );
}

function arrive(chain: RedirectChain, { answer, failure, endedAt }: ExchangeResult): void {
  if (answer === null || failure !== null) return finish(chain, answer, null, failure, endedAt);
  if (chain.options.followRedirects && leadsOn(answer.statusCode, answer.header))
    return leadOn(chain, answer);
  const { body } = answer;
  const purpose = body?.limit.purpose ?? "framing";
  if (body === null || purpose === "framing") return finish(chain, answer, null, null, endedAt);
  const undecodable = (error: unknown) => {
    if (!(error instanceof BodyError)) throw error;
    finish(chain, answer, null, error.reason, endedAt);
  };
  const encoded = [body.pieces, answer.header("content-encoding"), body.limit.bytes, body.cut] as const;
  if (purpose === "text") {
    const decoded = guarded(chain.fault, (text: DecodedBody) => finish(chain, answer, text, null, endedAt));
    decodeBody(...encoded).then(decoded, guarded(chain.fault, undecodable));
    return;
  }
  const fine = guarded(chain.fault, () => finish(chain, answer, null, null, endedAt));
  checkEncoding(...encoded).then(fine, guarded(chain.fault, undecodable));
}

function leadOn(chain: RedirectChain, answer: Answer): void {
  const follow = () => {
    if (chain.finished) return;
    const refusal = followRedirect(chain.trail, answer, chain.options);
    if (refusal === null) hop(chain);
    else finish(chain, answer, null, refusal);
  };
  const taken = takeCookies(chain.trail, answer);
  if (taken === null) follow();
  else taken.then(guarded(chain.fault, follow), chain.fault);
}
