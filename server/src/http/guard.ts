import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Needs } from "../account/caller.ts";
import { planOf } from "../account/plans.ts";
import type { Context } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import { authorize, needsOf, withNeeds } from "../verb/authorize.ts";
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
      if (limit !== null && typeof limit !== "string") {
        await app.limiter.take(reply, limit.group, `address:${clientNetwork(request.ip)}`, limit.perMinute);
      }
      await facts.admit?.(ctx, request, reply);
      const tenant = (request.caller ?? request.agent?.device)?.organizationId;
      if (tenant !== undefined) await app.turns.ofTenant(request, tenant);
    };
  }
  const needs = needsOfRoute(facts);
  const { elsewhere = facts.resource !== null } = facts;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (facts.loopback && !hasCredentials(request) && isTrustedLocal(ctx.config, request)) return;
    const known = await authenticate(ctx, request, reply);
    if (!known) throw unauthenticated();
    await app.turns.ofTenant(request, known.organizationId);
    const caller = withNeeds(known, needs);
    request.caller = caller;
    const limit = facts.limit === undefined ? needs.action : facts.limit;
    if (limit !== null) {
      const group = typeof limit === "string" ? limit : limit.group;
      const perMinute =
        typeof limit === "string" ? planOf(caller.plan).requestsPerMinute[limit] : limit.perMinute;
      const bySession = typeof limit === "object" && limit.by === "session" && caller.sessionId !== null;
      const who = bySession ? `session:${caller.sessionId}` : `user:${caller.userId}`;
      await app.limiter.take(reply, group, who, perMinute);
    }
    await authorize({ ...ctx, caller }, needs, { elsewhere });
  };
}

/** What it takes to ask this route. */
export const needsOfRoute = (facts: RouteFacts): Needs =>
  needsOf(
    { ...facts, action: facts.action ?? (facts.method === "GET" ? "read" : "write") },
    facts.family === "v2" ? ["full"] : [],
  );
