import { bodyText } from "../check/charset.ts";
import { readHtml } from "./html.ts";

interface Candidate {
  url: string;
  rank: number;
}

const MAX_CANDIDATES = 10;
/** How many of a page's icons are considered, in the page's own order. */
const MAX_LINKS = 100;
/** Of an address in a page; the same as for a domain's. */
const MAX_ADDRESS_LENGTH = 2048;
/** Of `rel` and `sizes`: longer than any icon's. */
const MAX_LIST_LENGTH = 1000;
/** The size in pixels that suits a list of domains best. */
const BEST_SIZE = 64;
/** How far off a missing or malformed size counts as being. */
const UNKNOWN_SIZE = 500;

/**
 * Addresses where a page's icon may be found, best first: its `link` elements (those of about 64 pixels and vectors
 * before others, touch icons last), then /favicon.ico. Only http(s). Never throws.
 */
export function iconCandidates(body: Buffer, baseUrl: string, contentType?: string): string[] {
  const page = URL.parse(baseUrl);
  if (page === null) return [];
  let base: URL | null = null;
  const found: Candidate[] = [];
  readHtml(bodyText(body, contentType), {
    onOpen(name, attributes) {
      // The first one counts (HTML standard).
      if (name === "base" && attributes.href) base ??= addressOf(attributes.href, page);
      if (name !== "link") return;
      const rank = rankOf(attributes);
      const url = rank === null ? null : addressOf(attributes.href ?? "", base ?? page);
      if (rank !== null && url !== null && /^https?:$/.test(url.protocol))
        found.push({ url: url.href, rank });
      return found.length >= MAX_LINKS;
    },
  });
  const ordered = found.sort((a, b) => a.rank - b.rank).map(({ url }) => url);
  return [...new Set([...ordered.slice(0, MAX_CANDIDATES), new URL("/favicon.ico", page).href])];
}

const addressOf = (href: string, base: URL): URL | null =>
  href.length > MAX_ADDRESS_LENGTH ? null : URL.parse(href, base);

/** Smaller is better; null for a link that is not an icon. */
function rankOf({ rel = "", sizes = "", type = "", href = "" }: Record<string, string>): number | null {
  if (href === "") return null;
  const kinds = rel.slice(0, MAX_LIST_LENGTH).toLowerCase().split(/\s+/);
  const touch = kinds.includes("apple-touch-icon") || kinds.includes("apple-touch-icon-precomposed");
  if (!touch && !kinds.includes("icon")) return null;
  if (sizes.toLowerCase() === "any" || type.includes("svg")) return touch ? 999 : -1;
  const misses = sizes.slice(0, MAX_LIST_LENGTH).split(/\s+/).map(missOf);
  return (touch ? 1000 : 0) + Math.min(...misses);
}

/** How far a size such as `32x32` is from the best one. */
function missOf(size: string): number {
  const width = /^(\d{1,5})x\d{1,5}$/i.exec(size)?.[1];
  return width === undefined ? UNKNOWN_SIZE : Math.min(Math.abs(Number(width) - BEST_SIZE), UNKNOWN_SIZE);
}
