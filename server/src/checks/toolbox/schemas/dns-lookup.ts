import { type Static, Type } from "typebox";

/** The types that can be queried, but for ANY. */
export const RECORD_TYPES = [
  "A",
  "AAAA",
  "CAA",
  "CNAME",
  "DS",
  "DNSKEY",
  "HTTPS",
  "MX",
  "NAPTR",
  "NS",
  "PTR",
  "SOA",
  "SRV",
  "SVCB",
  "TLSA",
  "TXT",
] as const;

export const Input = Type.Object(
  {
    domain: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The name to look up, or an IP address to find the name of (PTR).",
      examples: ["example.com"],
    }),
    record_type: Type.Optional(
      Type.Enum([...RECORD_TYPES, "ANY"], {
        default: "A",
        description: "The type of record; `ANY` queries the common ones.",
      }),
    ),
    server: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description:
          "The name server to query, with a port if it is not 53. Default: those of the installation.",
        examples: ["9.9.9.9"],
      }),
    ),
  },
  { title: "DnsLookupRequest" },
);

export const Output = Type.Object(
  {
    domain: Type.String({ description: "The name that was queried." }),
    records: Type.Array(
      Type.Object({
        type: Type.String({ description: "The type of record.", examples: ["A"] }),
        name: Type.String({ description: "The name that has it: of an alias, where that leads to it." }),
        value: Type.String({
          description: "As `dig +short` writes it, without quotes and final dots.",
          examples: ["192.0.2.1"],
        }),
        ttl: Type.Integer({ description: "How many seconds it may be cached." }),
      }),
    ),
    total: Type.Integer({ description: "How many records there are." }),
    status: Type.Enum(["NOERROR", "NXDOMAIN"], {
      description: "`NXDOMAIN`: there is no such name. Otherwise a name without records of this type.",
    }),
    server: Type.String({ description: "The address of the name server that answered." }),
    verified: Type.Boolean({ description: "Whether the name server has verified the answer by DNSSEC." }),
    withheld: Type.Integer({
      description:
        "How many addresses are left out because they are not public, where an installation looks at public targets only.",
    }),
    unanswered: Type.Array(Type.String({ examples: ["MX"] }), {
      description: "Of `ANY`: the types of which the name server said nothing, or that it could not answer.",
    }),
    responseTime: Type.Number({ description: "How many milliseconds it took." }),
  },
  { title: "DnsLookup" },
);

export type DnsLookupInput = Static<typeof Input>;
export type DnsLookup = Static<typeof Output>;
