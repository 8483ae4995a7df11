import type { StopSignal } from "../check/deadline.ts";
import type { Network } from "../check/network.ts";
import { fetchPage, type Page, PageError } from "./page.ts";
import { iconCandidates } from "./page-icon.ts";
import { pageTitle } from "./page-title.ts";
import { pictureType } from "./picture-type.ts";
import { svgExpansion } from "./svg-cost.ts";

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
