import dgram from "node:dgram";
import dns from "node:dns";
import { readFileSync, statSync } from "node:fs";
import net, { isIP } from "node:net";
import { hostname } from "node:os";
import {
  type DnsQueryMessage,
  type DnsType,
  EDNS_REFUSALS,
  encodeDnsQuery,
  hasId,
  isDnsName,
  MAX_ANSWER_BYTES,
  MAX_DATAGRAM_BYTES,
  MAX_UNFIT,
  type NameServerAnswer,
  readMessage,
  type ServerPlace,
  serverPlace,
  withLength,
} from "./dns-message.ts";
import type { TargetPolicy } from "./guard.ts";

/** Where most systems say which name servers to query (resolv.conf(5)). */
const SYSTEM_RESOLV_CONF = "/etc/resolv.conf";
/** Where systemd-resolved's local stub listens, and where it lists the name servers that it queries itself. */
const STUB = "127.0.0.53";
const STUB_RESOLV_CONF = "/run/systemd/resolve/resolv.conf";

export interface ResolvConf {
  /** `address`, or `address:port` and `[address]:port`. */
  servers: readonly string[];
  /** Domains to complete names with, in their order, without a final dot; `` is the root. */
  search: readonly string[];
  /** A name with this many dots is tried as it is before it is completed. */
  ndots: number;
  /** How long the first try waits for a server, and how often each is tried; null: nothing is said. */
  timeoutMs: number | null;
  attempts: number | null;
  /** Lookups begin with each server in turn. */
  rotate: boolean;
}

const DEFAULT_NDOTS = 1;
/** As in glibc, which also completes by at least as many domains. */
const MAX_NDOTS = 15;
const MAX_TIMEOUT_SECONDS = 30;
const MAX_ATTEMPTS = 5;
const MAX_SEARCH_DOMAINS = 32;
/** The rest of a line is ignored. */
const MAX_WORDS = 1_000;

/** Invalid lines are skipped. The last `search` or `domain` line counts; without any, the domain of `hostname`. */
export function parseResolvConf(text: string, hostname = ""): ResolvConf {
  const servers: string[] = [];
  let search = hostname.split(".").length > 1 ? [hostname.slice(hostname.indexOf(".") + 1)] : [];
  const options: string[] = [];
  for (const line of text.split("\n")) {
    const [keyword, ...values] = line.trim().split(/[ \t]+/, MAX_WORDS);
    const [first = ""] = values;
    if (keyword === "nameserver" && isServer(first)) servers.push(first);
    if (keyword === "search") search = values;
    if (keyword === "domain") search = [first];
    if (keyword === "options") options.push(...values);
  }
  const domains = search.filter((domain) => domain === "." || DOMAIN.test(domain));
  return {
    servers,
    search: domains.slice(0, MAX_SEARCH_DOMAINS).map((domain) => domain.replace(/\.$/, "").toLowerCase()),
    ...readOptions(options),
  };
}

type Options = Pick<ResolvConf, "ndots" | "timeoutMs" | "attempts" | "rotate">;

/** Of several options of a name the last one counts. */
function readOptions(options: readonly string[]): Options {
  const numberOf = (name: string): number | undefined => {
    const pattern = new RegExp(`^${name}:(\\d{1,3})`);
    return options.flatMap((option) => pattern.exec(option)?.slice(1).map(Number) ?? []).at(-1);
  };
  const [timeout = 0, attempts = 0] = [numberOf("timeout"), numberOf("attempts")];
  return {
    ndots: Math.min(numberOf("ndots") ?? DEFAULT_NDOTS, MAX_NDOTS),
    timeoutMs: timeout === 0 ? null : Math.min(timeout, MAX_TIMEOUT_SECONDS) * 1000,
    attempts: attempts === 0 ? null : Math.min(attempts, MAX_ATTEMPTS),
    rotate: options.includes("rotate"),
  };
}

const DOMAIN = /^[\w-]{1,63}(?:\.[\w-]{1,63}){0,126}\.?$/;

