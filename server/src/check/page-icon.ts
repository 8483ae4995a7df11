import { Parser } from "htmlparser2";
import { bodyText, metaCharset } from "./charset.ts";

interface Candidate {
  url: string;
  rank: number;
}

const CANDIDATES_MOST = 10;
/** The size, in pixels, that a list of domains looks best with. */
const BEST_SIZE = 64;

/**
 * Addresses where a page's icon may be had, best first: its `link` elements (those of about 64 pixels
 * and vectors before others, touch icons last), then /favicon.ico. Only http(s). Never throws.
 */
export function iconCandidates(body: Buffer, baseUrl: string): string[] {
  let base = URL.parse(baseUrl);
  if (base === null) return [];
  const found: Candidate[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "base" && attributes.href) base = URL.parse(attributes.href, baseUrl) ?? base;
      if (name !== "link") return;
      const rank = rankOf(attributes);
      const url = rank === null ? null : URL.parse(attributes.href ?? "", base ?? undefined);
      if (rank !== null && url !== null && /^https?:$/.test(url.protocol))
        found.push({ url: url.href, rank });
    },
  });
  parser.end(bodyText(body, undefined, metaCharset(body)));
  const ordered = found.sort((a, b) => a.rank - b.rank).map(({ url }) => url);
  return [...new Set([...ordered.slice(0, CANDIDATES_MOST), new URL("/favicon.ico", baseUrl).href])];
}

/** Smaller is better; null for a link that is no icon. */
function rankOf({ rel = "", sizes = "", type = "", href = "" }: Record<string, string>): number | null {
  if (href === "") return null;
  const kinds = rel.toLowerCase().split(/\s+/);
  const touch = kinds.includes("apple-touch-icon") || kinds.includes("apple-touch-icon-precomposed");
  if (!touch && !kinds.includes("icon")) return null;
  if (sizes.toLowerCase() === "any" || type.includes("svg")) return touch ? 999 : -1;
  const misses = Array.from(sizes.matchAll(/(\d+)x\d+/gi), ([, width]) =>
    Math.abs(Number(width) - BEST_SIZE),
  );
  return (touch ? 1000 : 0) + (misses.length === 0 ? 500 : Math.min(...misses));
}
