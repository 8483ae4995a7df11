import { type StopSignal, stopCheck } from "../../check/deadline.ts";
import { followHops, type HopsResult } from "../../check/http-hops.ts";
import { composeRequest, parseHttpUrl, unfitOf } from "../../check/http-request.ts";
import type { Network } from "../../check/network.ts";
import type { Reason } from "../../check/reasons.ts";
import { fact } from "../../texts/fact.ts";
import type { ChannelAnswer, ChannelRequest } from "./kind.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;
const USER_AGENT = "Vedette/0.1 (notifications)";

/** A request as it travels. */
export interface ComposedRequest<Body = string> {
  method: string;
  url: URL;
  headers: [string, string][];
  body: Body;
}

/** What is sent for a request. Throws RequestError for what cannot be part of one. */
export function composed({ method = "POST", url, headers = {}, body }: ChannelRequest): ComposedRequest {
  const [text, type] = encoded(body);
  return {
    method,
    url: parseHttpUrl(url),
    headers: [...usualHeaders, ["content-type", type], ...sentHeaders(headers)],
    body: text,
  };
}

/** A POST of these bytes. `headers`: with the type of the body. */
export const postOf = (
  url: string,
  headers: Record<string, string>,
  body: Buffer,
): ComposedRequest<Buffer> => ({
  method: "POST",
  url: parseHttpUrl(url),
  headers: [...usualHeaders, ...sentHeaders(headers)],
  body,
});

const usualHeaders: readonly [string, string][] = [
  ["user-agent", USER_AGENT],
  ["accept", "application/json, */*;q=0.5"],
];

const sentHeaders = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    Buffer.from(value, "utf8").toString("latin1"),
  ]);

function encoded(body: ChannelRequest["body"]): [text: string, type: string] {
  if ("json" in body) return [JSON.stringify(body.json), "application/json"];
  if ("form" in body) return [new URLSearchParams(body.form).toString(), "application/x-www-form-urlencoded"];
  return [body.text, body.type];
}

/**
 * Sends a request past the guard, over a new connection, without following redirects: what is answered, or why nothing
 * was, within ten seconds.
 */
export function post(
  request: ComposedRequest<string | Buffer>,
  network: Network,
  signal: AbortSignal,
): Promise<ChannelAnswer | { failure: Reason }> {
  return new Promise((resolve, reject) => {
    const stop: StopSignal = { isStopped: signal.aborted, listener: null };
    const onAbort = () => stopCheck(stop);
    signal.addEventListener("abort", onAbort, { once: true });
    const end = ({ answer, decoded, failure }: HopsResult) => {
      signal.removeEventListener("abort", onAbort);
      // What the header says stands, even where the body breaks off.
      if (answer === null) return resolve({ failure: failure ?? fact("internal.error") });
      resolve({
        status: answer.statusCode,
        header: (name) => answer.header(name),
        body: decoded?.body.toString("utf8") ?? "",
      });
    };
    try {
      const { method, url, headers, body } = request;
      const whole = composeRequest(url, method, headers, Buffer.from(body));
      const options = { network, timeoutMs: TIMEOUT_MS, signal: stop, followRedirects: false } as const;
      const bodyLimit = () => ({ bytes: MAX_ANSWER_BYTES, purpose: "text", enough: null }) as const;
      followHops(whole, { ...options, ignoreCertificate: false, bodyLimit }, end, reject);
    } catch (error) {
      signal.removeEventListener("abort", onAbort);
      resolve({ failure: fact("internal.request", unfitOf(error)) });
    }
  });
}
