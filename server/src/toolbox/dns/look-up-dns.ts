import { isIP } from "node:net";
import { type Static, Type } from "typebox";
import { isPublicAddress } from "../../check/guard.ts";
import { fact } from "../../texts/fact.ts";
import { checkEnvironment } from "../check-environment.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { askForRecords, type FoundRecord, type RecordAnswer } from "./ask-for-records.ts";
import { nameServer } from "./name-server.ts";
import { nameToAsk } from "./name-to-ask.ts";
import { COMMON_TYPES, RECORD_TYPES } from "./record-types.ts";

/** Of one question; three tries and what is cut over TCP. */
const TIMEOUT_MS = 5_000;

const Input = Type.Object(
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
        description: "The type of record; `ANY` asks for the common ones.",
      }),
    ),
    server: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description:
          "The name server to ask, with a port if it is not 53. Default: those of the installation.",
        examples: ["9.9.9.9"],
      }),
    ),
  },
  { title: "DnsLookupRequest" },
);

const Output = Type.Object(
  {
    domain: Type.String({ description: "The name that was asked for." }),
    records: Type.Array(
      Type.Object({
        type: Type.String({ description: "The type of record.", examples: ["A"] }),
        name: Type.String({ description: "The name that has it: of an alias, where that leads to it." }),
        value: Type.String({
          description: "As `dig +short` writes it, without quotes and final dots.",
          examples: ["192.0.2.1"],
        }),
        ttl: Type.Integer({ description: "How many seconds it may be kept." }),
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
    responseTime: Type.Number({ description: "How many milliseconds it took." }),
  },
  { title: "DnsLookup" },
);

type Input = Static<typeof Input>;
type Output = Static<typeof Output>;

/** Looks records up (spec, Toolbox; decisions §9): an error where a name server does not answer, never an empty list. */
export const lookUpDns = tool({
  name: "dns-lookup",
  title: "DNS lookup",
  description: "Looks up the DNS records of a name, with their real TTLs.",
  input: Input,
  subject: "domain",
  output: Output,
  run: lookUp,
  message: ({ status, domain, total }) => {
    if (status === "NXDOMAIN") return `There is no name ${domain} (NXDOMAIN).`;
    return total === 0 ? `${domain} has no such record.` : "OK";
  },
  print: ({ records }) =>
    textTable(
      ["Name", "TTL", "Type", "Value"],
      records.map(({ name, ttl, type, value }) => [name, ttl, type, value]),
    ),
});

async function lookUp(input: Input, environment: ToolEnvironment): Promise<Output> {
  const startedMs = performance.now();
  const { policy } = environment.network;
  const isOwn = input.server === undefined;
  const domain = nameToAsk(input.domain, policy, isOwn);
  const types = typesOf(input);
  const answers = await Promise.allSettled(
    types.map((type) =>
      askForRecords(nameServer(input.server, checkEnvironment(environment, TIMEOUT_MS)), domain, type),
    ),
  );
  const { given, first } = givenOf(answers);
  const records = withoutDoubles(given.flatMap((answer) => answer.records));
  const isTold = ({ type, value }: FoundRecord) =>
    policy !== "public" || (type !== "A" && type !== "AAAA") || isPublicAddress(value);
  const told = records.filter(isTold);
  return {
    domain,
    records: told,
    total: told.length,
    status: first.exists ? "NOERROR" : "NXDOMAIN",
    server: first.server,
    verified: given.every(({ isVerified }) => isVerified),
    withheld: records.length - told.length,
    responseTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
  };
}

/** An address is asked for its name, whatever the default says. */
function typesOf({ domain, record_type: type }: Input) {
  if (type === "ANY") return COMMON_TYPES;
  const isAddress = isIP(domain.trim()) !== 0;
  return [isAddress ? "PTR" : (type ?? "A")] as const;
}

/** Some of several questions may stay without an answer, not all. Throws the first ToolError then. */
function givenOf(answers: readonly PromiseSettledResult<RecordAnswer>[]) {
  const given = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [first] = given;
  if (first !== undefined) return { given, first };
  const [failed] = answers;
  throw failed?.status === "rejected" ? failed.reason : new ToolError(fact("tool.given_up"));
}

/** An alias comes with each type that is asked for. */
const withoutDoubles = (records: readonly FoundRecord[]): FoundRecord[] => [
  ...new Map(records.map((record) => [`${record.type} ${record.name} ${record.value}`, record])).values(),
];
