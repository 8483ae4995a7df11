import { excerpt, msg } from "../../platform/i18n/message.ts";
import type { CertificateReport } from "../certificate.ts";
import {
  type CheckEnvironment,
  type CheckOutcome,
  type HostCertificate,
  NO_PHASES,
  NOTHING_SEEN,
  PHASES,
  type ProbedKind,
  phasesOf,
} from "../check.ts";
import { containsText } from "../contains-text.ts";
import { type HttpEvidence, keepEvidence } from "../evidence.ts";
import { classOf, isUntimed, type Reason, shownHost } from "../reasons.ts";
import type { Assertion } from "./http-assertion-config.ts";
import {
  AT_ONCE_BYTES,
  type Evaluation,
  type EvaluationRequest,
  evaluateBody,
  evaluateLargeBody,
  needsBody,
} from "./http-assertions.ts";
import { decodeBody } from "./http-body.ts";
import { DEFAULT_BODY_BYTES, type HttpConfig, httpConfigSchema, MAX_BODY_BYTES } from "./http-config.ts";
import { followHops, type HopsResult } from "./http-hops.ts";
import { leadsOn } from "./http-redirects.ts";
import { type HttpRequest, requestOf, unfitOf } from "./http-request.ts";
import { BODY_HEAD_BYTES, type BodyLimit, NO_BODY } from "./http-response-body.ts";
import type { Answer } from "./http-running.ts";
import { secretsOf } from "./http-secrets.ts";

/** The beginning of a body, readable. */
interface BodyHead {
  bytes: Buffer;
  cut: boolean;
}

/** The beginning of the answer's body, decoded as far as it can be; null without one. Never throws. */
async function readBodyHead({ answer, decoded }: HopsResult): Promise<BodyHead | null> {
  const read = answer?.body ?? null;
  if (answer === null || read === null) return null;
  const isMore = read.cut || read.state !== "done" || read.arrivedBytes > BODY_HEAD_BYTES;
  if (decoded !== null) return headOf(decoded.body, decoded.cut || isMore);
  const pieces = [Buffer.concat(read.pieces).subarray(0, BODY_HEAD_BYTES)];
  const encoding = answer.header("content-encoding");
  if (encoding === undefined) return headOf(pieces[0] as Buffer, isMore);
  try {
    const { body, cut } = await decodeBody(pieces, encoding, BODY_HEAD_BYTES, true);
    return headOf(body, cut && (isMore || body.length === BODY_HEAD_BYTES));
  } catch {
    return headOf(pieces[0] as Buffer, isMore);
  }
}

const headOf = (bytes: Buffer, cut: boolean): BodyHead => ({
  bytes: bytes.subarray(0, BODY_HEAD_BYTES),
  cut: cut || bytes.length > BODY_HEAD_BYTES,
});

const httpEvidence =
  (config: HttpConfig, { answer, sent, redirects, trace }: HopsResult, head: BodyHead | null) =>
  (): HttpEvidence =>
    keepEvidence({
      method: sent.method,
      url: sent.url.href,
      statusText: answer?.statusText() ?? "",
      headers: answer?.headers() ?? new Map(),
      body: head?.bytes ?? null,
      bodyCut: head?.cut ?? false,
      redirects,
      addresses: trace.addresses,
      certificate: trace.certificate,
      secrets: secretsOf(config, sent),
    });

/**
 * For checks for some keywords: gets every piece, and returns true when all are found and `leastBytes` have
 * been read. Null when the whole body is needed.
 */
export function keywordScan(
  assertions: readonly Assertion[],
  leastBytes: number,
): ((piece: Buffer) => boolean) | null {
  const missing = new Set<string>();
  for (const assertion of assertions) {
    if (assertion.type === "json") return null;
    if (assertion.type !== "keyword") continue;
    // Beyond ASCII the bytes depend on the charset: then the body is read, decoded and searched.
    if (assertion.operator === "absent" || !/^[\x00-\x7f]*$/.test(assertion.value)) return null;
    missing.add(assertion.value);
  }
  const longest = Math.max(...Array.from(missing, (keyword) => keyword.length));
  let tail = Buffer.alloc(0);
  let read = 0;
  return (piece) => {
    read += piece.length;
    if (missing.size === 0) return read >= leastBytes;
    const bytes = Buffer.concat([tail, piece]);
    const text = bytes.toString("latin1");
    for (const keyword of missing) if (containsText(text, keyword)) missing.delete(keyword);
    tail = bytes.subarray(Math.max(0, bytes.length - longest + 1));
    return missing.size === 0 && read >= leastBytes;
  };
}

