import type { FastifyReply, FastifyRequest } from "fastify";
import { isForEverybody } from "../../../page/access/admit.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { isOnPagesHost } from "./front.ts";

/** What of an address stands before and after a page's slug, for people and for programs. */
const ADDRESS = /^(.*?\/status(?:-pages)?\/)[^/?]*(.*)$/;
/** A former slug may be another page's one day. */
const OPEN = {
  "cache-control": "public, max-age=15",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};
const CLOSED = { "cache-control": "private, no-store", "x-robots-tag": "noindex" };

/** Where a visitor who may see the page finds what they ask for, if that is at a slug which it had before; else null. */
export function presentAddress({ page }: KeptPage, request: FastifyRequest): string | null {
  const { slug } = request.params as { slug: string };
  // A host of the page's own has no slug in its addresses.
  if (page.slug === slug || isOnPagesHost(request.raw)) return null;
  return request.url.replace(ADDRESS, `$1${page.slug}$2`);
}

/** Has the reply lead there (308), whatever is sent with it. */
export const leadOn = (reply: FastifyReply, { page }: KeptPage, address: string): FastifyReply =>
  reply
    .status(308)
    .headers({ ...(isForEverybody(page) ? OPEN : CLOSED), location: address })
    .removeHeader("content-type");
