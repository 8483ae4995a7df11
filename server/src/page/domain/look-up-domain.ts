import { lookUpRecords } from "../../check/ask-name-server.ts";
import { type DnsType, recordText } from "../../check/dns-records.ts";
import type { Context } from "../../context.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import { type DomainFinding, type DomainFindings, PROOF_PREFIX, proofOf } from "./domain-rules.ts";

const ROUNDS_MS = [2_000, 2_000];
const MAX_FOUND = 5;

/** What the DNS says of a host. */
export interface DomainLook {
  /** What people are shown: of many records only some. */
  findings: DomainFindings;
  /** What names pages in its zone, all of it. */
  proofs: readonly string[];
}

type Asking = Pick<Context, "config" | "network">;
/** A name's records of a type, as texts; null: no name server answered. */
type Lookup = (name: string, type: DnsType) => Promise<string[] | null>;

/**
 * Asks the DNS about a host that a page claims: whether it leads to where this installation is reached, and whether its zone
 * names the page. Connects to nothing but name servers.
 */
export async function lookUpDomain(ctx: Asking, claim: { host: string; uuid: string }): Promise<DomainLook> {
  const servers = ctx.network.nameServers?.() ?? ctx.config.resolvers;
  const lookUp: Lookup = async (name, type) => {
    const answer = await lookUpRecords(servers, { name, type }, ROUNDS_MS);
    return answer?.records.filter((record) => record.type === type).map(recordText) ?? null;
  };
  const [points, { proof, proofs }] = await Promise.all([
    pointsOf(ctx, lookUp, claim.host),
    lookUpProof(lookUp, claim),
  ]);
  return { findings: { points, proof }, proofs };
}

async function pointsOf({ config, network }: Asking, lookUp: Lookup, host: string): Promise<DomainFinding> {
  const wanted = new URL(config.publicUrl ?? "http://localhost").hostname.replace(/^\[(.*)\]$/, "$1");
  const [names, v4, v6] = await Promise.all([lookUp(host, "CNAME"), lookUp(host, "A"), lookUp(host, "AAAA")]);
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
  lookUp: Lookup,
  claim: { host: string; uuid: string },
): Promise<{ proof: DomainFinding; proofs: readonly string[] }> {
  const { record, value } = proofOf(claim);
  const records = await lookUp(record, "TXT");
  if (records === null) {
    return { proof: { found: [], problem: fact("page.dns_silent", { host: record }) }, proofs: [] };
  }
  const proofs = records.map((text) => text.trim()).filter((text) => text.startsWith(PROOF_PREFIX));
  const found = shortened(proofs);
  const other = () => fact("page.proof_other", { record, found: found.join(", "), wanted: value });
  const missing = found.length === 0 ? fact("page.proof_missing", { record }) : other();
  return { proof: { found, problem: proofs.includes(value) ? null : missing }, proofs };
}

const shortened = (texts: readonly string[]): string[] =>
  texts.slice(0, MAX_FOUND).map((text) => excerpt(text));
