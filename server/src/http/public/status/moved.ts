import type { FastifyReply, FastifyRequest } from "fastify";
import { isForEverybody } from "../../../page/access/admit.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { isOnPagesHost } from "./front.ts";

/** What stands before a path in requests that are meant for a proxy. */
const HOST = /^https?:\/\/.*?(?=\/)/i;
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
  // As the route has it: a request can spell this in other ways, and name another host.
  const [before = ""] = request.routeOptions.url?.split(":slug") ?? [];
  const [own = "", ...below] = request.url
    .replace(HOST, "")
    .split("/")
    .slice(before.split("/").length - 1);
  return [before + page.slug + own.replace(/^[^?#]*/, ""), ...below].join("/");
}

/** The page's own address, where somebody has put a slash behind it; else null. */
export function withoutSlash({ page }: KeptPage, request: FastifyRequest): string | null {
  const { slug, "*": below } = request.params as { slug: string; "*"?: string };
  if (below !== "" || page.slug !== slug || isOnPagesHost(request.raw)) return null;
  return `/status/${slug}${/\?[^#]*/.exec(request.url)?.[0] ?? ""}`;
}

/** Has the reply lead there (308), whatever is sent with it. */
export const leadOn = (reply: FastifyReply, { page }: KeptPage, address: string): FastifyReply =>
  reply
    .status(308)
    .headers({ ...(isForEverybody(page) ? OPEN : CLOSED), location: address })
    .removeHeader("content-type");
