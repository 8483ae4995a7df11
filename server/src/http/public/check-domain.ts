import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { checkDomain } from "../../toolbox/check-domain.ts";
import {
  Availability,
  AvailabilityQuery,
  availabilityMessage,
  projectAvailability,
} from "../../wire/domain-availability.ts";
import { defineRoute } from "../route.ts";

/** The public domain check. Whoever asks is a stranger, so private addresses are never looked at for them. */
export function registerCheckDomain(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    method: "GET",
    url: "/check-domain",
    aliases: ["/api/check-domain"],
    family: "public",
    limit: { group: "check-domain", perMinute: 30 },
    summary: "Is a domain free, and does a site answer there?",
    description:
      "Asks the name servers about the domain and a web server for its answer. `available` is true only where that is certain; `message` says what could not be found out.",
    querystring: AvailabilityQuery,
    response: Availability,
    async handler(own, { query }) {
      const result = await checkDomain(own, { domain: query.domain, policy: "public" });
      return { data: projectAvailability(result), message: availabilityMessage(result) };
    },
  });
}
