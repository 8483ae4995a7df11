import type { RedirectStep } from "./check.ts";
import { type Cookies, identityOf, keepCookies, withCookies } from "./cookies.ts";
import { type Deadline, endDeadline, lostSince, startDeadline, type TimeLimit } from "./deadline.ts";
import { type Fault, guarded } from "./fault.ts";
import { BodyError, checkEncoding, type DecodedBody, decodeBody } from "./http-body.ts";
import { exchange } from "./http-exchange.ts";
import { type HttpRequest, RequestError, redirectRequest } from "./http-request.ts";
import { type BodyLimit, NO_BODY } from "./http-response-body.ts";
import type { Answer, Exchange, ExchangeResult } from "./http-running.ts";
import type { Network } from "./network.ts";
import { type Failure, quoted, STOPPED, timedOut } from "./reasons.ts";
import { newTrace, type Trace } from "./trace.ts";

/** The time limit is for everything together: names, connections, redirects, bodies. */
export interface HopOptions extends TimeLimit {
  network: Network;
  followRedirects: boolean;
  ignoreCertificate: boolean;
  /** Names are asked for again unless that was done since; `performance.now`. */
  resolveSinceMs?: number | undefined;
  /** Of the last answer's body; asked once its header is known, where a body follows it. */
  bodyLimit(statusCode: number, header: (name: string) => string | undefined): BodyLimit;
}

/** How a request ended, redirects included. At least one of `answer` and `failure`; both where an answer is to blame. */
export interface HopsResult {
  answer: Answer | null;
  /** Null unless the body was read for its text. */
  decoded: DecodedBody | null;
  failure: Failure | null;
  /** Of the last request made. */
  url: URL;
  redirects: RedirectStep[];
  trace: Trace;
  /** Milliseconds from the start to the last byte that was needed. */
  totalMs: number;
  /** Milliseconds of it in which this thread stood still. */
  lostMs: number;
}

const MAX_REDIRECTS = 5;

const isRedirect = (code: number) =>
  code === 301 || code === 302 || code === 303 || code === 307 || code === 308;

interface RedirectChain {
  options: HopOptions;
  /** The one under way, but for the servers' cookies. */
  request: HttpRequest;
  /** The same with them, as it is sent. */
  sent: HttpRequest;
  /** Null until a redirect sets one. */
  cookies: Cookies | null;
  redirects: RedirectStep[];
  /** The requests that were answered by a redirect (identityOf). */
  visited: string[];
  trace: Trace;
  startedAt: number;
  current: Exchange | null;
  finished: boolean;
  deadline: Deadline;
  done(result: HopsResult): void;
  fault: Fault;
}

/**
 * Sends a request and follows at most five redirects, each a new connection past the guard. Calls back once: `done`,
 * or `fault` with what was thrown on the way, by `done` too.
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
    request,
    sent: request,
    cookies: null,
    redirects: [],
    visited: [],
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

/** Whatever goes on ends; false when it had ended before. */
function stop(chain: RedirectChain): boolean {
  if (chain.finished) return false;
  chain.finished = true;
  endDeadline(chain.deadline);
  chain.current?.cancel();
  return true;
}

function expire(chain: RedirectChain): void {
  const { stage = "body", where = chain.request.origin.host } = chain.current?.connection ?? {};
  finish(chain, chain.current?.answer ?? null, null, timedOut(stage, where, chain.options.timeoutMs));
}

function abort(chain: RedirectChain): void {
  finish(chain, null, null, STOPPED);
}

function finish(
  chain: RedirectChain,
  answer: Answer | null,
  decoded: DecodedBody | null,
  failure: Failure | null,
  endedAt = performance.now(),
): void {
  if (!stop(chain)) return;
  const { request, redirects, trace } = chain;
  chain.done({
    answer,
    decoded,
    failure,
    url: request.url,
    redirects,
    trace,
    totalMs: endedAt - chain.startedAt,
    lostMs: lostSince(chain.deadline),
  });
}

function hop(chain: RedirectChain): void {
  const { network, ignoreCertificate, resolveSinceMs, followRedirects, bodyLimit } = chain.options;
  chain.current = exchange(
    chain.sent,
    {
      network,
      trace: chain.trace,
      ignoreCertificate,
      resolveSinceMs,
      bodyLimit: (statusCode, header) =>
        followRedirects && isRedirect(statusCode) ? NO_BODY : bodyLimit(statusCode, header),
      fault: chain.fault,
    },
    (result) => arrive(chain, result),
  );
}

function arrive(chain: RedirectChain, { answer, failure }: ExchangeResult): void {
  const endedAt = performance.now();
  if (answer === null || failure !== null) return finish(chain, answer, null, failure, endedAt);
  if (chain.options.followRedirects && isRedirect(answer.statusCode)) return takeCookies(chain, answer);
  const { body } = answer;
  const purpose = body?.limit.purpose ?? "framing";
  if (body === null || purpose === "framing") return finish(chain, answer, null, null, endedAt);
  const undecodable = (error: unknown) => {
    if (!(error instanceof BodyError)) throw error;
    finish(chain, answer, null, { reasonCode: "body", reason: `The server ${error.message}.` }, endedAt);
  };
  const encoded = [body.pieces, answer.header("content-encoding"), body.limit.bytes, body.cut] as const;
  if (purpose === "text") {
    const decoded = guarded(chain.fault, (text: DecodedBody) => finish(chain, answer, text, null, endedAt));
    decodeBody(...encoded).then(decoded, guarded(chain.fault, undecodable));
    return;
  }
  try {
    checkEncoding(...encoded);
    finish(chain, answer, null, null, endedAt);
  } catch (error) {
    undecodable(error);
  }
}

function takeCookies(chain: RedirectChain, answer: Answer): void {
  const setCookies = answer.setCookies();
  if (setCookies.length === 0) return redirect(chain, answer);
  const kept = (cookies: Cookies) => {
    chain.cookies = cookies;
    if (!chain.finished) redirect(chain, answer);
  };
  keepCookies(chain.cookies, chain.request.url, setCookies).then(guarded(chain.fault, kept), chain.fault);
}

function redirect(chain: RedirectChain, answer: Answer): void {
  const refuse = (reason: string) => finish(chain, answer, null, { reasonCode: "redirect", reason });
  const location = answer.header("location");
  const { statusCode } = answer;
  if (location === undefined || location === "") {
    return refuse(`The server answered ${statusCode}, a redirect, but did not say where to (no Location).`);
  }
  const text = Buffer.from(location, "latin1").toString("utf8");
  if (chain.redirects.length >= MAX_REDIRECTS) {
    return refuse(`More than ${MAX_REDIRECTS} redirects; the last one leads to ${quoted(text)}.`);
  }
  chain.visited.push(identityOf(chain.sent));
  try {
    chain.request = redirectRequest(chain.request, statusCode, text);
    chain.sent = withCookies(chain.request, chain.cookies);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return refuse(`A redirect (${statusCode}) to ${quoted(text)} cannot be followed: ${error.message}.`);
  }
  const { href } = chain.request.url;
  if (chain.visited.includes(identityOf(chain.sent))) {
    return refuse(`Redirect loop: ${quoted(href)} was already requested.`);
  }
  chain.redirects.push({ statusCode, url: href });
  hop(chain);
}