const isServer = (server: string) => isIP(server.replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3")) !== 0;

/**
 * In glibc's order: one that ends in a dot only as it is; others completed with each domain, and as they are,
 * first if they have enough dots. For `public` targets a name with a dot is complete: one that is gone must
 * not lead to a wildcard of the machine's own domains.
 */
export function searchNames(
  host: string,
  { search, ndots }: Pick<ResolvConf, "search" | "ndots">,
  policy: TargetPolicy = "all",
): string[] {
  if (host.endsWith(".")) return [host.slice(0, -1)];
  if (policy === "public" && host.includes(".")) return [host];
  const completed = search.map((domain) => (domain === "" ? host : `${host}.${domain}`));
  const isAsItIsFirst = host.split(".").length - 1 >= ndots;
  return [...new Set(isAsItIsFirst ? [host, ...completed] : [...completed, host])];
}

/**
 * By the configured name servers, which complete nothing, or as the system's file says, followed as it
 * changes (DHCP, a VPN). The same object while nothing changes; no servers where the system keeps them
 * elsewhere.
 */
export function followResolvConf(
  configured: readonly string[],
  {
    resolvConf = SYSTEM_RESOLV_CONF,
    now = () => performance.now(),
  }: { resolvConf?: string | undefined; now?: () => number },
): () => ResolvConf {
  const own: ResolvConf = { ...parseResolvConf(""), servers: configured };
  return configured.length > 0
    ? () => own
    : followFile(resolvConf, (text) => parseResolvConf(text, hostname()), now);
}

/**
 * Whose answers come over the network: as `followResolvConf`, the system's list where that knows none. Those
 * behind systemd's stub take its place: it answers from its cache.
 */
export function followNameServersInUse(
  configured: readonly string[],
  {
    resolvConf,
    stubResolvConf = STUB_RESOLV_CONF,
  }: { resolvConf?: string | undefined; stubResolvConf?: string | undefined },
): () => readonly string[] {
  const conf = followResolvConf(configured, { resolvConf });
  const listed = () => conf().servers;
  const stub = followFile(
    stubResolvConf,
    (text) => parseResolvConf(text),
    () => performance.now(),
  );
  const behindStub = () => stub().servers;
  return () => {
    const servers = listed().length > 0 ? listed() : new dns.Resolver().getServers();
    const isStub = configured.length === 0 && servers.join() === STUB;
    return isStub && behindStub().length > 0 ? behindStub() : servers;
  };
}

/** How often, at most, a file is checked for changes. */
const LOOK_MS = 1_000;

/**
 * The same object while the file is the same. Checked at most once a second of `now` (milliseconds), when
 * needed. A file that cannot be read counts as empty.
 */
export function followFile<T>(path: string, parse: (text: string) => T, now: () => number): () => T {
  const empty = parse("");
  let content = empty;
  let version = "";
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const current = stats === undefined ? "" : `${stats.mtimeMs}/${stats.size}/${stats.ino}`;
    if (current === version) return;
    content = current === "" ? empty : parse(readFileSync(path, "utf8"));
    version = current;
  };
  return () => {
    const at = now();
    if (at - lookedAtMs < LOOK_MS) return content;
    lookedAtMs = at;
    try {
      look();
    } catch {
      content = empty;
      version = "";
    }
    return content;
  };
}

export type ServerFailure = "timeout" | "servfail" | "refused";

/** What a name server says: an answer to the query, which is that there are records or none, or no answer. */
export type ServerReply = { answer: NameServerAnswer } | { failure: ServerFailure };

type Exchanged = ServerReply | "cut";

/**
 * Over UDP, TCP where the answer is too long, and without EDNS where that is refused. Each exchange takes
 * `timeoutMs` at most. Never rejects.
 */
async function queryNameServer(
  server: ServerPlace,
  query: DnsQueryMessage,
  timeoutMs: number,
): Promise<ServerReply> {
  const overUdp = await exchangeOverUdp(server, query, timeoutMs);
  const reply = overUdp === "cut" ? await exchangeOverTcp(server, query, timeoutMs) : overUdp;
  if (!("answer" in reply)) return reply;
  const { rcode } = reply.answer;
  if (query.plain !== null && EDNS_REFUSALS.has(rcode))
    return queryNameServer(server, query.plain, timeoutMs);
  if (rcode === "NOERROR" || rcode === "NXDOMAIN") return reply;
  return { failure: rcode === "REFUSED" ? "refused" : "servfail" };
}

