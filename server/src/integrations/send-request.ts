import { setTimeout as wait } from "node:timers/promises";
import { type StopSignal, stopCheck } from "../checks/deadline.ts";
import { followHops, type HopsResult } from "../checks/http/http-hops.ts";
import { composeRequest, parseHttpUrl, unfitOf } from "../checks/http/http-request.ts";
import type { Network } from "../checks/network.ts";
import { retryAfterMs } from "../platform/clock.ts";
import { msg } from "../platform/i18n/message.ts";
import { ProviderError, type ProviderFailure } from "./provider-error.ts";

const TIMEOUT_MS = 15_000;
/** Per page of a list. */
const MAX_ANSWER_BYTES = 4 << 20;
/** A longer Retry-After is not waited for. */
const MAX_WAIT_MS = 5_000;
const USER_AGENT = "Vedette/0.1 (integrations)";

interface ProviderRequest {
  url: string;
  /** Form-encoded POST; absent: GET. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

interface ProviderAnswer {
  /** Undefined: no body. */
  json: unknown;
}

/** Throws ProviderError for all but a 2xx with JSON. */
export type SendRequest = (request: ProviderRequest) => Promise<ProviderAnswer>;

/**
 * Through the guard, over a new connection to the approved address each time, without redirects. A short
 * Retry-After of a 429 is waited for once.
 */
export function createSender(network: Network, signal: AbortSignal): SendRequest {
  return async (request) => {
    try {
      return await sendOnce(request, network, signal);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.is !== "busy") throw error;
      if (error.afterMs === undefined || error.afterMs > MAX_WAIT_MS || signal.aborted) throw error;
      try {
        await wait(error.afterMs, undefined, { signal });
      } catch {
        throw error;
      }
      return sendOnce(request, network, signal);
    }
  };
}

async function sendOnce(
  request: ProviderRequest,
  network: Network,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const url = parseHttpUrl(request.url);
  const where = url.host;
  const { answer, decoded, failure } = await send(url, request, network, signal);
  if (answer === null || failure !== null) {
    const because = failure ?? msg("internal.error");
    const is = because.code.split(".")[0] === "guard" ? "unallowed" : "down";
    throw new ProviderError(is, { ...msg("integration.unreached", { where }), because });
  }
  const { statusCode: status } = answer;
  const json = jsonOf(decoded?.body);
  if (status >= 200 && status < 300) {
    if (decoded?.cut || json === NOT_JSON)
      throw new ProviderError("malformed", msg("integration.malformed", { where }));
    return { json };
  }
  throw refusedBy({ status, json, where, header: (name) => answer.header(name) });
}

function send(
  url: URL,
  request: ProviderRequest,
  network: Network,
  signal: AbortSignal,
): Promise<HopsResult> {
  const body = request.form ? Buffer.from(new URLSearchParams(request.form).toString()) : null;
  const type: [string, string][] = body ? [["content-type", "application/x-www-form-urlencoded"]] : [];
  const headers: [string, string][] = [
    ["user-agent", USER_AGENT],
    ["accept", "application/json"],
    ...type,
    ...Object.entries(request.headers ?? {}),
  ];
  return new Promise((resolve, reject) => {
    const stop: StopSignal = { isStopped: signal.aborted, listener: null };
    const onAbort = () => stopCheck(stop);
    signal.addEventListener("abort", onAbort, { once: true });
    const end = (result: HopsResult) => {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
    };
    try {
      const whole = composeRequest(url, body ? "POST" : "GET", headers, body);
      const options = { network, timeoutMs: TIMEOUT_MS, signal: stop, followRedirects: false } as const;
      const bodyLimit = () => ({ bytes: MAX_ANSWER_BYTES, purpose: "text", enough: null }) as const;
      followHops(whole, { ...options, ignoreCertificate: false, bodyLimit }, end, reject);
    } catch (error) {
      signal.removeEventListener("abort", onAbort);
      const because = msg("internal.request", unfitOf(error));
      reject(
        new ProviderError("rejected", { ...msg("integration.unreached", { where: url.host }), because }),
      );
    }
  });
}

const NOT_JSON = Symbol("not JSON");

function jsonOf(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return NOT_JSON;
  }
}

interface Refused {
  status: number;
  json: unknown;
  where: string;
  header(name: string): string | undefined;
}

function refusedBy({ status, json, where, header }: Refused): ProviderError {
  const code = codeIn(json);
  const said = { where, status };
  const error = (
    is: ProviderFailure,
    code_: "integration.refused" | "integration.forbidden" | "integration.rejected",
  ) => new ProviderError(is, msg(code_, said), { code });
  if (status === 401) return error("refused", "integration.refused");
  if (status === 403) return error("forbidden", "integration.forbidden");
  if (status === 404) return new ProviderError("missing", msg("integration.missing", { where }), { code });
  if (status === 429) {
    return new ProviderError("busy", msg("integration.busy", { where }), { code, afterMs: pauseOf(header) });
  }
  if (status >= 500)
    return new ProviderError("down", msg("integration.failed", said), { code, afterMs: pauseOf(header) });
  if (status >= 400) return error("rejected", "integration.rejected");
  return new ProviderError("malformed", msg("integration.redirect", said));
}

/** Retry-After, or Vercel's time of a 429 (seconds since 1970); in milliseconds. */
function pauseOf(header: Refused["header"]): number | undefined {
  const now = Date.now();
  const pauseMs = retryAfterMs(header("retry-after"), now);
  if (pauseMs !== null) return pauseMs;
  const at = Number(header("x-ratelimit-reset") ?? Number.NaN) * 1000;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** In the forms of OAuth, ARM and Vercel. Error texts are dropped. */
function codeIn(json: unknown): string {
  const { error } = (json ?? {}) as { error?: unknown };
  const code = typeof error === "string" ? error : (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^[\w.-]{1,80}$/.test(code) ? code : "";
}
