import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { assertAccess } from "../account/access.ts";
import type { Needs } from "../account/caller.ts";
import { planOf } from "../account/plans.ts";
import { assertAccessSomewhere } from "../account/resolve-organization.ts";
import type { Context } from "../context.ts";
import { PublicError, unauthenticated } from "../errors.ts";
import { authenticate, hasCredentials } from "./authenticate.ts";
import { clientNetwork } from "./client-network.ts";
import { isTrustedLocal } from "./loopback.ts";
import type { RouteFacts } from "./route.ts";

/** For public routes that say nothing else. */
const PUBLIC_LIMIT = { group: "public", perMinute: 120 };

/**
 * The onRequest hook of a route: who calls (401), how often (429), with what plan (403), scope and role (403). It
 * runs before the body is read, so none of it costs a parse. Plan and role are checked again in the organization that
 * the request means (organization-filter.ts, account/resolve-organization.ts).
 */
export function guardRoute(app: FastifyInstance, ctx: Context, facts: RouteFacts) {
  if (facts.family === "public") {
    const limit = facts.limit === undefined ? PUBLIC_LIMIT : facts.limit;
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (limit === null || typeof limit === "string") return;
      await app.limiter.take(reply, limit.group, `address:${clientNetwork(request.ip)}`, limit.perMinute);
    };
  }
  const needs = needsOf(facts);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (facts.loopback && !hasCredentials(request) && isTrustedLocal(ctx.config, request)) return;
    const caller = await authenticate(ctx, request, reply);
    if (!caller) throw unauthenticated();
    request.caller = { ...caller, needs, trail: { organizationId: caller.organizationId } };
    const limit = facts.limit === undefined ? needs.action : facts.limit;
    if (limit !== null) {
      const group = typeof limit === "string" ? limit : limit.group;
      const perMinute =
        typeof limit === "string" ? planOf(caller.plan).requestsPerMinute[limit] : limit.perMinute;
      const bySession = typeof limit === "object" && limit.by === "session" && caller.sessionId !== null;
      const who = bySession ? `session:${caller.sessionId}` : `user:${caller.userId}`;
      await app.limiter.take(reply, group, who, perMinute);
    }
    if (facts.own === "session" && caller.kind !== "session") throw sessionRequired();
    if (facts.resource || facts.elsewhere) await assertAccessSomewhere({ ...ctx, caller }, needs);
    else assertAccess(caller, needs);
  };
}

const sessionRequired = () =>
  new PublicError("forbidden", "This is for a signed-in person; an API key cannot do it.");

/** What the route asks of its caller. Throws at start when a route forgot its resource. */
export function needsOf(facts: RouteFacts): Needs {
  if (!facts.resource && !facts.own) throw new Error(`${facts.method} ${facts.url} names no resource`);
  const feature = facts.feature ?? "basic";
  return {
    action: facts.action ?? (facts.method === "GET" ? "read" : "write"),
    resource: facts.resource ?? null,
    features: facts.family === "v2" && feature !== "full" ? ["full", feature] : [feature],
  };
}
