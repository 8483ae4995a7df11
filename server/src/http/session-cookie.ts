import type { FastifyReply, FastifyRequest } from "fastify";
import { SESSION_IDLE_MS } from "../account/authenticate-session.ts";
import type { Config } from "../config.ts";

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

/** Takes the cookie back. */
export function clearSessionCookie(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, cookieAttributes(config, request));
}

/** What all of our cookies have: no script reads them, no other site sends them, no plain connection carries them. */
export const cookieAttributes = (config: Config, request: FastifyRequest) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: request.protocol === "https" || (config.publicUrl?.startsWith("https:") ?? false),
});
