import { domainToASCII } from "node:url";
import { parse } from "tldts";
import type { Context } from "../../platform/context.ts";
import { invalidInput, PublicError } from "../../platform/errors.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { msg } from "../../platform/i18n/message.ts";
import { verb } from "../../platform/operations/operation.ts";
import type { TargetPolicy } from "../guard.ts";
import { checkHttp } from "../http/http.ts";
import { lookUpRecords } from "../name-servers.ts";
import { Availability, AvailabilityQuery, projectAvailability } from "./schemas/rdap.ts";
import { cacheAnswers } from "./tool-runner.ts";

const ROUNDS_MS = [3_000, 3_000];

/**
 * Of a registrable domain. One that is unknown (NXDOMAIN) may still be registered: held back, expired, or
 * without name servers. Null: no reliable answer.
 */
async function isKnownToDns(registrable: string, servers: readonly string[]): Promise<boolean | null> {
  const answer = await lookUpRecords(servers, { name: registrable, type: "SOA" }, ROUNDS_MS);
  return answer && answer.rcode !== "NXDOMAIN";
}

const CHECK_TIMEOUT_MS = 10_000;
const RETRY_SECONDS = 60;

type LookupContext = Pick<Context, "network" | "tools" | "config" | "clock">;
type Found = ReturnType<typeof projectAvailability>;

interface Known {
  hosts: ReturnType<typeof cacheAnswers<Found>>;
  /** By registrable name: all hosts under it are one query to its registry. */
  registered: ReturnType<typeof cacheAnswers<boolean>>;
}

/** Of each server of a process. */
const known = new WeakMap<Context["tools"], Known>();

function knownTo({ tools, clock }: Pick<Context, "tools" | "clock">): Known {
  const now = () => clock.now();
  const own = known.get(tools) ?? { hosts: cacheAnswers<Found>(now), registered: cacheAnswers<boolean>(now) };
  known.set(tools, own);
  return own;
}

/**
 * Spec, Public: the registry's answer, and an HTTPS check (then HTTP). The client is anonymous, so private
 * addresses are never contacted.
 */
export const checkDomain = verb({
  by: "anyone",
  resource: null,
  action: "read",
  hints: { openWorld: true },
  input: AvailabilityQuery,
  output: Availability,
  async run(ctx, input) {
    const { host, registrable } = parseDomain(input.domain);
    return knownTo(ctx).hosts(host, () => findOut(ctx, host, registrable));
  },
});

/** Never aborted: others may wait for the same answer. */
async function findOut(ctx: LookupContext, host: string, registrable: string): Promise<Found> {
  const [registered, totalUs] = await Promise.all([
    knownTo(ctx).registered(registrable, () => isRegistered(ctx, registrable)),
    firstAnswerUs(ctx, [`https://${host}/`, `http://${host}/`], "public"),
  ]);
  return projectAvailability({ domain: host, registrable, isRegistered: registered, totalUs });
}

/**
 * Where the registry says nothing, a name in the DNS is registered; absence from it proves nothing: then
 * throws the registry's error.
 */
async function isRegistered({ tools, config }: LookupContext, registrable: string): Promise<boolean> {
  try {
    const found = (await tools.run("lookUpRegistration", { query: registrable }, {})) as {
      registered: boolean;
    };
    return found.registered;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    if (await isKnownToDns(registrable, config.resolvers)) return true;
    throw withoutAnswer(registrable, error);
  }
}

/** The caller's own mistake where no registry answers for the name; else worth another try. */
function withoutAnswer(registrable: string, error: PublicError): PublicError {
  const because = error.fields?.["query"]?.[0] ?? error.descriptor;
  const unknown = { ...msg("registrable.unknown", { domain: registrable }), because };
  if (error.kind === "invalid_input") return invalidInput({ domain: [unknown] });
  const { retryAfterSeconds = RETRY_SECONDS } = error;
  return new PublicError("unavailable", unknown, { retryAfterSeconds, cause: error });
}

/** Accepts `example.com`, `www.example.com`, an IDN, or an address with a scheme and path. */
function parseDomain(text: string): { host: string; registrable: string } {
  const { hostname, domain, isIcann } = parse(text.trim(), { allowPrivateDomains: false });
  const host = hostname ? domainToASCII(hostname) : "";
  const registrable = domain ? domainToASCII(domain) : "";
  if (!host || !registrable || !isIcann) {
    throw invalidInput({ domain: [msg("registrable.malformed")] });
  }
  if (!hasPossiblePort(text.trim())) {
    throw invalidInput({ domain: [msg("registrable.port")] });
  }
  return { host, registrable };
}

/** Whether the port that is given, if there is one, can be one. */
function hasPossiblePort(text: string): boolean {
  const authority = /^(?:[^/?#]*?:?\/\/)?([^/?#\\]*)/.exec(text)?.[1] ?? "";
  const port = /:([^:@\]]+)$/.exec(authority)?.[1];
  return port === undefined || (/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

/**
 * Total microseconds of the first address with an HTTP answer, whatever it was; null: none. All are requested
 * at once, so that a silent one delays no other.
 */
export async function firstAnswerUs(
  ctx: Pick<Context, "network">,
  urls: readonly string[],
  policy: TargetPolicy,
): Promise<number | null> {
  const environment = { network: { ...ctx.network, policy }, timeoutMs: CHECK_TIMEOUT_MS };
  const outcomes = urls.map((url) => checkHttp.run({ url }, environment));
  // Faults of those no longer needed are ignored.
  for (const outcome of outcomes) outcome.catch(() => {});
  for (const pendingOutcome of outcomes) {
    const { statusCode, phases } = await pendingOutcome;
    if (statusCode !== null) return phases.totalUs;
  }
  return null;
}

export function describeCheckDomain(define: DefineBoth): void {
  define({
    verb: checkDomain,
    assistant: true,
    method: "GET",
    url: "/check-domain",
    aliases: ["/api/check-domain"],
    limit: { group: "check-domain", perMinute: 30 },
    summary: "Check whether a domain is registered and reachable",
    description:
      "Queries the registry for the name (RDAP), and sends its web server a request. Without an answer of the registry a name that the DNS knows is registered, and anything else is an error: 503 while the registry does not answer, 422 where the suffix has no registry that could be queried. Answers are kept for a minute.",
    failures: [503],
    message: ({ message }) => message,
  });
}
