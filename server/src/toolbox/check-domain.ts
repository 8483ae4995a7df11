import { domainToASCII } from "node:url";
import { parse } from "tldts";
import type { TargetPolicy } from "../check/guard.ts";
import { checkHttp } from "../check/http.ts";
import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { isKnownToDns } from "./domain-registration.ts";

const CHECK_TIMEOUT_MS = 10_000;

export interface DomainAvailability {
  domain: string;
  /** Its registrable part, such as `example.com`. */
  registrable: string;
  /** `unknown`: the DNS does not know it; only its registry, which is not asked yet, could tell whether it is free. */
  registration: "registered" | "unknown";
  /** A web server answered there, whatever it answered. */
  reachable: boolean;
  /** Milliseconds of that answer; null when there was none. */
  responseTimeMs: number | null;
}

/**
 * Public domain check (spec, Public): a real HTTPS check (then HTTP), and the DNS for availability.
 * Strangers call it, so the caller gives the policy on targets instead of the installation's own.
 */
export async function checkDomain(
  ctx: Context,
  input: { domain: string; policy: TargetPolicy },
): Promise<DomainAvailability> {
  const { host, registrable } = parseDomain(input.domain);
  const asked = { domain: host, registrable };
  if (!(await isKnownToDns(registrable, ctx.config.resolvers))) {
    return { ...asked, registration: "unknown", reachable: false, responseTimeMs: null };
  }
  const totalUs = await firstAnswerUs(ctx, [`https://${host}/`, `http://${host}/`], input.policy);
  return {
    ...asked,
    registration: "registered",
    reachable: totalUs !== null,
    responseTimeMs: totalUs === null ? null : totalUs / 1000,
  };
}

/** Accepts `example.com`, `www.example.com`, an IDN, or an address with a scheme and path. */
function parseDomain(text: string): { host: string; registrable: string } {
  const { hostname, domain, isIcann } = parse(text.trim(), { allowPrivateDomains: false });
  const host = hostname ? domainToASCII(hostname) : "";
  const registrable = domain ? domainToASCII(domain) : "";
  if (!host || !registrable || !isIcann) {
    throw invalidInput({ domain: ["The domain field must be a domain name such as example.com."] });
  }
  if (!hasPossiblePort(text.trim())) {
    throw invalidInput({ domain: ["The port in the domain field must be between 1 and 65535."] });
  }
  return { host, registrable };
}

/** Whether the port that is given, if there is one, can be one. */
function hasPossiblePort(text: string): boolean {
  const authority = /^(?:[^/?#]*?:?\/\/)?([^/?#\\]*)/.exec(text)?.[1] ?? "";
  const port = /:([^:@\]]+)$/.exec(authority)?.[1];
  return port === undefined || (/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

/** Total time in microseconds of the first address that brought an HTTP answer, whatever it said; null: none did. */
export async function firstAnswerUs(
  ctx: Pick<Context, "network">,
  urls: readonly string[],
  policy: TargetPolicy,
): Promise<number | null> {
  const environment = { network: { ...ctx.network, policy }, timeoutMs: CHECK_TIMEOUT_MS };
  for (const url of urls) {
    const outcome = await checkHttp.run({ url }, environment);
    if (outcome.statusCode !== null) return outcome.phases.totalUs;
  }
  return null;
}
