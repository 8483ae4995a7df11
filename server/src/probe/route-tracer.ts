import { isIP } from "node:net";
import type { TargetPolicy } from "../check/guard.ts";
import { classOf, type ReasonClass } from "../check/reasons.ts";
import { noRoute, type Route, traceRoute } from "../check/route.ts";
import type { ProbeResult } from "./link.ts";

/** Traces the way to the addresses of failed checks, one at a time in this process. */
export interface RouteTracer {
  /**
   * The way to the address that a check could not reach, or why it is not known. Null: the check did reach it, or never
   * knew an address, or this was stopped.
   */
  trace(result: ProbeResult): Promise<Route | null>;
  /** Ends the trace under way, and those that wait. */
  stop(): void;
}

/** Of a thread: more get none, so that traces are about the moment of the failure. */
const MAX_WAITING = 8;
const MAX_WAIT_MS = 30_000;
/** Of all threads of the process. */
const LOCK = "vedette-route";

const NETWORK_FAILURES = new Set<ReasonClass>(["timeout", "refused", "unreachable"]);
/** The connection ended before there was an answer. */
const BROKEN_OFF = new Set<string>(["tls.reset", "tls.closed", "protocol.reset", "protocol.incomplete"]);

export function createRouteTracer(policy: TargetPolicy, trace: typeof traceRoute = traceRoute): RouteTracer {
  const ending = new AbortController();
  const { signal } = ending;
  let waiting = 0;
  const inTurn = async (to: Parameters<typeof traceRoute>[0]): Promise<Route | null> => {
    const askedMs = performance.now();
    waiting += 1;
    try {
      return await navigator.locks.request(LOCK, { signal }, () =>
        performance.now() - askedMs > MAX_WAIT_MS ? noRoute("busy") : trace(to, { policy, signal }),
      );
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      waiting -= 1;
    }
  };
  return {
    async trace(result) {
      const { address } = result;
      if (address === null || !isOfNetwork(result) || signal.aborted) return null;
      if (waiting >= MAX_WAITING) return noRoute("busy");
      return inTurn({ address, family: isIP(address) === 6 ? 6 : 4 });
    },
    stop: () => ending.abort(),
  };
}

/** Whether the network may be at fault: no answer was wrong, there was none. */
function isOfNetwork({ reason, statusCode }: ProbeResult): boolean {
  if (reason === null || statusCode !== null) return false;
  return NETWORK_FAILURES.has(classOf(reason)) || BROKEN_OFF.has(reason.code);
}
