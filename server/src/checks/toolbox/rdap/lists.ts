import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { parse } from "tldts";
import { msg } from "../../../platform/i18n/message.ts";
import { isPublicAddress } from "../../guard.ts";
import type { Network } from "../../network.ts";
import { fetchPage } from "../../site/page.ts";
import { stopSignalOf, type ToolEnvironment, ToolError } from "../tool.ts";

/** What a registry is queried for (RFC 9082 §3.1). `name` is as registries write it. */
export interface RdapQuery {
  kind: "domain" | "ip" | "as";
  name: string;
}

const AS_NUMBER = /^as ?(\d{1,10})$/i;
const MAX_AS = 0xffff_ffff;

/**
 * Reads a query for a domain, an address or an AS number: of a longer name, its registrable part.
 * Throws ToolError for what no registry knows: an address that is not public, a name under no public suffix.
 */
export function parseRdapQuery(typed: string): RdapQuery {
  const text = typed.trim();
  const [, digits] = AS_NUMBER.exec(text) ?? [];
  if (digits !== undefined) {
    if (Number(digits) < 1 || Number(digits) > MAX_AS) throw new ToolError(msg("tool.rdap_query"), "query");
    return { kind: "as", name: String(Number(digits)) };
  }
  const address = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) !== 0) {
    const name = ipaddr.process(address.split("%", 1)[0] as string).toString();
    if (!isPublicAddress(name)) throw new ToolError(msg("tool.ip_not_public", { address: name }), "query");
    return { kind: "ip", name };
  }
  const { domain, isIcann } = parse(text, { allowPrivateDomains: false });
  const name = domain === null ? "" : domainToASCII(domain);
  if (name === "" || !isIcann) throw new ToolError(msg("tool.rdap_query"), "query");
  return { kind: "domain", name };
}

/**
 * How registries are reached. They are public, and a redirect from one to an address inside is an attack; only
 * an operator who names lists of their own may have registries inside.
 */
export const networkOfRegistries = ({ network, sources }: ToolEnvironment): Network =>
  sources.rdapBootstrap === null ? { ...network, policy: "public" } : network;