interface Prepared {
  request: HttpRequest;
  /** Whether an assertion needs the body's text. */
  needsText: boolean;
  /** Of a body that no assertion needs. */
  unread: BodyLimit;
}

/** By the configuration object, which is replaced and never changed when its monitor is. */
const preparations = new WeakMap<HttpConfig, Prepared>();

function prepare(config: HttpConfig): Prepared {
  let prepared = preparations.get(config);
  if (prepared === undefined) {
    const { assertions = NO_ASSERTIONS, bodyBytes: bytes = DEFAULT_BODY_BYTES } = config;
    prepared = {
      request: requestOf(config),
      needsText: assertions.some(needsBody),
      unread: bytes === 0 ? NO_BODY : { bytes, purpose: "framing", enough: null },
    };
    preparations.set(config, prepared);
  }
  return prepared;
}

function runHttp(config: HttpConfig, environment: CheckEnvironment): Promise<CheckOutcome> {
  return new Promise((resolve, reject) => {
    let prepared: Prepared;
    try {
      prepared = prepare(config);
    } catch (error) {
      resolve(impossible(msg("internal.request", unfitOf(error))));
      return;
    }
    followHops(
      prepared.request,
      {
        network: environment.network,
        timeoutMs: environment.timeoutMs,
        signal: environment.signal,
        resolveSinceMs: environment.resolveSinceMs,
        lostMs: environment.lostMs,
        followRedirects: (config.followRedirects ?? !config.isApi) && config.maxRedirects !== 0,
        maxRedirects: config.maxRedirects,
        requireTls: config.requireTls,
        ignoreCertificate: config.ignoreCertificate ?? false,
        legacyRenegotiation: config.legacyRenegotiation,
        bodyLimit: (_code, header) => bodyLimitOf(config, prepared, header),
      },
      (result) => {
        const finish = (evaluation: Evaluation) => {
          const outcome = outcomeOf(config, evaluation, result);
          if (evaluation.verdict !== "failed") return resolve(outcome);
          readBodyHead(result).then(
            (head) => resolve({ ...outcome, evidence: httpEvidence(config, result, head) }),
            reject,
          );
        };
        const evaluation = evaluate(config, result);
        if (evaluation instanceof Promise) evaluation.then(finish, reject);
        else finish(evaluation);
      },
      reject,
    );
  });
}

function bodyLimitOf(
  { assertions = NO_ASSERTIONS }: HttpConfig,
  { needsText, unread }: Prepared,
  header: (name: string) => string | undefined,
): BodyLimit {
  if (unread.bytes === 0 && !needsText) return unread;
  const isEncoded = header("content-encoding") !== undefined;
  if (!needsText) return isEncoded ? { ...unread, purpose: "encoding" } : unread;
  const enough = isEncoded ? null : keywordScan(assertions, unread.bytes);
  return { bytes: MAX_BODY_BYTES, purpose: "text", enough };
}

/** At once, unless the body is large. */
function evaluate(config: HttpConfig, result: HopsResult): Evaluation | Promise<Evaluation> {
  const { answer, failure } = result;
  if (failure !== null || answer === null)
    return { verdict: "failed", reason: failure && atHost(failure, result) };
  if (config.requireTls && result.url.protocol === "http:")
    return { verdict: "failed", reason: msg("redirect.no_tls", { url: excerpt(result.url.href) }) };
  const downgrade = config.requireTls ? unfollowedDowngrade(answer, result.url) : null;
  if (downgrade !== null) return { verdict: "failed", reason: downgrade };
  const evaluationRequest = toEvaluationRequest(config.assertions ?? NO_ASSERTIONS, result);
  return evaluationRequest.body.length > AT_ONCE_BYTES
    ? evaluateLargeBody(config, evaluationRequest)
    : evaluateBody(evaluationRequest);
}

