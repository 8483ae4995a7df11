import { type Static, Type } from "typebox";
import { milliseconds } from "../../../platform/operations/field.ts";

export const Input = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "A domain, an IP address, or an AS number such as AS64496.",
      examples: ["example.com"],
    }),
  },
  { title: "RdapRequest" },
);

const text = (description: string, example?: string) =>
  Type.Union([Type.String(), Type.Null()], { description, ...(example && { examples: [example] }) });

export const Output = Type.Object(
  {
    query: Type.String({
      description: "What was looked up at the registry: of a longer name, its registrable part.",
    }),
    kind: Type.Enum(["domain", "ip", "as"], { description: "What that is." }),
    registered: Type.Boolean({
      description: "Whether the registry knows it. False only where the registry says so.",
    }),
    name: text("As the registry calls it."),
    handle: text("The registry's own identifier."),
    range: text("Of an address or an AS number: the range that it is in.", "192.0.2.0 – 192.0.2.255"),
    status: Type.Array(Type.String(), { description: "What may be done with it, in the registry's words." }),
    registrar: text("Who registered it for its holder."),
    organization: text("Whose it is, where the registry says so."),
    country: text("The holder's country, where the registry says so."),
    abuseContact: text("Whom to write to about abuse."),
    events: Type.Array(
      Type.Object({
        action: Type.String({
          description: "What happened, or will.",
          examples: ["registration", "expiration"],
        }),
        date: Type.String({ format: "date-time", description: "When." }),
      }),
    ),
    nameServers: Type.Array(Type.String(), { description: "Of a domain." }),
    signed: Type.Union([Type.Boolean(), Type.Null()], {
      description: "Whether its delegation is signed (DNSSEC); null where that is not said.",
    }),
    server: Type.String({ description: "The server that answered." }),
    listPublished: Type.String({
      format: "date-time",
      description: "Of what day IANA's list of registries is that named the server.",
    }),
    responseTime: Type.Number({ description: "How many milliseconds it took." }),
  },
  { title: "Rdap" },
);

export type RdapInput = Static<typeof Input>;
export type Rdap = Static<typeof Output>;

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
        "True only when the registry says that the name is not registered. It may refuse to sell it all the same, or want a higher price.",
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
