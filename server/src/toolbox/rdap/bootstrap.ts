import ipaddr from "ipaddr.js";
import type { RdapQuestion } from "./question.ts";

/** A list of IANA's: which servers answer for which names, networks or AS numbers (RFC 9224 §3). */
export interface Bootstrap {
  publication: string;
  services: readonly (readonly [entries: readonly string[], urls: readonly string[]])[];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isService = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((each) => isTexts(each));

/** A list from its JSON; null for what is none. */
export function readBootstrap(json: string): Bootstrap | null {
  try {
    const { publication, services } = JSON.parse(json) as Record<string, unknown>;
    const isDated = typeof publication === "string" && !Number.isNaN(Date.parse(publication));
    const isList = Array.isArray(services) && services.length > 0 && services.every(isService);
    return isDated && isList ? { publication, services } : null;
  } catch {
    return null;
  }
}

/** The servers that answer a question, those with HTTPS first; none where the list names none. */
export function serversFor({ services }: Bootstrap, { kind, name }: RdapQuestion): string[] {
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
} satisfies Record<RdapQuestion["kind"], (entry: string, name: string) => number>;
