import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { checkDomain } from "../../toolbox/check-domain.ts";
import {
  Availability,
  AvailabilityQuery,
  availabilityMessage,
  projectAvailability,
} from "../../wire/domain-availability.ts";
import { defineRoute } from "../define-route.ts";

/** The public domain check. Whoever asks is a stranger, so private addresses are never looked at for them. */
export function registerCheckDomain(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    method: "GET",
    url: "/check-domain",
    aliases: ["/api/check-domain"],
    family: "public",
    resource: null,
    limit: { group: "check-domain", perMinute: 30 },
    summary: "Check whether a domain is registered and reachable",
    description:
      "Asks the DNS whether the domain is registered, and its web server for an answer. `available` is always false in this version, since only a registry can say that a name is free, and none is asked yet. `message` says whether the name is registered or not known.",
    querystring: AvailabilityQuery,
    response: Availability,
    async handler(own, { query }) {
      const result = await checkDomain(own, { domain: query.domain, policy: "public" });
      return { data: projectAvailability(result), message: availabilityMessage(result) };
    },
  });
}
