import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { parse } from "tldts";
import { normaliseHost } from "../../../platform/formats/host.ts";
import { msg } from "../../../platform/i18n/message.ts";
import type { CheckEnvironment } from "../../check.ts";
import { type DnsPeer, ownNameServers } from "../../dns.ts";
import { DNS_PORT, reverseName } from "../../dns-message.ts";
import { hostProblem, isPublicAddress, type TargetPolicy } from "../../guard.ts";
import { textTable } from "../finding.ts";
import { type DnsLookup, type DnsLookupInput, Input, Output } from "../schemas/dns-lookup.ts";
import { checkEnvironment, type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { COMMON_TYPES, type FoundRecord, queryRecords, type RecordAnswer } from "./query-records.ts";

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const MAX_NAME = 253;

/**
 * In ASCII, without a final dot; for an address, its reverse name. Throws ToolError for what is no name and,
 * for public targets only, for names that only the operator's own name servers may know.
 */
function nameToQuery(typed: string, policy: TargetPolicy, isOwnServer: boolean): string {
  const given = typed.trim().replace(/\.$/, "");
  // What follows is no part of an address, only where it is (RFC 4007 §11).
  const text = isIP(given) === 0 ? given : (given.split("%", 1)[0] as string);
  const isPrivate = policy === "public" && isOwnServer;
  if (isIP(text) !== 0) {
    if (isPrivate && !isPublicAddress(text)) throw insideName();
    return reverseName("PTR", text) as string;
  }
  const name = domainToASCII(text);
  const labels = name.split(".");
  if (name === "" || name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) {
    throw new ToolError(msg("tool.name"), "domain");
  }
  if (isPrivate && (!parse(name).isIcann || name.endsWith(".arpa"))) throw insideName();
  return name;
}

const insideName = () => new ToolError(msg("tool.inside"), "domain");

/** The name server to query: `9.9.9.9`, `[2620:fe::fe]:53`, `dns.example.com:5353`; without one, the machine's own. Throws ToolError. */
function nameServer(typed: string | undefined, environment: CheckEnvironment): DnsPeer {
  if (typed === undefined) {
    const own = ownNameServers(environment);
    if ("code" in own) throw new ToolError(own);
    return own;
  }
  const text = typed.trim();
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = normaliseHost(bracketed ?? plain ?? text.replace(/^\[(.*)\]$/, "$1"));
  const number = port === undefined ? DNS_PORT : Number(port);
  if (host === null || number < 1 || number > 65_535) throw new ToolError(msg("tool.name_server"), "server");
  const problem = hostProblem(host, environment.network.policy);
  if (problem !== null) throw new ToolError(problem, "server");
  return { host, port: number, environment };
}

const HINT = /^(ipv[46]hint)=(.+)$/;

/**
 * A service binding as `serviceBindingText` writes it, without non-public addresses in its hints (RFC 9460
 * §7.3), and their number.
 */
export function withoutInsideHints(binding: string): { value: string; withheld: number } {
  let withheld = 0;
  const parts = binding.split(" ").flatMap((part) => {
    const [, name, list = ""] = HINT.exec(part) ?? [];
    if (name === undefined) return [part];
    const addresses = list.split(",");
    const visible = addresses.filter(isPublicAddress);
    withheld += addresses.length - visible.length;
    return visible.length === 0 ? [] : [`${name}=${visible.join(",")}`];
  });
  return { value: parts.join(" "), withheld };
}

/** Of one query; three tries and what is cut over TCP. */
const TIMEOUT_MS = 5_000;

/** Looks records up: an error where a name server does not answer, never an empty list. */
export const lookUpDns = tool({
  name: "dns-lookup",
  title: "DNS lookup",
  description: "Looks up the DNS records of a name, with their real TTLs.",
  input: Input,
  subject: "domain",
  output: Output,
  run: lookUp,
  message: (found) => describeProblem(found) ?? "OK",
  print: (found) => {
    const { records, total } = found;
    const rows = records.map(({ name, ttl, type, value }) => [name, ttl, type, value]);
    const table = total === 0 ? "" : textTable(["Name", "TTL", "Type", "Value"], rows);
    const said = describeProblem(found);
    return said === null ? table : `${table}${said}\n`;
  },
});

function describeProblem({ status, domain, total, unanswered }: DnsLookup): string | null {
  if (status === "NXDOMAIN") return `There is no name ${domain} (NXDOMAIN).`;
  if (unanswered.length > 0) return `The name server gave no answer for ${unanswered.join(", ")}.`;
  return total === 0 ? `${domain} has no such record.` : null;
}

async function lookUp(input: DnsLookupInput, environment: ToolEnvironment): Promise<DnsLookup> {
  const startedMs = performance.now();
  const { policy } = environment.network;
  const isOwn = input.server === undefined;
  const domain = nameToQuery(input.domain, policy, isOwn);
  const types = typesOf(input);
  const answers = await Promise.allSettled(
    types.map((type) =>
      queryRecords(nameServer(input.server, checkEnvironment(environment, TIMEOUT_MS)), domain, type),
    ),
  );
  const { given, first } = givenOf(answers);
  const records = withoutDoubles(given.flatMap((answer) => answer.records));
  const { visible, withheld } = policy === "public" ? publicOf(records) : { visible: records, withheld: 0 };
  return {
    domain,
    records: visible,
    total: visible.length,
    status: first.exists ? "NOERROR" : "NXDOMAIN",
    server: first.server,
    verified: given.every(({ isVerified }) => isVerified),
    withheld,
    unanswered: types.filter((_, at) => answers[at]?.status === "rejected"),
    responseTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
  };
}

/** What may be shown where only public targets may be reached, and how many addresses are left out of that. */
function publicOf(records: readonly FoundRecord[]): { visible: FoundRecord[]; withheld: number } {
  let withheld = 0;
  const visible = records.flatMap((record) => {
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
  return { visible, withheld };
}

/** An address is looked up for its name, whatever the default is. */
function typesOf({ domain, record_type: type }: DnsLookupInput) {
  if (isIP(domain.trim().replace(/\.$/, "")) !== 0) return ["PTR"] as const;
  return type === "ANY" ? COMMON_TYPES : ([type ?? "A"] as const);
}

/** Some of several queries may stay without an answer, not all. Throws the first ToolError then. */
function givenOf(answers: readonly PromiseSettledResult<RecordAnswer>[]) {
  const given = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [first] = given;
  if (first !== undefined) return { given, first };
  const [failed] = answers;
  throw failed?.status === "rejected" ? failed.reason : new ToolError(msg("tool.given_up"));
}

/** An alias comes with each type that is queried. */
const withoutDoubles = (records: readonly FoundRecord[]): FoundRecord[] => [
  ...new Map(records.map((record) => [`${record.type} ${record.name} ${record.value}`, record])).values(),
];
