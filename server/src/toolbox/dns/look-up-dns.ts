import { isIP } from "node:net";
import { isPublicAddress } from "../../check/guard.ts";
import { fact } from "../../texts/fact.ts";
import { type DnsLookup, type DnsLookupInput, Input, Output } from "../../wire/toolbox/dns-lookup.ts";
import { checkEnvironment } from "../check-environment.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { askForRecords, type FoundRecord, type RecordAnswer } from "./ask-for-records.ts";
import { withoutInsideHints } from "./inside-hints.ts";
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
  message: (found) => trouble(found) ?? "OK",
  print: (found) => {
    const { records, total } = found;
    const rows = records.map(({ name, ttl, type, value }) => [name, ttl, type, value]);
    const table = total === 0 ? "" : textTable(["Name", "TTL", "Type", "Value"], rows);
    const said = trouble(found);
    return said === null ? table : `${table}${said}\n`;
  },
});

/** What is to be said of an answer besides its records; null: nothing. */
function trouble({ status, domain, total, unanswered }: DnsLookup): string | null {
  if (status === "NXDOMAIN") return `There is no name ${domain} (NXDOMAIN).`;
  if (unanswered.length > 0) return `The name server gave no answer for ${unanswered.join(", ")}.`;
  return total === 0 ? `${domain} has no such record.` : null;
}

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
  const { told, withheld } = policy === "public" ? publicOf(records) : { told: records, withheld: 0 };
  return {
    domain,
    records: told,
    total: told.length,
    status: first.exists ? "NOERROR" : "NXDOMAIN",
    server: first.server,
    verified: given.every(({ isVerified }) => isVerified),
    withheld,
    unanswered: types.filter((_, at) => answers[at]?.status === "rejected"),
    responseTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
  };
}

/** What may be told where only public targets may be reached, and how many addresses are left out of that. */
function publicOf(records: readonly FoundRecord[]): { told: FoundRecord[]; withheld: number } {
  let withheld = 0;
  const told = records.flatMap((record) => {
    const { type, value } = record;
    if ((type === "A" || type === "AAAA") && !isPublicAddress(value)) {
      withheld += 1;
      return [];
    }
    if (type !== "HTTPS" && type !== "SVCB") return [record];
    const shown = withoutInsideHints(value);
    withheld += shown.withheld;
    return [{ ...record, value: shown.value }];
  });
  return { told, withheld };
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
