import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { authenticateKey } from "../access/authenticate-key.ts";
import { authenticateSession, SESSION_IDLE_MS } from "../access/authenticate-session.ts";
import type { Caller } from "../access/caller.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { preferredLanguage } from "../i18n/render.ts";
import { bodyWithOrganization, ORGANIZATION_FIELDS, queryWithOrganization } from "../operations/paging.ts";
import type { RouteDetails } from "./route.ts";
import { assertSameOrigin } from "./security-headers.ts";

const BEARER = /^Bearer +(\S+)$/i;
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** By bearer token, else by session cookie; null for neither. Throws 403 for an unsafe request from another site. */
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

export const hasCredentials = (request: FastifyRequest): boolean =>
  request.headers.authorization !== undefined || request.cookies[SESSION_COOKIE] !== undefined;

type Described = RouteDetails & { querystring?: TSchema; body?: TSchema };

/** Whether a route is about an organization's things without naming the organization in its path. */
export const takesOrganization = ({
  family,
  resource,
  loopback,
}: Pick<RouteDetails, "family" | "resource" | "loopback">): boolean =>
  family !== "public" && resource !== null && resource !== "organization" && !loopback;

export function withOrganization<R extends Described>(route: R): R {
  if (!takesOrganization(route)) return route;
  const querystring = queryWithOrganization(route.querystring);
  return { ...route, querystring, ...(route.body && { body: bodyWithOrganization(route.body) }) };
}

/** What the query and the body say of an organization, each name once. */
export const organizationsNamed = ({ query, body }: FastifyRequest): string[] => [
  ...new Set([...namedIn(query), ...namedIn(body)]),
];

function namedIn(part: unknown): string[] {
  const fields = (part ?? {}) as Record<string, string | number | undefined>;
  return ORGANIZATION_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])]));
}

export const SESSION_COOKIE = "vedette_session";

/** Sends the session's token; the browser keeps it as long as the server would. */
export function setSessionCookie(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  reply.setCookie(SESSION_COOKIE, token, {
    ...cookieAttributes(config, request),
    maxAge: SESSION_IDLE_MS / 1000,
  });
}

export function clearSessionCookie(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, cookieAttributes(config, request));
}

/** No script reads them, no other site sends them, no plain connection carries them. */
export const cookieAttributes = (config: Config, request: FastifyRequest) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: request.protocol === "https" || (config.publicUrl?.startsWith("https:") ?? false),
});
