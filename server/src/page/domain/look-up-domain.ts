import dns from "node:dns";
import { makeDnsResolver } from "../../check/name-servers.ts";
import type { Context } from "../../context.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import { type DomainFinding, type DomainFindings, PROOF_PREFIX, proofOf } from "./domain-rules.ts";

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const MAX_FOUND = 5;
/** What says that there is nothing of what was asked for. */
const ABSENT: ReadonlySet<string | undefined> = new Set([dns.NODATA, dns.NOTFOUND]);

/** What the DNS says of a host. */
export interface DomainLook {
  /** What people are shown: of many records only some. */
  findings: DomainFindings;
  /** What names pages in its zone, all of it. */
  proofs: readonly string[];
}

type Asking = Pick<Context, "config" | "network">;

/**
 * Asks the DNS about a host that a page claims: whether it leads to where this installation is reached, and whether its zone
 * names the page. Connects to nothing but name servers.
 */
export async function lookUpDomain(ctx: Asking, claim: { host: string; uuid: string }): Promise<DomainLook> {
  const servers = ctx.network.nameServers?.() ?? ctx.config.resolvers;
  const resolver = makeDnsResolver(servers, { timeout: TIMEOUT_MS, tries: TRIES });
  const [points, { proof, proofs }] = await Promise.all([
    pointsOf(ctx, resolver, claim.host),
    lookUpProof(resolver, claim),
  ]);
  return { findings: { points, proof }, proofs };
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
  const addresses = [...v4, ...v6];
  const found = shortened(addresses);
  if (found.length === 0)
    return { found: shortened(names ?? []), problem: fact("page.points_nowhere", { host }) };
  const own = await network.resolver.resolve(wanted).catch(() => null);
  if (own === null) return { found, problem: fact("page.own_unknown", { host: wanted }) };
  if (own.addresses.some(({ address }) => addresses.includes(address))) return { found, problem: null };
  return { found, problem: fact("page.points_elsewhere", { host, found: found.join(", "), wanted }) };
}

async function lookUpProof(
  resolver: dns.promises.Resolver,
  claim: { host: string; uuid: string },
): Promise<{ proof: DomainFinding; proofs: readonly string[] }> {
  const { record, value } = proofOf(claim);
  const records = await askFor(() => resolver.resolveTxt(record));
  if (records === null) {
    return { proof: { found: [], problem: fact("page.dns_silent", { host: record }) }, proofs: [] };
  }
  const proofs = records
    .map((parts) => parts.join("").trim())
    .filter((text) => text.startsWith(PROOF_PREFIX));
  const found = shortened(proofs);
  const other = () => fact("page.proof_other", { record, found: found.join(", "), wanted: value });
  const missing = found.length === 0 ? fact("page.proof_missing", { record }) : other();
  return { proof: { found, problem: proofs.includes(value) ? null : missing }, proofs };
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
