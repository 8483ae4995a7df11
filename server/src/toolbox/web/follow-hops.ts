import { followHops, type HopsResult } from "../../check/http-hops.ts";
import {
  followRedirect,
  leadsOn,
  newTrail,
  type RedirectTrail,
  takeCookies,
} from "../../check/http-redirects.ts";
import type { HttpRequest } from "../../check/http-request.ts";
import type { Reason } from "../../check/reasons.ts";
import { stopSignalOf } from "../check-environment.ts";
import type { ToolEnvironment } from "../tool.ts";

/** One request of several: what was asked, and what came of it. */
export interface InspectedHop {
  url: string;
  result: HopsResult;
}

export interface InspectedHops {
  hops: InspectedHop[];
  /** Why it went no further; null: the last one is no redirect. */
  problem: Reason | null;
}

/** For everything together. */
const TIMEOUT_MS = 15_000;
const MAX_BODY_BYTES = 1_048_576;

/**
 * Requests a page and follows at most ten redirects, each over a connection of its own past the guard, so that the times
 * of each are known by themselves. Rejects with the signal's reason.
 */
export async function followEachHop(
  request: HttpRequest,
  environment: ToolEnvironment,
): Promise<InspectedHops> {
  const trail = newTrail(request);
  const endMs = performance.now() + TIMEOUT_MS;
  const hops: InspectedHop[] = [];
  for (;;) {
    const result = await ask(trail, environment, Math.max(1, endMs - performance.now()));
    environment.signal.throwIfAborted();
    hops.push({ url: trail.sent.url.href, result });
    const { answer, failure } = result;
    if (answer === null || failure !== null) return { hops, problem: failure };
    if (!leadsOn(answer.statusCode, answer.header)) return { hops, problem: null };
    await takeCookies(trail, answer);
    const refusal = followRedirect(trail, answer, {});
    if (refusal !== null) return { hops, problem: refusal };
  }
}

const ask = ({ sent }: RedirectTrail, { network, signal }: ToolEnvironment, timeoutMs: number) =>
  new Promise<HopsResult>((resolve, reject) => {
    followHops(
      sent,
      {
        network,
        timeoutMs: Math.ceil(timeoutMs),
        signal: stopSignalOf(signal),
        followRedirects: false,
        ignoreCertificate: false,
        bodyLimit: () => ({ bytes: MAX_BODY_BYTES, purpose: "framing", enough: null }),
      },
      resolve,
      reject,
    );
  });