/** Where these name servers are; without any, those of the system as it is now. */
export const placesOf = (servers: readonly string[]): ServerPlace[] =>
  (servers.length > 0 ? servers : new dns.Resolver().getServers()).flatMap((one) => serverPlace(one) ?? []);

/**
 * One after the other until one answers. `roundsMs`: time for each, by round. `noteSilence` receives servers
 * that did not answer in time.
 */
export async function queryServersInTurn(
  servers: readonly ServerPlace[],
  query: DnsQueryMessage,
  roundsMs: readonly number[],
  noteSilence: (server: ServerPlace) => void = () => {},
): Promise<ServerReply> {
  let reply: ServerReply = { failure: "refused" };
  for (const timeoutMs of roundsMs) {
    for (const server of servers) {
      reply = await queryNameServer(server, query, timeoutMs);
      if ("answer" in reply) return reply;
      if (reply.failure === "timeout") noteSilence(server);
    }
  }
  return reply;
}

/** Records of this type to which the name's aliases lead. Null: no reliable answer. */
export async function lookUpRecords(
  servers: readonly string[],
  { name, type }: { name: string; type: DnsType },
  roundsMs: readonly number[],
): Promise<NameServerAnswer | null> {
  if (!isDnsName(name)) return { rcode: "NXDOMAIN", isVerified: false, records: [], strayNames: [] };
  const reply = await queryServersInTurn(placesOf(servers), encodeDnsQuery(name, type), roundsMs);
  return "answer" in reply ? reply.answer : null;
}

/** A socket of its own for each query, so that its port is not to be guessed, and connected, so that nothing from another host is received. */
function exchangeOverUdp(
  { address, family, port }: ServerPlace,
  query: DnsQueryMessage,
  timeoutMs: number,
): Promise<Exchanged> {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const socket = dgram.createSocket({
    type: family === 6 ? "udp6" : "udp4",
    // Called for the address to bind to as well. There are no names.
    lookup: (literal, _options, found) => found(null, literal, family),
  });
  let isOver = false;
  let unfit = 0;
  const end = (reply: Exchanged) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    socket.close();
    resolve(reply);
  };
  const timer = setTimeout(end, timeoutMs, { failure: "timeout" });
  socket.on("error", () => end({ failure: "refused" }));
  socket.on("message", (bytes) => {
    if (isOver || !hasId(bytes, query) || bytes.length > MAX_DATAGRAM_BYTES || unfit >= MAX_UNFIT) return;
    const reply = replyIn(bytes, query);
    if (reply === null) unfit += 1;
    else end(reply);
  });
  socket.once("connect", () => socket.send(query.bytes));
  socket.connect(port, address);
  return promise;
}

function exchangeOverTcp(
  { address, port }: ServerPlace,
  query: DnsQueryMessage,
  timeoutMs: number,
): Promise<ServerReply> {
  const { promise, resolve } = Promise.withResolvers<ServerReply>();
  const socket = net.connect({ host: address, port });
  let received = Buffer.alloc(0);
  const end = (reply: ServerReply) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(reply);
  };
  const timer = setTimeout(end, timeoutMs, { failure: "timeout" });
  socket.on("error", () => end({ failure: "refused" }));
  socket.on("close", () => end({ failure: "servfail" }));
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const size = received.length < 2 ? 0 : received.readUInt16BE();
    if (size > MAX_ANSWER_BYTES) return end({ failure: "servfail" });
    if (received.length < 2 || received.length < 2 + size) return;
    const reply = replyIn(received.subarray(2, 2 + size), query);
    end(reply === null || reply === "cut" ? { failure: "servfail" } : reply);
  });
  socket.write(withLength(query));
  return promise;
}

/** Null: it does not answer this query. */
function replyIn(bytes: Buffer, query: DnsQueryMessage): Exchanged | null {
  const message = readMessage(bytes, query);
  if (message.kind === "answer") return { answer: message.answer };
  if (message.kind === "broken") return { failure: "servfail" };
  return message.kind === "cut" ? "cut" : null;
}
