import dns from "node:dns";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./resolve.ts";

/** How the DNS failed; `nxdomain` covers names without any address too. */
export type DnsFailure = "nxdomain" | "timeout" | "servfail" | "refused";

export interface DnsAnswer {
  addresses: ResolvedAddress[];
  ttlSeconds: number;
  /** Set when there are no addresses. */
  failure: DnsFailure | null;
}

type QueryDns = (host: string) => Promise<DnsAnswer>;

/** How long an answer for one family waits for the other's (RFC 8305 §3, resolution delay). */
const RESOLUTION_DELAY_MS = 50;
/** Three tries, about 5 s in all, so that a check of 10 s can still say that the DNS was at fault. */
const TRY_TIMEOUT_MS = 1500;
const TRY_TIMEOUT_MOST_MS = 2000;
const TRIES = 3;

const FAILURES: Record<string, DnsFailure> = {
  ENOTFOUND: "nxdomain",
  ENODATA: "nxdomain",
  EBADNAME: "nxdomain",
  ENONAME: "nxdomain",
  ETIMEOUT: "timeout",
  ECANCELLED: "timeout",
  EREFUSED: "refused",
  ECONNREFUSED: "refused",
};

/** The failure that explains most: anything is more telling than "no such name" from the other family. */
const worse = (a: DnsFailure, b: DnsFailure): DnsFailure => (a === "nxdomain" ? b : a);

/** Asks the given name servers (`address` or `address:port`; none: the system's) for A and AAAA at once. */
export function createDnsQuery(servers: readonly string[], tryTimeoutMs = TRY_TIMEOUT_MS): QueryDns {
  const maxTimeout = Math.max(tryTimeoutMs, Math.min(TRY_TIMEOUT_MOST_MS, 2 * tryTimeoutMs));
  const resolver = new dns.promises.Resolver({ timeout: tryTimeoutMs, maxTimeout, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers.map(bracketed));
  const ask = async (host: string, family: 4 | 6): Promise<DnsAnswer> => {
    try {
      const records =
        family === 4
          ? await resolver.resolve4(host, { ttl: true })
          : await resolver.resolve6(host, { ttl: true });
      const addresses = records.map(({ address }) => ({ address, family }));
      return { addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)), failure: null };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      return { addresses: [], ttlSeconds: 0, failure: FAILURES[code] ?? "servfail" };
    }
  };
  return (host) => firstUseful(ask(host, 6), ask(host, 4));
}

/** Both answers together; when one has addresses, the other gets only a moment more. */
async function firstUseful(v6: Promise<DnsAnswer>, v4: Promise<DnsAnswer>): Promise<DnsAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const patience = (answer: DnsAnswer) =>
    new Promise<null>((resolve) => {
      if (answer.failure === null) timer = setTimeout(() => resolve(null), RESOLUTION_DELAY_MS);
    });
  const both = Promise.all([v6, v4]);
  const first = await Promise.race([v6, v4]);
  const settled = await Promise.race([both, patience(first)]);
  // The slower one may be the one with addresses: then there was no timer, and `both` won.
  clearTimeout(timer);
  return settled === null ? first : merge(settled[0], settled[1]);
}

function merge(v6: DnsAnswer, v4: DnsAnswer): DnsAnswer {
  if (v6.failure !== null && v4.failure !== null) {
    return { addresses: [], ttlSeconds: 0, failure: worse(v6.failure, v4.failure) };
  }
  const good = [v6, v4].filter((answer) => answer.failure === null);
  return {
    addresses: [...v6.addresses, ...v4.addresses],
    ttlSeconds: Math.min(...good.map((answer) => answer.ttlSeconds)),
    failure: null,
  };
}

/** `::1` must be `[::1]` once a port may follow; leave `[::1]:53` and `1.2.3.4:53` as they are. */
const bracketed = (server: string) => (isIP(server) === 6 ? `[${server}]` : server);

/** getaddrinfo, for names that only the system knows (mDNS, NetBIOS, search domains). */
export async function askSystem(host: string): Promise<ResolvedAddress[]> {
  const found = await dns.promises.lookup(host, { all: true, order: "verbatim" });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
