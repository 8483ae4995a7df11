import dns from "node:dns";
import { makeDnsResolver } from "../check/name-servers.ts";
import type { Context } from "../context.ts";
import { excerpt, fact } from "../texts/fact.ts";
import { type DomainFinding, type DomainFindings, proofOf } from "./domain-rules.ts";

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const MAX_FOUND = 5;
/** What says that there is nothing of what was asked for. */
const ABSENT: ReadonlySet<string | undefined> = new Set([dns.NODATA, dns.NOTFOUND]);

type Asking = Pick<Context, "config" | "network">;

/**
 * Asks the DNS about a host that a page claims: whether it leads to where this installation is reached, and whether its zone
 * names the page. Connects to nothing but name servers.
 */
export async function lookUpDomain(
  ctx: Asking,
  claim: { host: string; uuid: string },
): Promise<DomainFindings> {
  const servers = ctx.network.nameServers?.() ?? ctx.config.resolvers;
  const resolver = makeDnsResolver(servers, { timeout: TIMEOUT_MS, tries: TRIES });
  const [points, proof] = await Promise.all([
    pointsOf(ctx, resolver, claim.host),
    lookUpProof(resolver, claim),
  ]);
  return { points, proof };
}

async function pointsOf(
  { config, network }: Asking,
  resolver: dns.promises.Resolver,
  host: string,
): Promise<DomainFinding> {
  const wanted = new URL(config.publicUrl ?? "http://localhost").hostname.replace(/^\[(.*)\]$/, "$1");
  const [names, v4, v6] = await Promise.all([
    askFor(() => resolver.resolveCname(host)),
    askFor(() => resolver.resolve4(host)),
    askFor(() => resolver.resolve6(host)),
  ]);
  if (names?.some((name) => name.toLowerCase() === wanted)) return { found: [wanted], problem: null };
  if (v4 === null || v6 === null) return { found: [], problem: fact("page.dns_silent", { host }) };
  const found = shortened([...v4, ...v6]);
  if (found.length === 0)
    return { found: shortened(names ?? []), problem: fact("page.points_nowhere", { host }) };
  const own = await network.resolver.resolve(wanted).catch(() => null);
  if (own === null) return { found, problem: fact("page.own_unknown", { host: wanted }) };
  if (own.addresses.some(({ address }) => found.includes(address))) return { found, problem: null };
  return { found, problem: fact("page.points_elsewhere", { host, found: found.join(", "), wanted }) };
}

async function lookUpProof(
  resolver: dns.promises.Resolver,
  claim: { host: string; uuid: string },
): Promise<DomainFinding> {
  const { record, value } = proofOf(claim);
  const records = await askFor(() => resolver.resolveTxt(record));
  if (records === null) return { found: [], problem: fact("page.dns_silent", { host: record }) };
  // What names a page first: of many records only some are kept.
  const texts = records
    .map((parts) => parts.join("").trim())
    .filter((text) => text.startsWith("vedette-page="));
  const found = shortened(texts);
  if (texts.includes(value)) return { found, problem: null };
  if (found.length === 0) return { found, problem: fact("page.proof_missing", { record }) };
  return { found, problem: fact("page.proof_other", { record, found: found.join(", "), wanted: value }) };
}

/** What there is of what was asked for; null: nobody answered. */
async function askFor<T>(ask: () => Promise<T[]>): Promise<T[] | null> {
  try {
    return await ask();
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code) ? [] : null;
  }
}

const shortened = (texts: readonly string[]): string[] =>
  texts.slice(0, MAX_FOUND).map((text) => excerpt(text));
