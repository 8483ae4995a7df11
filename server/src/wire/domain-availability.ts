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
    available: Type.Boolean({
      description:
        "Always false in this version: only a registry can say that a name is free, and none is asked yet. `message` says whether the name is registered or not known.",
    }),
    reachable: Type.Boolean({ description: "A web server answered there." }),
    response_time: Type.Union([Type.Number(), Type.Null()], {
      description: "Milliseconds; null when nothing answered.",
    }),
  },
  { title: "DomainAvailability" },
);

/** What the answer's `message` says: `OK` for a registered name, else that it is not known. */
export const availabilityMessage = ({ registrable, registration }: DomainAvailability): string =>
  registration === "registered"
    ? "OK"
    : `The DNS does not know ${registrable}. Whether it can be registered is not known: only its registry can tell.`;

/** The verb's answer as the API writes it. */
export const projectAvailability = (result: DomainAvailability): Static<typeof Availability> => ({
  domain: result.domain,
  // Only the registry could say that a name is free, and it is not asked: see DomainAvailability.
  available: false,
  reachable: result.reachable,
  response_time: result.responseTimeMs === null ? null : Math.round(result.responseTimeMs * 10) / 10,
});
