import { classOf } from "../../check/reasons.ts";
import { keepRecent } from "../../recent.ts";
import { retryAfterMs } from "../../retry-after.ts";
import { fetchPage, type Page, PageError } from "../../site/page.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import { stopSignalOf } from "../check-environment.ts";
import { type ToolEnvironment, ToolError } from "../tool.ts";
import type { RdapQuestion } from "./question.ts";
import { networkOfRegistries } from "./registry-network.ts";

/** What a registry says: an object of RFC 9083, or null where it knows no such thing. */
export interface RdapAnswer {
  object: Readonly<Record<string, unknown>> | null;
  /** The host that answered. */
  server: string;
}

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 1_048_576;
const PATHS = { domain: "domain", ip: "ip", as: "autnum" } as const;
const CLASSES = { domain: "domain", ip: "ip network", as: "autnum" } as const;
const ACCEPTED = "application/rdap+json, application/json;q=0.9";

/** When a registry that was asked too often wants to be asked again, by its host; `Date.now`. */
const askLater = keepRecent<string, number>(500);
const RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 3_600;

/** Asks one server (RFC 9082). Throws ToolError, for whatever is no clear answer. */
export async function askRegistry(
  base: string,
  { kind, name }: RdapQuestion,
  environment: ToolEnvironment,
): Promise<RdapAnswer> {
  const host = URL.parse(base)?.host ?? base;
  const laterMs = (askLater.get(host) ?? 0) - Date.now();
  if (laterMs > 0) throw askedTooOften(host, laterMs / 1000);
  const page = await fetchPage(
    `${base}${PATHS[kind]}/${encodeURIComponent(name)}`,
    networkOfRegistries(environment),
    {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      accept: ACCEPTED,
      purpose: "RDAP",
      signal: stopSignalOf(environment.signal),
    },
  ).catch((error: unknown) => {
    environment.signal.throwIfAborted();
    throw error instanceof PageError ? unreached(host, error) : error;
  });
  const server = new URL(page.url).host;
  const { statusCode } = page;
  if (statusCode === 429) {
    const seconds = retrySeconds(page);
    askLater.set(host, Date.now() + seconds * 1000);
    throw askedTooOften(host, seconds);
  }
  if (statusCode !== 200 && statusCode !== 404) {
    const retry = statusCode >= 500 ? retrySeconds(page) : undefined;
    throw new ToolError(fact("tool.rdap_status", { server, status: statusCode }), undefined, retry);
  }
  return { object: objectOf(page, { kind, name }, server), server };
}

/** Only an answer of RDAP's own counts, also as a no: a page that says "not found" says nothing of a name. */
function objectOf(page: Page, { kind, name }: RdapQuestion, server: string): RdapAnswer["object"] {
  const { statusCode, body, cut } = page;
  if (cut) throw new ToolError(fact("tool.rdap_large", { server }));
  if (statusCode === 404 && body.length === 0) return null;
  const object = jsonObject(body.toString("utf8"));
  if (object === null) throw new ToolError(fact("tool.rdap_garbage", { server }));
  if (statusCode === 404) {
    const { errorCode = 404 } = object;
    if (errorCode !== 404 && errorCode !== "404") throw new ToolError(fact("tool.rdap_garbage", { server }));
    return null;
  }
  const { objectClassName, ldhName } = object;
  const isOther = typeof ldhName === "string" && ldhName.toLowerCase().replace(/\.$/, "") !== name;
  if (objectClassName !== CLASSES[kind] || (kind === "domain" && isOther)) {
    throw new ToolError(fact("tool.rdap_garbage", { server }));
  }
  return object;
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const askedTooOften = (server: string, seconds: number) => {
  const whole = Math.max(1, Math.ceil(seconds));
  return new ToolError(fact("tool.rdap_busy", { server, wait: whole * 1000 }), undefined, whole);
};

const unreached = (server: string, { reason }: PageError): ToolError => {
  return classOf(reason) === "guard"
    ? new ToolError(fact("tool.rdap_inside", { server: excerpt(server) }))
    : new ToolError(
        { ...fact("tool.rdap_unreached", { server: excerpt(server) }), because: reason },
        undefined,
        RETRY_SECONDS,
      );
};

/** What Retry-After says, within an hour; a minute where it says nothing. */
function retrySeconds({ headers }: Page): number {
  const seconds = Math.ceil((retryAfterMs(headers.get("retry-after"), Date.now()) ?? 0) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_SECONDS) : RETRY_SECONDS;
}
