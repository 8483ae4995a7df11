import { isIP } from "node:net";
import { askSystem, createDnsQuery, type DnsFailure } from "./dns-query.ts";
import { openHostsFile, SYSTEM_HOSTS_FILE } from "./hosts-file.ts";

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Name to addresses, cached for the answers' TTL but at most 60 s; hosts file first. */
export interface Resolver {
  /** Every address, in the order to try them. Throws ResolveError. */
  resolve(host: string, signal?: AbortSignal): Promise<readonly ResolvedAddress[]>;
}

/** A name without an address. `message` is a sentence for the monitor's owner. */
export class ResolveError extends Error {
  readonly code: DnsFailure;

  constructor(code: DnsFailure, host: string) {
    super(SENTENCES[code](host));
    this.name = "ResolveError";
    this.code = code;
  }
}

const SENTENCES: Record<DnsFailure, (host: string) => string> = {
  nxdomain: (host) => `The name ${host} does not exist in the DNS, or has no address.`,
  timeout: (host) => `No name server answered when asked for ${host}.`,
  servfail: (host) => `The name servers could not find out about ${host} (SERVFAIL).`,
  refused: (host) => `The name servers refused to answer about ${host}.`,
};

export interface ResolverOptions {
  /** `address` or `address:port`; empty: the system's. */
  servers: readonly string[];
  /** Default: the system's. */
  hostsFile?: string;
  /** Milliseconds, any origin; for tests. */
  now?: () => number;
  /** Of the first of three tries; default 1500. */
  tryTimeoutMs?: number;
  /** getaddrinfo, for single-label and `.local` names unknown to the DNS. */
  systemLookup?: (host: string) => Promise<ResolvedAddress[]>;
}

/** An answer is kept at least this long, so that many monitors of one host ask once. */
const KEPT_LEAST_MS = 1000;
const KEPT_MOST_MS = 60_000;
const NAMES_KEPT = 10_000;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

interface Entry {
  answer: Promise<readonly ResolvedAddress[]>;
  /** Infinity while the query is under way, so that everybody shares it. */
  freshUntil: number;
}

interface Found {
  addresses: readonly ResolvedAddress[];
  keptMs: number;
}

/**
 * The hosts file first; then the DNS (A and AAAA at once), kept for the TTL within 1…60 s; then, for
 * names without a dot and `.local`, the system. One query a name at a time. Failures are not kept:
 * a recheck comes within milliseconds, and must not confirm a failure by the very same answer.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const now = options.now ?? (() => performance.now());
  const fromHosts = openHostsFile(options.hostsFile ?? SYSTEM_HOSTS_FILE, now);
  const queryDns = createDnsQuery(options.servers, options.tryTimeoutMs);
  const cache = new Map<string, Entry>();

  const find = async (host: string): Promise<Found> => {
    const { addresses, ttlSeconds, failure } = await queryDns(host);
    const keptMs = Math.min(Math.max(ttlSeconds * 1000, KEPT_LEAST_MS), KEPT_MOST_MS);
    if (failure === null) return { addresses, keptMs };
    if (host.includes(".") && !host.endsWith(".local")) throw new ResolveError(failure, host);
    const found = await (options.systemLookup ?? askSystem)(host).catch(() => []);
    if (found.length === 0) throw new ResolveError(failure, host);
    return { addresses: found, keptMs: KEPT_LEAST_MS };
  };

  const ask = (host: string): Promise<readonly ResolvedAddress[]> => {
    const found = find(host);
    const answer = found.then(({ addresses }) => addresses);
    const entry: Entry = { answer, freshUntil: Number.POSITIVE_INFINITY };
    if (cache.size >= NAMES_KEPT) cache.delete(cache.keys().next().value as string);
    cache.delete(host);
    cache.set(host, entry);
    found.then(
      ({ keptMs }) => (entry.freshUntil = now() + keptMs),
      () => (entry.freshUntil = Number.NEGATIVE_INFINITY),
    );
    return answer;
  };

  return {
    resolve(name, signal) {
      const host = (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
      const known = localAnswer(host, fromHosts);
      if (known !== null) return Promise.resolve(known);
      const entry = cache.get(host);
      const answer = entry !== undefined && now() < entry.freshUntil ? entry.answer : ask(host);
      return signal === undefined ? answer : unlessAborted(answer, signal);
    },
  };
}

/** Literals, `localhost` (loopback whatever the files and the DNS say, RFC 6761 §6.3) and the hosts file. */
function localAnswer(
  host: string,
  fromHosts: (name: string) => ResolvedAddress[] | undefined,
): readonly ResolvedAddress[] | null {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  if (host === "localhost" || host.endsWith(".localhost")) {
    const own = fromHosts(host)?.filter(({ address }) => address.startsWith("127.") || address === "::1");
    return own !== undefined && own.length > 0 ? own : LOOPBACK;
  }
  return fromHosts(host) ?? null;
}

/** The shared query goes on for the others; only this caller stops waiting. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
