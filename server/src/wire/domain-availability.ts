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
        "It can be registered, and there is evidence of it. False: it is registered, or that is not known, which `message` says then.",
    }),
    reachable: Type.Boolean({ description: "A web server answered there." }),
    response_time: Type.Union([Type.Number(), Type.Null()], {
      description: "Milliseconds; null when nothing answered.",
    }),
  },
  { title: "DomainAvailability" },
);

/** What the answer's `message` says: what could not be found out. */
export const availabilityMessage = ({ registrable, registration }: DomainAvailability): string =>
  registration === "registered"
    ? "OK"
    : `The DNS does not know ${registrable}. Whether it can be registered is not known: only its registry could tell.`;

/** The verb's answer as the API writes it. */
export const projectAvailability = (result: DomainAvailability): Static<typeof Availability> => ({
  domain: result.domain,
  // Evidence would be the registry's own answer: that the DNS does not know a name is none.
  available: false,
  reachable: result.reachable,
  response_time: result.responseTimeMs === null ? null : Math.round(result.responseTimeMs * 10) / 10,
});
