import dns from "node:dns";
import { isIP } from "node:net";
import type { Resolution, ResolvedAddress } from "../platform/formats/host.ts";
import { type DnsQueryMessage, encodeDnsQuery, isDnsName, type ServerPlace } from "./dns-message.ts";
import type { TargetPolicy } from "./guard.ts";
import {
  followFile,
  followResolvConf,
  placesOf,
  queryServersInTurn,
  type ResolvConf,
  type ServerFailure,
  type ServerReply,
  searchNames,
} from "./name-servers.ts";

/** Name to addresses, cached for the answers' TTL but at most 60 s; hosts file first. */
export interface Resolver {
  /**
   * Without what was queried before `sinceMs` (`performance.now`): a recheck must not trust what misled the
   * check before it. Throws ResolveError.
   */
  resolve(host: string, sinceMs?: number): Promise<Resolution>;
}

export class ResolveError extends Error {
  readonly code: DnsFailure;

  constructor(code: DnsFailure) {
    super(code);
    this.name = "ResolveError";
    this.code = code;
  }
}

interface ResolverOptions {
  /** `address` or `address:port`; empty: the system's, which are followed as they change. */
  servers: readonly string[];
  /** Where the system's are; default: the system's own file. */
  resolvConf?: string;
  /** Default: the system's. */
  hostsFile?: string;
  /** Milliseconds, any origin; for tests. */
  now?: () => number;
  /** Whose names these are: those of public targets are complete where they have a dot. Default: all. */
  policy?: TargetPolicy;
  /** Of the first try at each server; default: what the system's file says, or 1500. */
  tryTimeoutMs?: number;
  /** getaddrinfo, for single-label and `.local` names unknown to the DNS. */
  systemLookup?: (host: string) => Promise<ResolvedAddress[]>;
}

/** An answer is cached at least this long, so that many monitors of one host cause one query. */
const MIN_TTL_MS = 1000;
const MAX_TTL_MS = 60_000;
const MAX_CACHED_NAMES = 10_000;

const LOOPBACK: Resolution = {
  addresses: [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ],
  late: null,
};

interface Entry {
  answer: Promise<Resolution>;
  queriedMs: number;
  /** Infinity while the query is under way, so that everybody shares it. */
  freshUntil: number;
}

const inFull = (addresses: readonly ResolvedAddress[]): Resolution => ({ addresses, late: null });

/**
 * The hosts file; then the DNS (A and AAAA at once, search domains), cached for the TTL within 1…60 s; then,
 * for names without a dot and `.local`, the system. One query a name at a time. Failures are not cached, nor
 * one family without the other.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const now = options.now ?? (() => performance.now());
  const fromHosts = openHostsFile(options.hostsFile ?? SYSTEM_HOSTS_FILE, now);
  const conf = followResolvConf(options.servers, { resolvConf: options.resolvConf, now });
  const servers = () => conf().servers;
  const queryDns = createDnsQuery({ conf, now, tryTimeoutMs: options.tryTimeoutMs });
  const cache = new Map<string, Entry>();
  let answeredBy = servers();

  const orSystem = async (host: string, { addresses, failure }: DnsAnswer): Promise<Resolution> => {
    if (failure === null) return inFull(addresses);
    if (host.includes(".") && !host.endsWith(".local")) throw new ResolveError(failure);
    const found = await (options.systemLookup ?? lookUpBySystem)(host).catch(() => []);
    if (found.length === 0) throw new ResolveError(failure);
    return inFull(found);
  };

  const resolveAnew = (name: string): Promise<Resolution> => {
    const host = withoutFinalDot(name);
    const names = searchNames(name, conf(), options.policy);
    const query = names.length === 1 ? queryDns(host) : queryInTurn(queryDns, host, names);
    const whole = query.whole.then((found) => orSystem(host, found));
    const answer = query.early.then((early) => early ?? whole);
    const entry: Entry = { answer, queriedMs: now(), freshUntil: Number.POSITIVE_INFINITY };
    if (cache.size >= MAX_CACHED_NAMES) cache.delete(cache.keys().next().value as string);
    cache.delete(name);
    cache.set(name, entry);
    Promise.all([query.whole, whole]).then(
      ([found]) => {
        entry.answer = whole;
        entry.freshUntil = now() + retentionMs(found);
      },
      () => (entry.freshUntil = Number.NEGATIVE_INFINITY),
    );
    return answer;
  };

  return {
    resolve(typed, sinceMs = Number.NEGATIVE_INFINITY) {
      const name = typed.toLowerCase();
      const known = localAnswer(withoutFinalDot(name), fromHosts);
      if (known !== null) return Promise.resolve(known);
      // Other name servers, such as a VPN's, may know other names, or other addresses for the same ones.
      if (answeredBy !== servers()) cache.clear();
      answeredBy = servers();
      const entry = cache.get(name);
      const isGood = entry !== undefined && now() < entry.freshUntil && entry.queriedMs >= sinceMs;
      return isGood ? entry.answer : resolveAnew(name);
    },
  };
}

const withoutFinalDot = (name: string): string => (name.endsWith(".") ? name.slice(0, -1) : name);

/** How long an answer is cached once it has come. The system's own is cached only briefly. */
function retentionMs({ ttlSeconds, failure, isWhole }: DnsAnswer): number {
  if (failure !== null) return MIN_TTL_MS;
  return isWhole ? Math.min(Math.max(ttlSeconds * 1000, MIN_TTL_MS), MAX_TTL_MS) : 0;
}

