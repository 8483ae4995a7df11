import { type Static, Type } from "typebox";
import type { DomainAvailability } from "../toolbox/check-domain.ts";

/** GET /check-domain. */
export const AvailabilityQuery = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "A domain name.",
    examples: ["example.com"],
  }),
});

export const Availability = Type.Object(
  {
    domain: Type.String({ examples: ["example.com"] }),
    available: Type.Boolean({ description: "Nobody has registered it, as far as the DNS knows." }),
    reachable: Type.Boolean({ description: "A web server answered there." }),
    response_time: Type.Union([Type.Number(), Type.Null()], {
      description: "Milliseconds; null when nothing answered.",
    }),
  },
  { title: "DomainAvailability" },
);

/** The verb's answer as the API writes it. */
export const projectAvailability = (result: DomainAvailability): Static<typeof Availability> => ({
  domain: result.domain,
  available: result.available,
  reachable: result.reachable,
  response_time: result.responseTimeMs === null ? null : Math.round(result.responseTimeMs * 10) / 10,
});
