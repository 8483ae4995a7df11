import type { FastifyReply, FastifyRequest } from "fastify";
import { authenticateKey } from "../account/authenticate-key.ts";
import { authenticateSession } from "../account/authenticate-session.ts";
import type { Caller } from "../account/caller.ts";
import type { Context } from "../context.ts";
import { preferredLanguage } from "../texts/languages.ts";
import { assertSameOrigin } from "./origin.ts";
import { SESSION_COOKIE, setSessionCookie } from "./session-cookie.ts";

const BEARER = /^Bearer +(\S+)$/i;
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/**
 * The caller by bearer token or, without an Authorization header, by session cookie; null when there
 * is neither or it is not valid. Throws 403 for an unsafe cookie request from another site.
 */
export async function authenticate(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const caller = await identify(ctx, request, reply);
  return caller && { ...caller, language: preferredLanguage(request.headers["accept-language"]) };
}

async function identify(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
  const origin = { id: request.id, address: request.ip };
  const header = request.headers.authorization;
  if (header !== undefined) {
    const token = BEARER.exec(header)?.[1];
    return token === undefined ? null : authenticateKey(ctx, token, origin);
  }
  const cookie = request.cookies[SESSION_COOKIE];
  if (!cookie) return null;
  const session = await authenticateSession(ctx, cookie, origin);
  if (!session) return null;
  if (!SAFE_METHODS.includes(request.method)) assertSameOrigin(ctx.config, request);
  if (session.newToken) setSessionCookie(ctx.config, request, reply, session.newToken);
  return session.caller;
}

/** Whether the request claims to come from somebody. */
export const hasCredentials = (request: FastifyRequest): boolean =>
  request.headers.authorization !== undefined || request.cookies[SESSION_COOKIE] !== undefined;