/** Literals, `localhost` (loopback whatever the files and the DNS say, RFC 6761 §6.3) and the hosts file. */
function localAnswer(
  host: string,
  fromHosts: (name: string) => ResolvedAddress[] | undefined,
): Resolution | null {
  const family = isIP(host);
  if (family === 4 || family === 6) return inFull([{ address: host, family }]);
  const own = fromHosts(host);
  if (host === "localhost" || host.endsWith(".localhost")) {
    const loopback = own?.filter(({ address }) => address.startsWith("127.") || address === "::1");
    return loopback !== undefined && loopback.length > 0 ? inFull(loopback) : LOOPBACK;
  }
  return own === undefined ? null : inFull(own);
}

/** Where the system keeps its own names. */
const SYSTEM_HOSTS_FILE =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts";

/** Of one name. */
const MAX_HOSTS_ADDRESSES = 64;

/** Name (lower case) to addresses, in the order of the file (hosts(5)). Lines that make no sense are skipped. */
export function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const known = hosts.get(key);
      if (known === undefined) hosts.set(key, [{ address, family }]);
      else if (known.length < MAX_HOSTS_ADDRESSES && !known.some((one) => one.address === address))
        known.push({ address, family });
    }
  }
  return hosts;
}

/** Looks names up in a hosts file, and follows its changes. */
function openHostsFile(path: string, now: () => number): (name: string) => ResolvedAddress[] | undefined {
  const hosts = followFile(path, parseHosts, now);
  return (name) => hosts().get(name);
}

/** How the DNS failed; `nxdomain` covers names without any address too. */
type DnsFailure = "nxdomain" | ServerFailure;

interface DnsAnswer {
  addresses: readonly ResolvedAddress[];
  ttlSeconds: number;
  /** Set when there are no addresses. */
  failure: DnsFailure | null;
  /** Whether each family gave addresses or said that it has none. Otherwise the name may have more than these. */
  isWhole: boolean;
}

interface DnsQuery {
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

interface DnsQueryOptions {
  conf: () => ResolvConf;
  now: () => number;
  /** Of the first try; default: what the file says, or 1500. */
  tryTimeoutMs?: number | undefined;
}

/**
 * A and AAAA at once, from one name server after the other, and round again with a longer timeout. Only what
 * an answer says of the name and its aliases counts.
 */
function createDnsQuery({ conf, now, tryTimeoutMs }: DnsQueryOptions): (host: string) => DnsQuery {
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
 * One name after the other until one has addresses (res_search(3)). Silence or a refusal skips the search
 * domains that are left, but not `host` itself. A failure is of the name as it is, where that came first.
 */
function queryInTurn(query: (name: string) => DnsQuery, host: string, names: readonly string[]): DnsQuery {
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
async function lookUpBySystem(host: string): Promise<ResolvedAddress[]> {
  const found = await dns.promises.lookup(host, { all: true, order: "verbatim" });
  return found
    .slice(0, 2 * MAX_ADDRESSES)
    .map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
