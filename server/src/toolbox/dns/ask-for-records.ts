import type dnsPacket from "dns-packet";
import type { NameServerAnswer } from "../../check/dns-answer.ts";
import { type DnsPeer, exchange } from "../../check/dns-exchange.ts";
import { dnsQuestion } from "../../check/dns-question.ts";
import { classOf, type Reason } from "../../check/reasons.ts";
import { fact } from "../../texts/fact.ts";
import { ToolError } from "../tool.ts";
import { lookedUpText } from "./record-text.ts";
import { packetType, type RecordType, typeName } from "./record-types.ts";

/** One record. */
export interface FoundRecord {
  type: string;
  name: string;
  value: string;
  /** Seconds, as the name server says it. */
  ttl: number;
}

/** What a name server says of one type of record. */
export interface RecordAnswer {
  /** Those of the type, and the aliases that lead to them. */
  records: FoundRecord[];
  exists: boolean;
  /** Whether the name server has verified it by DNSSEC. */
  isVerified: boolean;
  /** The address that answered. */
  server: string;
}

const FOLLOWED: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);
const TOLD_CODES = ["SERVFAIL", "REFUSED", "NOTIMP", "FORMERR"] as const;

/** Asks for the records of a name. Throws ToolError when the name server does not answer, or says that it cannot. */
export async function askForRecords(peer: DnsPeer, name: string, type: RecordType): Promise<RecordAnswer> {
  let answer: NameServerAnswer | undefined;
  const question = dnsQuestion(name, packetType(type), { dnssec: "verified" });
  const outcome = await exchange(peer, question, (message) => {
    answer = message;
    return null;
  });
  if (answer === undefined) throw unanswered(outcome.reason);
  const { rcode, isVerified } = answer;
  const server = outcome.address ?? peer.host;
  if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") {
    const told = TOLD_CODES.find((code) => code === rcode) ?? "other";
    throw new ToolError(fact("tool.dns_failed", { server, name, rcode: told }));
  }
  const records = answer.records.flatMap((each) => foundRecord(each, type, server));
  return { records, exists: rcode === "NOERROR", isVerified, server };
}

/** Throws ToolError where the record has a content that its type cannot have. */
function foundRecord(answer: dnsPacket.Answer, wanted: RecordType, where: string): FoundRecord[] {
  const type = typeName(answer.type);
  if (type !== wanted && !FOLLOWED.has(type)) return [];
  const value = lookedUpText(answer);
  const { ttl = 0 } = answer as { ttl?: number };
  if (value === null) throw new ToolError(fact("protocol.dns_record", { where, name: answer.name }));
  return [{ type, name: answer.name, value, ttl }];
}

/** A name server that must not be asked, or that does not exist, is the caller's mistake; silence is not. */
function unanswered(reason: Reason | null): ToolError {
  if (reason === null) return new ToolError(fact("tool.given_up"));
  const isUnfit = classOf(reason) === "guard" || ["dns.missing", "dns.not_public"].includes(reason.code);
  return new ToolError(reason, isUnfit ? "server" : undefined);
}
