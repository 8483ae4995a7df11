import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.ts";
import { authenticate, cookieAttributes } from "../../platform/http/authenticate.ts";
import { ENTRY_MS, entryToken, type PageVisitor } from "../access/admit.ts";
import type { StatusPage } from "../queries/status-pages.ts";

const BASIC = /^Basic +([A-Za-z0-9+/]{1,2000}={0,2})$/i;

/** `slug`: present or former. */
export function pageVisitor(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  slug: string,
): PageVisitor {
  return {
    address: request.ip,
    signedIn: () => authenticate(ctx, request, reply),
    entry: request.cookies[cookieOf(slug)],
    password: passwordIn(request.headers.authorization),
    guesses: (present) => guessesAt(request, reply, present),
  };
}

/** Like guesses at accounts, but by address alone: a page has no e-mail. */
export const guessesAt = (request: FastifyRequest, reply: FastifyReply, slug: string) =>
  request.server.guessLimits({
    request,
    reply,
    email: `status page ${slug}`,
    isShared: true,
    deviceId: null,
  });

/** HTTP Basic (RFC 7617), with any user name. */
function passwordIn(header: string | undefined): string | undefined {
  const [, encoded] = BASIC.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  return pair.slice(pair.indexOf(":") + 1);
}

/** Valid for a week below `path`: the page's present slug, or a former one. */
export function setEntryCookie(
  ctx: Pick<Context, "config" | "clock" | "secrets">,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, slug, path }: { page: StatusPage; slug: string; path: string },
): void {
  const token = entryToken(ctx.secrets, page, ctx.clock.now() + ENTRY_MS);
  const attributes = { ...cookieAttributes(ctx.config, request), path, maxAge: ENTRY_MS / 1000 };
  reply.setCookie(cookieOf(slug), token, attributes);
}

const cookieOf = (slug: string): string => `vedette_page_${slug}`;
