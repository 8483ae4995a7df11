import { Parser } from "htmlparser2";
import { bodyText } from "../contains-text.ts";
import type { StopSignal } from "../deadline.ts";
import type { Network } from "../network.ts";
import { fetchPage, type Page, PageError } from "./page.ts";
import { pictureType, svgExpansion } from "./picture-type.ts";

export interface PageTitle {
  /** Null when the page has none. */
  title: string | null;
  /** Where the redirects ended. */
  url: string;
}

export interface Picture {
  contentType: string;
  data: Uint8Array;
}

/** What a page may cost: enough for any `<head>`, not for a film. */
const MAX_BYTES = 512 * 1024;
const PAGE_MS = 10_000;
/** For the page, and for all pictures tried. */
const ICON_MS = 20_000;
const CANDIDATES_TRIED = 4;

/** The title of the page at an address. Throws PageError when it cannot be read. */
export async function searchTitle(url: string, network: Network, signal: StopSignal): Promise<PageTitle> {
  const options = { maxBytes: MAX_BYTES, timeoutMs: PAGE_MS, accept: "text/html", signal };
  const page = await fetchPage(url, network, options);
  return { title: pageTitle(page.body, page.headers.get("content-type") ?? ""), url: page.url };
}

/** The icon of the site at an address: of its link tags, then /favicon.ico; null when it has none. */
export async function searchIcon(url: string, network: Network, signal: StopSignal): Promise<Picture | null> {
  const endsAt = performance.now() + ICON_MS;
  const fetchAs = async (accept: string, address: string): Promise<Page | null> => {
    const timeoutMs = Math.min(PAGE_MS, endsAt - performance.now());
    if (timeoutMs <= 0 || signal.isStopped) return null;
    const options = { maxBytes: MAX_BYTES, timeoutMs, accept, signal };
    return fetchPage(address, network, options).catch((error: unknown) => {
      if (error instanceof PageError) return null;
      throw error;
    });
  };
  const page = await fetchAs("text/html", url);
  // A page that cannot be read may still have an icon at the usual place.
  const candidates = page
    ? iconCandidates(page.body, page.url, page.headers.get("content-type"))
    : [new URL("/favicon.ico", url).href];
  for (const candidate of candidates.slice(0, CANDIDATES_TRIED)) {
    const picture = await fetchAs("image/*", candidate);
    const contentType = picture?.statusCode === 200 ? pictureType(picture.body) : null;
    const isSvg = contentType === "image/svg+xml";
    if (picture && contentType && !(isSvg && svgExpansion(picture.body.toString("utf8")) !== null))
      return { contentType, data: picture.body };
  }
  return null;
}

const MAX_TITLE_LENGTH = 300;
/** How much of a title is looked at: white space in it is collapsed before it is cut. */
const MAX_READ_LENGTH = 4096;

/**
 * `title`, else `og:title`; decoded, white space collapsed, at most 300 characters. Null: none, or not HTML.
 * Never throws.
 */
export function pageTitle(body: Buffer, contentType: string | undefined): string | null {
  if (contentType !== undefined && !/html|xml/i.test(contentType)) return null;
  let title = "";
  let openGraph = "";
  let inside = false;
  let hasText = false;
  let foreign = 0;
  readHtml(bodyText(body, contentType), {
    onOpen(name, attributes) {
      // An icon drawn into the page has a title of its own.
      if (name === "svg" || name === "math") foreign++;
      else if (name === "title" && foreign === 0) inside = true;
      else if (name === "meta" && openGraph === "") openGraph = openGraphTitle(attributes);
    },
    onText(text) {
      if (!inside) return;
      hasText ||= text.trim() !== "";
      if (hasText && title.length < MAX_READ_LENGTH) title += text;
    },
    onClose(name) {
      if (name === "svg" || name === "math") foreign = Math.max(0, foreign - 1);
      if (name !== "title" || !inside) return;
      inside = false;
      return hasText;
    },
  });
  return tidy(title) ?? tidy(openGraph);
}

function openGraphTitle(attributes: Record<string, string>): string {
  const name = (attributes.property ?? attributes.name ?? "").toLowerCase();
  return name === "og:title" ? (attributes.content ?? "") : "";
}

function tidy(text: string): string | null {
  const line = text
    .slice(0, MAX_READ_LENGTH)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line === "") return null;
  const letters = Array.from(line);
  return letters.length <= MAX_TITLE_LENGTH ? line : `${letters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
}

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
 * Best first: `link` elements (about 64 pixels and vectors first, touch icons last), then /favicon.ico. Only
 * http(s). Never throws.
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

/** Receives a page's elements, with names in lower case. */
interface HtmlHandler {
  /** True: nothing more is wanted. */
  onOpen(name: string, attributes: Record<string, string>): boolean | void;
  onText?(text: string): void;
  onClose?(name: string): boolean | void;
}

/**
 * As in browsers: for each end tag the parser searches all open elements, which takes minutes for half a
 * megabyte of unmatched ones.
 */
const MAX_DEPTH = 512;

/** Reads HTML, however broken, in time that grows with its length. Never throws. */
function readHtml(html: string, handler: HtmlHandler): void {
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      if (handler.onOpen(name, attributes) === true || depth > MAX_DEPTH) parser.pause();
    },
    ontext: (text) => handler.onText?.(text),
    onclosetag(name) {
      depth--;
      if (handler.onClose?.(name) === true) parser.pause();
    },
  });
  parser.end(html);
}