/** A list of IANA's: which servers answer for which names, networks or AS numbers (RFC 9224 §3). */
interface Bootstrap {
  publication: string;
  services: readonly (readonly [entries: readonly string[], urls: readonly string[]])[];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isService = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((each) => isTexts(each));

/** A list from its JSON; null for what is none. */
function readBootstrap(json: string): Bootstrap | null {
  try {
    const { publication, services } = JSON.parse(json) as Record<string, unknown>;
    const isDated = typeof publication === "string" && !Number.isNaN(Date.parse(publication));
    const isList = Array.isArray(services) && services.length > 0 && services.every(isService);
    return isDated && isList ? { publication, services } : null;
  } catch {
    return null;
  }
}

/** The servers that answer a query, those with HTTPS first; none where the list names none. */
export function serversFor({ services }: Bootstrap, { kind, name }: RdapQuery): string[] {
  const fitOf = FITS[kind];
  let best: { fit: number; urls: readonly string[] } = { fit: 0, urls: [] };
  for (const [entries, urls] of services) {
    for (const entry of entries) {
      const fit = fitOf(entry, name);
      if (fit > best.fit) best = { fit, urls };
    }
  }
  const isSecure = (url: string) => (url.startsWith("https://") ? 0 : 1);
  return best.urls
    .filter((url) => /^https?:\/\//.test(url))
    .toSorted((a, b) => isSecure(a) - isSecure(b))
    .map((url) => (url.endsWith("/") ? url : `${url}/`));
}

/** How well an entry of a list fits a name: the longest match is the right one; 0: not at all. */
const FITS = {
  domain: (entry: string, name: string) => {
    const suffix = entry.toLowerCase();
    return name === suffix || name.endsWith(`.${suffix}`) ? suffix.length + 1 : 0;
  },
  ip: (entry: string, name: string) => {
    const [network = "", bits = ""] = entry.split("/");
    if (!ipaddr.isValid(network) || !/^\d{1,3}$/.test(bits)) return 0;
    const [address, range] = [ipaddr.parse(name), ipaddr.parse(network)];
    const isInside = address.kind() === range.kind() && address.match(range, Number(bits));
    return isInside ? Number(bits) + 1 : 0;
  },
  as: (entry: string, name: string) => {
    const [from = 0, to = from] = entry.split("-").map(Number);
    return Number(name) >= from && Number(name) <= to ? 1 / (to - from + 1) : 0;
  },
} satisfies Record<RdapQuery["kind"], (entry: string, name: string) => number>;

const IANA = "https://data.iana.org/rdap";
const LIST_NAMES = { domain: ["dns"], as: ["asn"], ip: ["ipv4", "ipv6"] } as const;
type ListName = (typeof LIST_NAMES)[RdapQuery["kind"]][number];

/** IANA changes a list every few days. */
const FRESH_MS = 86_400_000;
/** Where it does not answer, as in a network without a way out, it is not requested for each query. */
const RETRY_MS = 3_600_000;
/** No query waits longer than this for a list newer than the one that is there. */
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 1_048_576;

interface CachedList {
  list: Bootstrap;
  /** When IANA is requested again; `Date.now`. */
  againMs: number;
}

/** By where they were read, and their names. */
const lists = new Map<string, CachedList>();

/** IANA's list for a query: as it was read within a day, or else the newest that is here. Rejects with the signal's reason only. */
export async function listFor({ kind, name }: RdapQuery, environment: ToolEnvironment): Promise<Bootstrap> {
  const [first, second = first] = LIST_NAMES[kind];
  const list = kind === "ip" && name.includes(":") ? second : first;
  const key = `${environment.sources.rdapBootstrap ?? IANA}/${list}.json`;
  const known = lists.get(key);
  const leftMs = known === undefined ? 0 : known.againMs - Date.now();
  if (known !== undefined && leftMs > 0 && leftMs <= FRESH_MS) return known.list;
  const fresh = await readList(key, list, environment, known?.list);
  // What was given up says nothing of IANA, and is not cached.
  environment.signal.throwIfAborted();
  lists.set(key, fresh);
  return fresh.list;
}

async function readList(
  url: string,
  name: ListName,
  environment: ToolEnvironment,
  known: Bootstrap | undefined,
): Promise<CachedList> {
  const folder = environment.sources.rdapBootstrap === null ? environment.sources.dataFolder : null;
  const stored = folder === null ? null : await readStored(folder, name);
  if (stored !== null && Date.now() < stored.againMs) return stored;
  const read = await fetchList(url, environment);
  if (read !== null) {
    if (folder !== null) await store(folder, name, read);
    return { list: read, againMs: Date.now() + FRESH_MS };
  }
  const shipped = await readShipped(name);
  const [newest] = [stored?.list, known, shipped]
    .filter((list) => list !== undefined)
    .toSorted((a, b) => Date.parse(b.publication) - Date.parse(a.publication));
  return { list: newest ?? shipped, againMs: Date.now() + RETRY_MS };
}

/** As IANA has it now; null when it does not answer, or with something else. */
async function fetchList(url: string, environment: ToolEnvironment): Promise<Bootstrap | null> {
  try {
    const { statusCode, body, cut } = await fetchPage(url, networkOfRegistries(environment), {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      accept: "application/json",
      purpose: "RDAP",
      signal: stopSignalOf(environment.signal),
    });
    return statusCode === 200 && !cut ? readBootstrap(body.toString("utf8")) : null;
  } catch {
    return null;
  }
}

/** The list that came with this version. */
async function readShipped(name: ListName): Promise<Bootstrap> {
  const text = await readFile(join(import.meta.dirname, "snapshot.json"), "utf8");
  return (JSON.parse(text) as Record<ListName, Bootstrap>)[name];
}

const fileOf = (folder: string, name: ListName) => join(folder, "rdap", `${name}.json`);

async function readStored(folder: string, name: ListName): Promise<CachedList | null> {
  try {
    const file = fileOf(folder, name);
    const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    const list = readBootstrap(text);
    // What was stored by a clock that was ahead is no newer than it says.
    return list && { list, againMs: mtimeMs > Date.now() ? 0 : mtimeMs + FRESH_MS };
  } catch {
    return null;
  }
}

/** Where the folder can be written to; a concurrent reader sees a whole one. */
async function store(folder: string, name: ListName, list: Bootstrap): Promise<void> {
  const file = fileOf(folder, name);
  const draft = `${file}.${randomUUID()}`;
  try {
    if (!(await stat(folder)).isDirectory()) return;
    await mkdir(join(folder, "rdap"), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(list), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // It is read again with the next thread.
  }
}
