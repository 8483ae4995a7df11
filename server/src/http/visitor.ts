import type { FastifyRequest } from "fastify";
import type { Visitor } from "../account/caller.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";

/** Who asks, where nobody need be known. */
export const visitorOf = async (_: unknown, { request }: { request: FastifyRequest }): Promise<Visitor> => ({
  requestId: request.id,
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
  token: request.cookies[SESSION_COOKIE],
});
