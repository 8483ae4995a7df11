import { isIP } from "node:net";
import type { Resolution, ResolvedAddress } from "./address.ts";
import { createDnsQuery, type DnsAnswer, type DnsFailure, lookUpBySystem, queryInTurn } from "./dns-query.ts";
import type { TargetPolicy } from "./guard.ts";
import { followFile, followResolvConf, searchNames } from "./name-servers.ts";

/** Name to addresses, cached for the answers' TTL but at most 60 s; hosts file first. */
export interface Resolver {
  /**
   * What is known of a name. What was asked for before `sinceMs` (of the same clock, `performance.now`) does
   * not count: a recheck must not trust what misled the check before it. Throws ResolveError.
   */
  resolve(host: string, sinceMs?: number): Promise<Resolution>;
}

/** A name without an address. */
export class ResolveError extends Error {
  readonly code: DnsFailure;

  constructor(code: DnsFailure) {
    super(code);
    this.name = "ResolveError";
    this.code = code;
  }
}

export interface ResolverOptions {
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

/** An answer is cached at least this long, so that many monitors of one host ask once. */
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
 * The hosts file first; then the DNS (A and AAAA at once), by the search domains of resolv.conf as well, kept for the TTL
 * within 1…60 s; then, for names without a dot and `.local`, the system. One query a name at a time. Failures are not kept, nor
 * what one family said while the other could not be asked: the next check asks again.
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
const MAX_ADDRESSES = 64;

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
      else if (known.length < MAX_ADDRESSES && !known.some((one) => one.address === address))
        known.push({ address, family });
    }
  }
  return hosts;
}

/** Looks names up in a hosts file, and notices its changes. */
function openHostsFile(path: string, now: () => number): (name: string) => ResolvedAddress[] | undefined {
  const hosts = followFile(path, parseHosts, now);
  return (name) => hosts().get(name);
}
