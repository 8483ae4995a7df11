import { Type } from "typebox";
import { type StopSignal, stopCheck } from "../../checks/deadline.ts";
import { followHops, type HopsResult } from "../../checks/http/http-hops.ts";
import { composeRequest, parseHttpUrl, unfitOf } from "../../checks/http/http-request.ts";
import type { Network } from "../../checks/network.ts";
import type { Reason } from "../../checks/reasons.ts";
import { retryAfterMs } from "../../platform/clock.ts";
import type { SecretBox } from "../../platform/context.ts";
import { excerpt, type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { SecretHint } from "../../platform/secrets/config-secrets.ts";
import { openConfig } from "../../platform/secrets/secret-box.ts";
import type { Outcome } from "../outbox.ts";
import type { Channel } from "../queries/channels.ts";
import { MAX_PAUSE_MS } from "../retry-rules.ts";
import type { ChannelAnswer, ChannelRequest, HttpChannelKind } from "./kind.ts";

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
      // The status and headers count even where the body breaks off.
      if (answer === null) return resolve({ failure: failure ?? msg("internal.error") });
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
      resolve({ failure: msg("internal.request", unfitOf(error)) });
    }
  });
}

/** The message of an error page is near its beginning. */
const MAX_READ = 16_384;
const HTML = /^\s*<(?:!doctype|html|head|body)\b/i;
const TITLE = /<title\b[^<>]*>([^<]*)/i;
const UNREAD = /<(script|style)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
const TAG = /<[^<>]*>?/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
]);

/** What an answer says to people: of a web page its title, or else its words. */
export function textOfAnswer({ body, header }: ChannelAnswer): string {
  if (!HTML.test(body) && !/^text\/html\b/i.test(header("content-type") ?? "")) return body;
  const page = body.slice(0, MAX_READ);
  return inWords(TITLE.exec(page)?.[1] ?? "") || inWords(page.replace(UNREAD, " ").replace(TAG, " "));
}

const inWords = (text: string): string =>
  text
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
    .replace(/\s+/g, " ")
    .trim();

/** The receiver is gone, or the credentials are refused: further messages would fail, too. */
const ENDED = new Set([401, 403, 404, 410]);
/** It took too long, or came too early. */
const AGAIN = new Set([408, 425]);
const TOO_MANY = 429;
/** Where it is not said how long a pause is wanted. */
const PAUSE_MS = 30_000;

/**
 * What an answer means: for most services by its status code alone. `secrets` are masked in what it said. `unknown`: the
 * message that was referred to is gone.
 */
export function evaluateAnswer(
  kind: Pick<HttpChannelKind, "evaluate" | "pauseMs" | "reference" | "isSelfHosted">,
  answer: ChannelAnswer,
  { where, secrets, now }: { where: string; secrets: readonly string[]; now: number },
): Outcome | "unknown" {
  const { status } = answer;
  // Pages of errors begin with the status, which the sentence has already.
  const text = textOfAnswer(answer);
  const said =
    excerpt(text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text, secrets) || "-";
  const because = (code: FailureCode): MessageDescriptor => msg(code, { where, status, said });
  const own = kind.evaluate?.(answer, now);
  const verdict = own ?? byStatus(answer, now);
  if (own === undefined && verdict === "ended" && kind.isSelfHosted)
    return { is: "postponed", why: because("delivery.failed"), isRefusal: true };
  if (verdict === "unknown") return "unknown";
  if (verdict === "sent") {
    const reference = kind.reference?.(answer) ?? null;
    const pauseMs = kind.pauseMs?.(answer);
    const afterMs = pauseMs === undefined ? {} : { afterMs: bounded(pauseMs) };
    return { is: "sent", said: msg("delivery.accepted", { where, status }), reference, ...afterMs };
  }
  if (verdict === "redirect") return { is: "refused", why: msg("delivery.redirect", { where, status }) };
  if (verdict === "refused") return { is: "refused", why: because("delivery.refused") };
  if (verdict === "ended") return { is: "refused", why: because("delivery.ended"), ended: true };
  if (verdict === "later") return { is: "postponed", why: because("delivery.failed") };
  if ("moved" in verdict) {
    return { is: "postponed", why: because("delivery.failed"), moved: verdict.moved };
  }
  const afterMs = bounded(verdict.afterMs);
  return { is: "postponed", why: msg("delivery.busy", { where, status }), afterMs };
}

/** A pause that the receiver requested, in whole milliseconds. */
const bounded = (ms: number): number => Math.min(Math.ceil(ms), MAX_PAUSE_MS);

type FailureCode = "delivery.refused" | "delivery.ended" | "delivery.failed";

function byStatus(answer: ChannelAnswer, now: number) {
  const { status } = answer;
  if (status >= 200 && status < 300) return "sent";
  if (status >= 300 && status < 400) return "redirect";
  if (status === TOO_MANY) return { afterMs: retryAfterMs(answer.header("retry-after"), now) ?? PAUSE_MS };
  if (ENDED.has(status)) return "ended";
  if (AGAIN.has(status) || status >= 500) {
    const afterMs = status === 503 ? retryAfterMs(answer.header("retry-after"), now) : null;
    return afterMs === null ? "later" : { afterMs };
  }
  return "refused";
}

const hidden: SecretHint = { "x-secret": "hidden" };

/** An address that is itself a secret: anyone who knows it can send. */
export const secretUrl = (description: string, example: string) =>
  Type.String({
    format: "web-url",
    maxLength: 2048,
    description,
    examples: [example],
    ...hidden,
  });

/** Where a service is reached. */
export const serverUrl = (description: string, usual?: string) =>
  Type.String({
    format: "base-url",
    maxLength: 2048,
    description,
    ...(usual === undefined ? { examples: ["https://push.example.com"] } : { default: usual }),
  });

/** A credential. */
export const secretText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, format: "password", description, ...hidden });

/** A credential that is sent in a header, which takes no line break. White space around it is removed before it is stored. */
export const headerText = (description: string) => ({
  ...secretText(description),
  pattern: "^\\s*[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?\\s*$",
});

/** The host of an address, for lists. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

/** An address below another one, whether that ends in a slash or not. */
export const below = (server: string, path: string): string => `${server.replace(/\/+$/, "")}${path}`;

/** A channel's destination, for comparison: it differs once the address was changed. Holds its secrets. */
export const destinationOf = (secrets: SecretBox, channel: Channel): string =>
  JSON.stringify([channel.type, openConfig(secrets, channel)]);
