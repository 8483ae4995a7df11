import type { RedirectStep, StopSignal } from "./check.ts";
import { type DecodedBody, decodeBody } from "./http-body.ts";
import { exchange } from "./http-exchange.ts";
import { type HttpRequest, RequestError, redirectRequest } from "./http-request.ts";
import type { Answer, BodyWish, Exchange, ExchangeResult, Trace } from "./http-running.ts";
import type { Network } from "./network.ts";
import { type Failure, quoted, timedOut } from "./reasons.ts";

export interface HopOptions {
  network: Network;
  /** For everything together: names, connections, redirects, bodies. */
  timeoutMs: number;
  signal: StopSignal | undefined;
  followRedirects: boolean;
  ignoreCertificate: boolean;
  /** Names are asked for again unless that was done since; `performance.now`. */
  resolveSinceMs?: number | undefined;
  /** Of the last answer's body; asked once its header is known. */
  bodyWish(statusCode: number, header: (name: string) => string | undefined): BodyWish;
}

/** How a request ended, redirects included. Exactly one of `answer` and `failure`. */
export interface HopsResult {
  answer: Answer | null;
  /** Decoded; null when no body was wanted. */
  decoded: DecodedBody | null;
  failure: Failure | null;
  /** Of the last request made. */
  url: URL;
  redirects: RedirectStep[];
  trace: Trace;
  /** Milliseconds from the start to the last byte that was needed. */
  totalMs: number;
}

const REDIRECTS_MOST = 5;

const NO_BODY: BodyWish = { bytes: 0, enough: null };

const isRedirect = (code: number) =>
  code === 301 || code === 302 || code === 303 || code === 307 || code === 308;

interface Journey {
  options: HopOptions;
  request: HttpRequest;
  redirects: RedirectStep[];
  /** Method and URL of every request made. */
  visited: string[];
  trace: Trace;
  startedAt: number;
  wanted: number;
  current: Exchange | null;
  finished: boolean;
  timer: NodeJS.Timeout | undefined;
  done(result: HopsResult): void;
}

/** Sends a request and follows at most five redirects, each a new connection past the guard. Calls back once. */
export function followHops(
  request: HttpRequest,
  options: HopOptions,
  done: (result: HopsResult) => void,
): void {
  const journey: Journey = {
    options,
    request,
    redirects: [],
    visited: [`${request.method} ${request.url.href}`],
    trace: {
      address: null,
      protocol: null,
      certificate: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
    },
    startedAt: performance.now(),
    wanted: 0,
    current: null,
    finished: false,
    timer: undefined,
    done,
  };
  journey.timer = setTimeout(expire, options.timeoutMs, journey);
  if (options.signal?.isStopped) return abort(journey);
  if (options.signal) options.signal.listener = () => abort(journey);
  hop(journey);
}

function expire(journey: Journey): void {
  const { stage = "body", where = journey.request.origin.host } = journey.current ?? {};
  finish(journey, null, null, timedOut(stage, where, journey.options.timeoutMs));
}

function abort(journey: Journey): void {
  finish(journey, null, null, {
    reasonCode: "internal",
    reason: "The check was stopped before it finished.",
  });
}

function finish(
  journey: Journey,
  answer: Answer | null,
  decoded: DecodedBody | null,
  failure: Failure | null,
  endedAt = performance.now(),
): void {
  if (journey.finished) return;
  journey.finished = true;
  clearTimeout(journey.timer);
  if (journey.options.signal) journey.options.signal.listener = null;
  journey.current?.cancel();
  const { request, redirects, trace } = journey;
  journey.done({
    answer,
    decoded,
    failure,
    url: request.url,
    redirects,
    trace,
    totalMs: endedAt - journey.startedAt,
  });
}

function hop(journey: Journey): void {
  const { network, ignoreCertificate, resolveSinceMs, followRedirects, bodyWish } = journey.options;
  journey.current = exchange(
    journey.request,
    {
      network,
      trace: journey.trace,
      ignoreCertificate,
      resolveSinceMs,
      bodyWish: (statusCode, header) => {
        const wish = followRedirects && isRedirect(statusCode) ? NO_BODY : bodyWish(statusCode, header);
        journey.wanted = wish.bytes;
        return wish;
      },
    },
    (result) => arrive(journey, result),
  );
}

function arrive(journey: Journey, { answer, failure }: ExchangeResult): void {
  if (answer === null) return finish(journey, null, null, failure);
  if (journey.options.followRedirects && isRedirect(answer.statusCode)) return redirect(journey, answer);
  if (journey.wanted === 0) return finish(journey, answer, null, null);
  const endedAt = performance.now();
  const { body, bodyCut } = answer;
  decodeBody(body, answer.header("content-encoding"), journey.wanted, bodyCut).then(
    (decoded) => finish(journey, answer, decoded, null, endedAt),
    (error: Error) =>
      finish(
        journey,
        answer,
        null,
        { reasonCode: "protocol", reason: `The server ${error.message}.` },
        endedAt,
      ),
  );
}

function redirect(journey: Journey, answer: Answer): void {
  const refuse = (reason: string) => finish(journey, answer, null, { reasonCode: "redirect", reason });
  const location = answer.header("location");
  const { statusCode } = answer;
  if (location === undefined || location === "") {
    return refuse(`The server answered ${statusCode}, a redirect, but did not say where to (no Location).`);
  }
  const text = Buffer.from(location, "latin1").toString("utf8");
  if (journey.redirects.length >= REDIRECTS_MOST) {
    return refuse(`More than ${REDIRECTS_MOST} redirects; the last one leads to ${quoted(text)}.`);
  }
  const seen = journey.request;
  try {
    journey.request = redirectRequest(seen, statusCode, text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return refuse(`A redirect (${statusCode}) to ${quoted(text)} cannot be followed: ${error.message}.`);
  }
  const { href } = journey.request.url;
  if (journey.visited.includes(`${journey.request.method} ${href}`)) {
    return refuse(`The redirects go round in a circle: ${quoted(href)} was asked for before.`);
  }
  journey.visited.push(`${journey.request.method} ${href}`);
  journey.redirects.push({ statusCode, url: href });
  hop(journey);
}
