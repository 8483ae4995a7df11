import dns from "node:dns";
import type { Resolution, ResolvedAddress } from "./address.ts";
import { type DnsQueryMessage, encodeDnsQuery, isDnsName, type ServerPlace } from "./dns-records.ts";
import type { ResolvConf } from "./name-servers.ts";
import { placesOf, queryServersInTurn, type ServerFailure, type ServerReply } from "./query-name-server.ts";

/** How the DNS failed; `nxdomain` covers names without any address too. */
export type DnsFailure = "nxdomain" | ServerFailure;

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

/** The failure that explains most: anything is more telling than "no such name" from the other family. */
const worse = (a: DnsFailure, b: DnsFailure): DnsFailure => (a === "nxdomain" ? b : a);

/** A server that was silent comes after the others for so long. */
const AVOIDED_MS = 5_000;

export interface DnsQueryOptions {
  /** How names are to be looked up now. */
  conf: () => ResolvConf;
  now: () => number;
  /** Of the first try; default: what the file says, or 1500. */
  tryTimeoutMs?: number | undefined;
}

/**
 * Looks up A and AAAA at once. Each question goes to one name server after the other until one answers it, and round
 * again with a longer timeout. Only what an answer says of the name and its aliases counts.
 */
export function createDnsQuery({ conf, now, tryTimeoutMs }: DnsQueryOptions): (host: string) => DnsQuery {
  const silentMs = new Map<string, number>();
  let lookups = 0;
  const serversNow = ({ servers, rotate }: ResolvConf): ServerPlace[] => {
    const listed = placesOf(servers);
    const first = rotate ? lookups++ % Math.max(1, listed.length) : 0;
    const places = [...listed.slice(first), ...listed.slice(0, first)];
    const isAvoided = (one: ServerPlace) => now() - (silentMs.get(keyOf(one)) ?? -AVOIDED_MS) < AVOIDED_MS;
    return [...places.filter((one) => !isAvoided(one)), ...places.filter(isAvoided)];
  };
  const queryServers = (servers: readonly ServerPlace[], message: DnsQueryMessage): Promise<ServerReply> => {
    const { timeoutMs, attempts } = conf();
    const firstMs = tryTimeoutMs ?? timeoutMs ?? TRY_TIMEOUT_MS;
    const mostMs = Math.max(firstMs, Math.min(MAX_TRY_TIMEOUT_MS, 2 * firstMs));
    const roundsMs = Array.from({ length: attempts ?? TRIES }, (_, round) =>
      round === 0 ? firstMs : mostMs,
    );
    return queryServersInTurn(servers, message, roundsMs, (server) => silentMs.set(keyOf(server), now()));
  };
  return (host) => {
    const servers = serversNow(conf());
    const family = async (which: 4 | 6): Promise<FamilyAnswer> => {
      if (!isDnsName(host)) return familyAnswer({ failure: "nxdomain" }, which);
      return familyAnswer(
        await queryServers(servers, encodeDnsQuery(host, which === 4 ? "A" : "AAAA")),
        which,
      );
    };
    return inTurn(family(6), family(4));
  };
}

const keyOf = ({ address, port }: ServerPlace): string => `${address} ${port}`;

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
      const isWorse: boolean = failed !== null && (names[0] === host || worseOf(failed, answer) === failed);
      failed = isWorse ? failed : answer;
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

/** An answer without addresses says that there are none, also where it has some of names outside the query. */
function familyAnswer(reply: ServerReply | { failure: "nxdomain" }, family: 4 | 6): FamilyAnswer {
  if ("failure" in reply) return { addresses: [], ttlSeconds: 0, failure: reply.failure };
  const chain = reply.answer.records as readonly ChainRecord[];
  const addresses = chain
    .filter(({ type }) => type === (family === 4 ? "A" : "AAAA"))
    .slice(0, MAX_ADDRESSES)
    .map(({ data }) => ({ address: data, family }));
  if (addresses.length === 0) return { addresses, ttlSeconds: 0, failure: "nxdomain" };
  return { addresses, ttlSeconds: Math.min(...chain.map(({ ttl = 0 }) => ttl)), failure: null };
}

/** An alias, or an address. */
interface ChainRecord {
  type: string;
  ttl?: number;
  data: string;
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
export async function lookUpBySystem(host: string): Promise<ResolvedAddress[]> {
  const found = await dns.promises.lookup(host, { all: true, order: "verbatim" });
  return found
    .slice(0, 2 * MAX_ADDRESSES)
    .map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
