import { type AnswerFacts, evaluateAssertions, needsBody } from "./assertions.ts";
import { bodyText } from "./charset.ts";
import type { CheckEnvironment, CheckKind, CheckOutcome, Phases } from "./check.ts";
import { type HttpConfig, httpConfigSchema } from "./http-config.ts";
import { followHops, type HopsResult } from "./http-hops.ts";
import { type HttpRequest, RequestError, requestOf } from "./http-request.ts";
import type { BodyWish } from "./http-running.ts";
import { keywordScan } from "./keyword-scan.ts";

const BODY_LIMIT_BYTES = 1_048_576;
const NO_BODY: BodyWish = { bytes: 0, enough: null };

/** What is the same at every check of a configuration. */
interface Prepared {
  request: HttpRequest;
  wantsBody: boolean;
}

/** By the configuration object, which is replaced and never changed when its monitor is. */
const preparations = new WeakMap<HttpConfig, Prepared>();

function prepare(config: HttpConfig): Prepared {
  let prepared = preparations.get(config);
  if (prepared === undefined) {
    prepared = { request: requestOf(config), wantsBody: config.assertions?.some(needsBody) ?? false };
    preparations.set(config, prepared);
  }
  return prepared;
}

function runHttp(config: HttpConfig, environment: CheckEnvironment): Promise<CheckOutcome> {
  return new Promise((resolve) => {
    let prepared: Prepared;
    try {
      prepared = prepare(config);
    } catch (error) {
      const why = error instanceof RequestError ? error.message : "it could not be composed";
      resolve(impossible(`The request cannot be made: ${why}.`));
      return;
    }
    const assertions = config.assertions ?? [];
    const bodyWish = (_code: number, header: (name: string) => string | undefined): BodyWish => {
      if (!prepared.wantsBody) return NO_BODY;
      const plain = header("content-encoding") === undefined;
      return { bytes: BODY_LIMIT_BYTES, enough: plain ? keywordScan(assertions) : null };
    };
    followHops(
      prepared.request,
      {
        network: environment.network,
        timeoutMs: environment.timeoutMs,
        signal: environment.signal,
        resolveSinceMs: environment.resolveSinceMs,
        followRedirects: config.followRedirects ?? !config.isApi,
        ignoreCertificate: config.ignoreCertificate ?? false,
        bodyWish,
      },
      (result) => resolve(outcomeOf(config, result)),
    );
  });
}

/** Whole microseconds. */
const us = (ms: number | null) => (ms === null ? null : Math.round(ms * 1000));

function outcomeOf(config: HttpConfig, result: HopsResult): CheckOutcome {
  const { answer, failure, trace, redirects } = result;
  const totalUs = Math.round(result.totalMs * 1000);
  const phases: Phases = {
    dnsUs: us(trace.dnsMs),
    connectUs: us(trace.connectMs),
    tlsUs: us(trace.tlsMs),
    firstByteUs: us(trace.firstByteMs),
    totalUs,
  };
  const judged =
    failure !== null || answer === null
      ? {
          verdict: "failed" as const,
          reasonCode: failure?.reasonCode ?? null,
          reason: failure?.reason ?? null,
        }
      : evaluateAssertions(config.assertions ?? NO_ASSERTIONS, factsOf(result, totalUs));
  const outcome: CheckOutcome = {
    verdict: judged.verdict,
    reasonCode: judged.reasonCode,
    reason: judged.reason,
    statusCode: answer?.statusCode ?? null,
    address: trace.address,
    protocol: trace.protocol,
    phases,
    certificate: trace.certificate,
  };
  if (redirects.length > 0) outcome.redirects = redirects;
  return outcome;
}

const NO_ASSERTIONS: NonNullable<HttpConfig["assertions"]> = [];

function factsOf({ answer, decoded }: HopsResult, totalUs: number): AnswerFacts {
  return {
    statusCode: answer?.statusCode ?? 0,
    header: (name) => answer?.header(name),
    body: decoded === null ? null : bodyText(decoded.body, answer?.header("content-type")),
    bodyCut: decoded?.cut ?? false,
    totalUs,
  };
}

const impossible = (reason: string): CheckOutcome => ({
  verdict: "failed",
  reasonCode: "internal",
  reason,
  statusCode: null,
  address: null,
  protocol: null,
  phases: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 0 },
  certificate: null,
});

/** An HTTP or HTTPS request over a new connection, judged by the monitor's assertions (decisions §6). */
export const checkHttp: CheckKind<HttpConfig> = {
  type: "http",
  configSchema: httpConfigSchema,
  run: runHttp,
};
