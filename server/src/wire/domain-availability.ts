import { type Static, Type } from "typebox";
import { milliseconds } from "./field.ts";

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
        "True only when the registry says that nobody holds the name. It may refuse to sell it all the same, or ask a higher price.",
    }),
    reachable: Type.Boolean({ description: "A web server answered there." }),
    response_time: Type.Union([Type.Number(), Type.Null()], {
      description: "Milliseconds; null when nothing answered.",
    }),
  },
  { title: "DomainAvailability" },
);

/** What was found out about a domain. */
interface Found {
  domain: string;
  /** Its registrable part, such as `example.com`. */
  registrable: string;
  /** By its registry, or else by its being in the DNS. */
  isRegistered: boolean;
  /** Of the first answer of its web server, whatever it said; null when there was none. */
  totalUs: number | null;
}

/** `message`: what the answer says in words. */
export function projectAvailability({
  domain,
  registrable,
  isRegistered,
  totalUs,
}: Found): Static<typeof Availability> & { message: string } {
  return {
    domain,
    available: !isRegistered,
    reachable: totalUs !== null,
    response_time: milliseconds(totalUs),
    message: isRegistered ? "OK" : `${registrable} is not registered, according to its registry.`,
  };
}
