import type { FastifyReply, FastifyRequest } from "fastify";
import { isForEverybody } from "../../../page/access/admit.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import type { PageLogo } from "../../../store/queries/page-logos.ts";

const YEAR_SECONDS = 31_536_000;
const SECONDS = 15;
/** An SVG from somebody must stay a picture, also for whoever opens its address. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Sends a page's logo; one that is asked for by its hash never changes. */
export function sendLogo(kept: KeptPage, logo: PageLogo, request: FastifyRequest, reply: FastifyReply) {
  const { v } = request.query as { v?: unknown };
  const seconds = v === logo.hash ? `${YEAR_SECONDS}, immutable` : String(SECONDS);
  const etag = `"${logo.hash}"`;
  const isOpen = isForEverybody(kept.page);
  reply.headers({
    "cache-control": isOpen ? `public, max-age=${seconds}` : "private, no-store",
    "content-security-policy": POLICY,
    "cross-origin-resource-policy": isOpen ? "cross-origin" : "same-origin",
    etag,
  });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.status(304).send();
  return reply.type(logo.contentType).send(Buffer.from(logo.data));
}
