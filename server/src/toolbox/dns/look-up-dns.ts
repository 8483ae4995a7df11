import { isIP } from "node:net";
import { isPublicAddress } from "../../check/guard.ts";
import { fact } from "../../texts/fact.ts";
import { type DnsLookup, type DnsLookupInput, Input, Output } from "../../wire/toolbox/dns-lookup.ts";
import { checkEnvironment } from "../check-environment.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { askForRecords, type FoundRecord, type RecordAnswer } from "./ask-for-records.ts";
import { nameServer } from "./name-server.ts";
import { nameToAsk } from "./name-to-ask.ts";
import { COMMON_TYPES } from "./record-types.ts";

/** Of one question; three tries and what is cut over TCP. */
const TIMEOUT_MS = 5_000;

/** Looks records up (spec, Toolbox; decisions §9): an error where a name server does not answer, never an empty list. */
export const lookUpDns = tool({
  name: "dns-lookup",
  title: "DNS lookup",
  description: "Looks up the DNS records of a name, with their real TTLs.",
  input: Input,
  subject: "domain",
  output: Output,
  run: lookUp,
  message: (found) => (found.total === 0 ? noneFound(found) : "OK"),
  print: (found) =>
    found.total === 0
      ? `${noneFound(found)}\n`
      : textTable(
          ["Name", "TTL", "Type", "Value"],
          found.records.map(({ name, ttl, type, value }) => [name, ttl, type, value]),
        ),
});

const noneFound = ({ status, domain }: DnsLookup): string =>
  status === "NXDOMAIN" ? `There is no name ${domain} (NXDOMAIN).` : `${domain} has no such record.`;

async function lookUp(input: DnsLookupInput, environment: ToolEnvironment): Promise<DnsLookup> {
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
function typesOf({ domain, record_type: type }: DnsLookupInput) {
  if (isIP(domain.trim().replace(/\.$/, "")) !== 0) return ["PTR"] as const;
  return type === "ANY" ? COMMON_TYPES : ([type ?? "A"] as const);
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