/** A redirect to http that is the answer, because none is followed: a client that follows it loses TLS. */
function unfollowedDowngrade({ statusCode: status, header }: Answer, url: URL): Reason | null {
  if (!leadsOn(status, header)) return null;
  const target = URL.parse(Buffer.from(header("location") ?? "", "latin1").toString("utf8"), url);
  if (target?.protocol !== "http:") return null;
  return msg("redirect.downgrade", { status, url: excerpt(target.href) });
}

function outcomeOf(config: HttpConfig, evaluation: Evaluation, result: HopsResult): CheckOutcome {
  const { answer, failure, trace, redirects } = result;
  const outcome: CheckOutcome = {
    verdict: evaluation.verdict,
    reason: evaluation.reason,
    statusCode: answer?.statusCode ?? null,
    address: trace.address,
    protocol: trace.protocol,
    phases: isUntimed(failure) ? NO_PHASES : phasesOf(trace, result.totalMs),
    certificate: certificateOf(result),
  };
  if (redirects.length > 0) outcome.redirects = redirects;
  if (evaluation.reason === null && endsInTheClear(config, result))
    outcome.message = msg("redirect.ends_in_clear", { url: excerpt(result.url.href) });
  return outcome;
}

/** Whether an answer came over http after a request over https. */
const endsInTheClear = ({ url }: HttpConfig, { url: last, redirects }: HopsResult): boolean =>
  last.protocol === "http:" &&
  [url, ...redirects.map((step) => step.url)].some((each) => /^https:/i.test(each));

/** Says whose certificate it is, where that is not the host that the monitor names. */
function atHost(failure: Reason, { trace, redirects }: HopsResult): Reason {
  const { host = "" } = trace.certificates.at(-1) ?? {};
  if (classOf(failure) !== "certificate" || redirects.length === 0) return failure;
  return { ...msg("certificate.at_host", { host: shownHost(host) }), because: failure };
}

/**
 * The one that is invalid, or else ends first. Where the check did not get to the last host none counts but
 * one that has ended it.
 */
function certificateOf({ answer, failure, trace, redirects }: HopsResult): CertificateReport | null {
  const { certificate, certificates } = trace;
  if (answer === null && redirects.length > 0) {
    const isToBlame = failure !== null && classOf(failure) === "certificate";
    return isToBlame ? named(certificates.at(-1)) : null;
  }
  if (certificates.length < 2) return certificate;
  const endOf = ({ report: { valid, expiresAt } }: HostCertificate) =>
    (expiresAt ?? 0) - (valid ? 0 : Number.MAX_SAFE_INTEGER);
  return named(certificates.reduce((first, each) => (endOf(each) < endOf(first) ? each : first)));
}

const named = (one: HostCertificate | undefined): CertificateReport | null =>
  one === undefined ? null : { ...one.report, host: one.host };

const NO_ASSERTIONS: NonNullable<HttpConfig["assertions"]> = [];

const NO_BYTES = new Uint8Array();

function toEvaluationRequest(
  assertions: NonNullable<HttpConfig["assertions"]>,
  { answer, decoded, totalMs, lostMs }: HopsResult,
): EvaluationRequest {
  const named = assertions.flatMap((one) => (one.type === "header" ? [one.name.toLowerCase()] : []));
  return {
    assertions,
    statusCode: answer?.statusCode ?? 0,
    headers: new Map(named.map((name) => [name, answer?.header(name)])),
    contentType: answer?.header("content-type"),
    body: decoded?.body ?? NO_BYTES,
    bodyCut: decoded?.cut ?? false,
    // Time in which the probe itself was blocked does not make a target slow.
    totalUs: Math.round(Math.max(0, totalMs - lostMs) * 1000),
  };
}

const impossible = (reason: Reason): CheckOutcome => ({
  ...NOTHING_SEEN,
  verdict: "failed",
  reason,
  phases: { ...NO_PHASES, totalUs: 0 },
  certificate: null,
});

/** An HTTP or HTTPS request over a new connection, evaluated by the monitor's assertions. */
export const checkHttp: ProbedKind<HttpConfig, typeof PHASES> = {
  type: "http",
  phases: PHASES,
  configSchema: httpConfigSchema,
  target: ({ url }) => url,
  run: runHttp,
};
