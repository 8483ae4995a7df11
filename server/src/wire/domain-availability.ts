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
        "Always false in this version: only a registry can say that a name is free, and none is asked yet. `message` says whether the name is registered or not known.",
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
  /** False: the DNS does not know it; only its registry, which is not asked yet, could tell whether it is free. */
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
    // Only the registry could say that a name is free, and it is not asked.
    available: false,
    reachable: totalUs !== null,
    response_time: milliseconds(totalUs),
    message: isRegistered
      ? "OK"
      : `The DNS does not know ${registrable}. Whether it can be registered is not known: only its registry can tell.`,
  };
}
