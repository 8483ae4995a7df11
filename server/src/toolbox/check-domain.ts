import { domainToASCII } from "node:url";
import { parse } from "tldts";
import type { TargetPolicy } from "../check/guard.ts";
import { checkHttp } from "../check/http.ts";
import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { Availability, AvailabilityQuery, projectAvailability } from "../wire/domain-availability.ts";
import { isKnownToDns } from "./domain-registration.ts";

const CHECK_TIMEOUT_MS = 10_000;

/**
 * Public domain check (spec, Public): a real HTTPS check (then HTTP), and the DNS for availability. Whoever asks is a
 * stranger, so private addresses are never looked at for them.
 */
export const checkDomain = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: AvailabilityQuery,
  output: Availability,
  async run(ctx, input) {
    const { host, registrable } = parseDomain(input.domain);
    const isRegistered = await isKnownToDns(registrable, ctx.config.resolvers);
    const urls = isRegistered ? [`https://${host}/`, `http://${host}/`] : [];
    const totalUs = await firstAnswerUs(ctx, urls, "public");
    return projectAvailability({ domain: host, registrable, isRegistered, totalUs });
  },
});

/** Accepts `example.com`, `www.example.com`, an IDN, or an address with a scheme and path. */
function parseDomain(text: string): { host: string; registrable: string } {
  const { hostname, domain, isIcann } = parse(text.trim(), { allowPrivateDomains: false });
  const host = hostname ? domainToASCII(hostname) : "";
  const registrable = domain ? domainToASCII(domain) : "";
  if (!host || !registrable || !isIcann) {
    throw invalidInput({ domain: [fact("registrable.malformed")] });
  }
  if (!hasPossiblePort(text.trim())) {
    throw invalidInput({ domain: [fact("registrable.port")] });
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
