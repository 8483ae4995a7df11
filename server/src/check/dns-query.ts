import dns from "node:dns";
import type { Resolution, ResolvedAddress } from "./address.ts";
import { makeDnsResolver } from "./name-servers.ts";

/** How the DNS failed; `nxdomain` covers names without any address too. */
export type DnsFailure = "nxdomain" | "timeout" | "servfail" | "refused";

/** What both families together said. */
export interface DnsAnswer {
  addresses: readonly ResolvedAddress[];
  ttlSeconds: number;
  /** Set when there are no addresses. */
  failure: DnsFailure | null;
  /** Whether each family gave addresses or said that it has none. Otherwise the name may have more than these. */
  isWhole: boolean;
}

/** A name being resolved. Neither promise ever rejects. */
export interface DnsQuery {
  /** What to start with when one family's answer is late; null when both came in time, or brought nothing. */
  early: Promise<Resolution | null>;
  whole: Promise<DnsAnswer>;
}

interface FamilyAnswer {
  addresses: readonly ResolvedAddress[];
  ttlSeconds: number;
  failure: DnsFailure | null;
}

/** How long an answer for one family waits for the other's (RFC 8305 §3, resolution delay). */
const RESOLUTION_DELAY_MS = 50;
/** Three tries, about 5 s in all, so that a check of 10 s can still say that the DNS was at fault. */
const TRY_TIMEOUT_MS = 1500;
const MAX_TRY_TIMEOUT_MS = 2000;
const TRIES = 3;
/** Per family; an answer over TCP has room for thousands, and each would be tried. */
const MAX_ADDRESSES = 16;

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

/** After a failure the resolver is replaced, at most this often. */
const RENEW_MS = 1_000;

export interface DnsQueryOptions {
  /** The name servers to ask now; the same array as long as they are the same. */
  servers: () => readonly string[];
  now: () => number;
  /** Of the first of three tries; default 1500. */
  tryTimeoutMs?: number | undefined;
}

/**
 * Asks for A and AAAA at once. The resolver follows the name servers, and is replaced after a failure without any
 * answer: it may be holding on to what no longer exists.
 */
export function createDnsQuery(options: DnsQueryOptions): (host: string) => DnsQuery {
  const { servers, now, tryTimeoutMs = TRY_TIMEOUT_MS } = options;
  const maxTimeout = Math.max(tryTimeoutMs, Math.min(MAX_TRY_TIMEOUT_MS, 2 * tryTimeoutMs));
  const make = () => {
    const asked = servers();
    const resolver = makeDnsResolver(asked, { timeout: tryTimeoutMs, maxTimeout, tries: TRIES });
    return { asked, resolver, madeMs: now(), hasFailed: false };
  };
  let current = make();
  return (host) => {
    const isStale = current.hasFailed && now() - current.madeMs >= RENEW_MS;
    if (isStale || current.asked !== servers()) current = make();
    const mine = current;
    const query = inTurn(askFamily(mine.resolver, host, 6), askFamily(mine.resolver, host, 4));
    void query.whole.then(({ failure }) => {
      mine.hasFailed ||= failure !== null && failure !== "nxdomain";
    });
    return query;
  };
}

/**
 * Queries one name after the other until one has addresses (res_search(3)). After silence or a refusal the search domains that
 * are left are skipped, but `host` as it is is queried in any case. What failed is said of the name as it is, where that came first.
 */
export function queryInTurn(
  query: (name: string) => DnsQuery,
  host: string,
  names: readonly string[],
): DnsQuery {
  const early = Promise.withResolvers<Resolution | null>();
  const search = async (): Promise<DnsAnswer> => {
    let failed: DnsAnswer | null = null;
    let isSearching = true;
    for (const [at, name] of names.entries()) {
      if (!isSearching && name !== host) continue;
      const one = query(name);
      void one.early.then((found) => found !== null && early.resolve(found));
      const answer = await one.whole;
      if (answer.failure === null) return answer;
      const isKept: boolean = failed !== null && (names[0] === host || worseOf(failed, answer) === failed);
      failed = isKept ? failed : answer;
      isSearching &&= answer.failure === "refused" ? at === 0 && name === host : answer.failure !== "timeout";
    }
    return failed ?? NO_ANSWER;
  };
  const whole = search();
  void whole.then(() => early.resolve(null));
  return { early: early.promise, whole };
}

const NO_ANSWER: DnsAnswer = { addresses: [], ttlSeconds: 0, failure: "nxdomain", isWhole: false };

const worseOf = (a: DnsAnswer, b: DnsAnswer): DnsAnswer => (a.failure === "nxdomain" ? b : a);

async function askFamily(
  resolver: dns.promises.Resolver,
  host: string,
  family: 4 | 6,
): Promise<FamilyAnswer> {
  try {
    const all =
      family === 4
        ? await resolver.resolve4(host, { ttl: true })
        : await resolver.resolve6(host, { ttl: true });
    const records = all.slice(0, MAX_ADDRESSES);
    const addresses = records.map(({ address }) => ({ address, family }));
    return { addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)), failure: null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return { addresses: [], ttlSeconds: 0, failure: FAILURES[code] ?? "servfail" };
  }
}

/** The family that has addresses first waits 50 ms for the other, which joins later if it takes longer. */
function inTurn(v6: Promise<FamilyAnswer>, v4: Promise<FamilyAnswer>): DnsQuery {
  const whole = Promise.all([v6, v4]).then(([six, four]) => merge(six, four));
  const early = new Promise<Resolution | null>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const begin = (mine: FamilyAnswer, other: Promise<FamilyAnswer>) => {
      if (mine.failure !== null || timer !== undefined) return;
      const late = other.then(({ addresses }) => addresses);
      timer = setTimeout(resolve, RESOLUTION_DELAY_MS, { addresses: mine.addresses, late });
    };
    void v6.then((answer) => begin(answer, v4));
    void v4.then((answer) => begin(answer, v6));
    void whole.then(() => {
      clearTimeout(timer);
      resolve(null);
    });
  });
  return { early, whole };
}

function merge(v6: FamilyAnswer, v4: FamilyAnswer): DnsAnswer {
  if (v6.failure !== null && v4.failure !== null) {
    return { addresses: [], ttlSeconds: 0, failure: worse(v6.failure, v4.failure), isWhole: false };
  }
  const good = [v6, v4].filter(({ failure }) => failure === null);
  return {
    addresses: [...v6.addresses, ...v4.addresses],
    ttlSeconds: Math.min(...good.map(({ ttlSeconds }) => ttlSeconds)),
    failure: null,
    isWhole: [v6, v4].every(({ failure }) => failure === null || failure === "nxdomain"),
  };
}

/** getaddrinfo, for names that only the system knows (mDNS, NetBIOS, search domains). */
export async function askSystem(host: string): Promise<ResolvedAddress[]> {
  const found = await dns.promises.lookup(host, { all: true, order: "verbatim" });
  return found
    .slice(0, 2 * MAX_ADDRESSES)
    .map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
